internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords

struct KeyKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A random key's bytes, and the bytes of the key that is read from bytes.
    let sample: @Sendable (inout RandomRecords) throws -> [UInt8]
    let readBack: @Sendable ([UInt8]) throws -> [UInt8]
    /// Whether keys of other bytes are refused by their size alone.
    let hasFixedSize: Bool

    init<Key: TableKey>(
        _ type: Key.Type,
        hasFixedSize: Bool = false,
        _ make: @escaping @Sendable (inout RandomRecords) throws -> Key
    ) {
        testDescription = "\(type)"
        self.hasFixedSize = hasFixedSize
        sample = { try make(&$0).bytes }
        readBack = { try Key($0).bytes }
    }

    static let all = [
        KeyKind(CenterNumber.self, hasFixedSize: true) { $0.number() },
        KeyKind(RequestNumber.self, hasFixedSize: true) { $0.number() },
        KeyKind(PromptNumber.self, hasFixedSize: true) { $0.number() },
        KeyKind(CenterName.self) {
            try CenterName(
                app: $0.choice(["a", "org.example.app"]),
                device: $0.choice(["d", "1"])
            )
        },
        KeyKind(DeliveryKey.self, hasFixedSize: true) {
            DeliveryKey($0.number(), of: $0.number())
        },
        KeyKind(EventKey.self, hasFixedSize: true) { EventKey($0.number(), of: $0.number()) },
        KeyKind(CallbackKey.self, hasFixedSize: true) {
            CallbackKey($0.number(), of: $0.number())
        },
        KeyKind(IdentifierKey.self) { IdentifierKey("x" + $0.text(), of: $0.number()) },
        KeyKind(DueKey<ElapsedInstant>.self, hasFixedSize: true) {
            DueKey(ElapsedInstant(nanoseconds: $0.number()), $0.number() as RequestNumber)
        },
        KeyKind(DueKey<WallInstant>.self, hasFixedSize: true) {
            DueKey(WallInstant(nanoseconds: $0.number()), summaryOf: $0.number())
        },
        KeyKind(ExpiryKey.self, hasFixedSize: true) {
            ExpiryKey(ElapsedInstant(nanoseconds: $0.number()), $0.number())
        },
        KeyKind(ZoneKey.self) {
            let request = RequestNumber(rawValue: $0.number(UInt64.self) >> 1)
            return ZoneKey(
                $0.choice(["", "UTC", "Europe/Lisbon"]),
                of: $0.number(),
                $0.choice([.summary, .request(request)])
            )
        },
        KeyKind(NameKey.self) { NameKey($0.text()) },
        KeyKind(StringTableKey.self) {
            StringTableKey(app: "a", language: $0.choice(["en", "pt-BR"]))
        },
        KeyKind(UnlockWaitKey.self) { UnlockWaitKey($0.number(), on: "d") },
        KeyKind(AttachmentKey.self) { AttachmentKey(identifier(&$0), of: "a") },
        KeyKind(AttachmentExpiryKey.self) {
            let attachment = AttachmentKey(identifier(&$0), of: "a")
            return AttachmentExpiryKey(ElapsedInstant(nanoseconds: $0.number()), attachment)
        },
        KeyKind(SoundKey.self) { SoundKey($0.text(), of: "a") },
        KeyKind(TagKey.self) { TagKey($0.choice(["a", "b:c"]), of: .local("org.example.app")) },
        KeyKind(TagPushKey.self) { TagPushKey($0.number(), of: $0.choice(["a", "b.c"])) },
        KeyKind(RichPushKey.self) { RichPushKey($0.number(), of: $0.choice(["a", "b.c"])) },
        KeyKind(RichInboxKey.self, hasFixedSize: true) {
            RichInboxKey($0.number(), of: $0.number())
        },
        KeyKind(TagPushOutcomeKey.self) {
            TagPushOutcomeKey($0.number(), of: TagPushKey($0.number(), of: "org.example.app"))
        },
        KeyKind(RichAddresseeKey.self) {
            RichAddresseeKey($0.number(), of: RichPushKey($0.number(), of: "org.example.app"))
        },
        KeyKind(PushWorkKey<ElapsedInstant>.self) {
            PushWorkKey(
                ElapsedInstant(nanoseconds: $0.number()),
                $0.choice(PushWorkKind.allCases),
                $0.number(),
                of: "org.example.app"
            )
        },
        KeyKind(RegistrationKey.self) { RegistrationKey(.local($0.choice(["a", "b.c"]))) },
        KeyKind(DeviceToken.self, hasFixedSize: true) { _ in .random() },
        KeyKind(BackgroundPushKey.self, hasFixedSize: true) {
            BackgroundPushKey($0.number(), of: $0.number())
        },
        KeyKind(PushReceiptKey.self, hasFixedSize: true) {
            PushReceiptKey(identifier(&$0).bytes, of: $0.number())
        },
        KeyKind(OwnedOrderKey.self, hasFixedSize: true) {
            OwnedOrderKey($0.number(), of: identifier(&$0).bytes)
        },
        KeyKind(StoreOrderKey.self, hasFixedSize: true) { StoreOrderKey($0.number()) },
        KeyKind(EndedNumbersKey.self, hasFixedSize: true) { EndedNumbersKey($0.number()) },
        KeyKind(OnceIdentifier.self, hasFixedSize: true) {
            OnceIdentifier(bytes: identifier(&$0).bytes)
        },
        KeyKind(KeyOwnerKey.self, hasFixedSize: true) {
            let owner = identifier(&$0).bytes
            return KeyOwnerKey(OnceIdentifier(bytes: identifier(&$0).bytes), of: owner)
        },
        KeyKind(AccountKey.self) {
            let name = "x" + $0.text()
            guard let key = AccountKey($0.choice([.app(name), .device(name)])) else {
                preconditionFailure("apps and devices have accounts")
            }
            return key
        },
        KeyKind(RegionKey.self) { RegionKey($0.number(), at: $0.place(), on: "d") },
        KeyKind(RegionStateKey.self) {
            RegionStateKey($0.number(), of: $0.choice(RegionSensor.allCases), on: "d")
        },
        KeyKind(RegionNameKey.self) {
            RegionNameKey("x" + $0.text(), of: $0.number(), $0.number())
        },
        KeyKind(MetaKey.self) { $0.choice([.format, .state, .pageTokens]) },
    ]

    private static func identifier(_ random: inout RandomRecords) -> AttachmentIdentifier {
        AttachmentIdentifier(bytes: (0..<16).map { _ in random.number() })
    }
}

@Suite("Keys")
struct KeyTests {
    private let generator = SeededGenerator()

    private var hint: Comment { "SEED=\(generator.seed)" }

    @Test("What is written is read back", arguments: KeyKind.all)
    func roundTrip(kind: KeyKind) throws {
        var random = RandomRecords(generator: generator)
        for _ in 0..<50 {
            let bytes = try kind.sample(&random)
            #expect(try kind.readBack(bytes) == bytes, hint)
        }
    }

    @Test("Whatever bytes are read, they are a key or no key, and never a crash")
    func damaged() {
        var random = RandomRecords(generator: generator)
        for kind in KeyKind.all {
            for count in 0..<40 {
                let bytes: [UInt8] = (0..<count).map { _ in random.choice([0, 1, random.number()]) }
                // A key that is read is the key that was there.
                if let read = try? kind.readBack(bytes), kind.hasFixedSize {
                    #expect(read == bytes, hint)
                }
            }
        }
    }

    @Test(
        "A key of another size is none",
        arguments: KeyKind.all.filter(\.hasFixedSize)
    )
    func otherSize(kind: KeyKind) throws {
        var random = RandomRecords(generator: generator)
        let bytes = try kind.sample(&random)
        #expect(throws: RowProblem.undecodable) { try kind.readBack(bytes + [0]) }
        #expect(throws: RowProblem.undecodable) { try kind.readBack(Array(bytes.dropLast())) }
    }
}

extension KeyTests {
    @Test("Keys sort as the numbers in them do")
    func order() {
        let numbers: [UInt64] = [0, 1, 255, 256, 65_535, 65_536, .max - 1, .max]
        for (smaller, greater) in zip(numbers, numbers.dropFirst()) {
            let keys: [([UInt8], [UInt8])] = [
                (
                    RequestNumber(rawValue: smaller).bytes,
                    RequestNumber(rawValue: greater).bytes
                ),
                (
                    EventKey(EventNumber(rawValue: smaller), of: 7).bytes,
                    EventKey(EventNumber(rawValue: greater), of: 7).bytes
                ),
                (EventKey(.max, of: 6).bytes, EventKey(0, of: 7).bytes),
                (
                    DueKey(ElapsedInstant(nanoseconds: 5), RequestNumber(rawValue: smaller)).bytes,
                    DueKey(ElapsedInstant(nanoseconds: 5), RequestNumber(rawValue: greater)).bytes
                ),
                (
                    DueKey(ElapsedInstant(nanoseconds: 255), RequestNumber.max).bytes,
                    DueKey(ElapsedInstant(nanoseconds: 256), RequestNumber(rawValue: 0)).bytes
                ),
            ]
            for (left, right) in keys { #expect(left.lexicographicallyPrecedes(right)) }
        }
        let key = IdentifierKey("é/\0", of: 9)
        #expect(key.bytes.starts(with: KeyPrefix<IdentifierKey>.center(9).bytes))
        #expect(!key.bytes.starts(with: KeyPrefix<IdentifierKey>.center(8).bytes))
    }
}
