internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// A persisted record: how random ones are written, and whether bytes are read back as the same
/// record.
struct Codec: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A random record's bytes, and a check that reads bytes and compares.
    let sample: @Sendable (inout RandomRecords) throws -> Sample

    struct Sample {
        let bytes: [UInt8]
        let isReadBack: ([UInt8]) throws(RowProblem) -> Bool

        /// The record before its checksum.
        var body: [UInt8] { bytes.dropLast(RowChecksum.byteCount) }

        /// A row with a good checksum, of whatever bytes.
        static func sealed(_ body: some Sequence<UInt8>) -> [UInt8] {
            var writer = ByteWriter()
            writer.put(bytes: body)
            return writer.sealed()
        }
    }

    static let all: [Codec] = [
        Codec { try $0.request() },
        Codec { $0.identifier() },
        Codec { try $0.regionRecord() },
        Codec { $0.regionState() },
        Codec { $0.locationAccess() },
        Codec { $0.sensors() },
        Codec { $0.sensorWork() },
        Codec { $0.webPushes() },
        Codec { try $0.openCommand() },
        Codec { $0.delivered() },
        Codec { $0.events() },
        Codec { try $0.callback() },
        Codec { $0.endedCallback() },
        Codec { $0.serviceArrival() },
        Codec { $0.extensionQuestion() },
        Codec { $0.prompt() },
        Codec { try $0.registration() },
        Codec { $0.backgroundPush() },
        Codec { $0.backgroundWork() },
        Codec { $0.pushReceipt() },
        Codec { $0.tagPush() },
        Codec { $0.tagPushOutcome() },
        Codec { $0.pushOwner() },
        Codec { $0.richPush() },
        Codec { $0.deviceToken() },
        Codec { $0.app() },
        Codec { $0.attachment() },
        Codec { $0.attachmentUse() },
        Codec { RichInboxRecord(readAt: $0.maybe { WallInstant(nanoseconds: $0.number()) }) },
        Codec { EndedNumbersRecord(greatest: $0.choice([0, 1, 1 << 62])) },
        Codec { random in
            var record = AccountRecord()
            record.registrant = random.choice(["", "user 7"])
            record.byteCount = random.choice([0, 1, 1 << 40])
            return record
        },
        Codec { random in
            var record = RegistrantRecord()
            record.apps = Int(random.number() as Int64)
            record.fileBytes = Int(random.number() as Int64)
            record.storeBytes = Int(random.number() as Int64)
            record.keyBytes = Int(random.number() as Int64)
            record.keyFloorMilliseconds = random.number()
            return record
        },
        Codec { random in
            SoundRecord(
                attachment: AttachmentIdentifier(bytes: (0..<16).map { _ in random.number() })
            )
        },
        Codec { random in
            var record = AttachmentOwnerRecord()
            record.count = random.number()
            record.byteCount = random.number()
            return record
        },
        Codec { $0.state() },
        Codec { random in
            DeviceRecord(
                random.choice([DeviceState(), DeviceTests.full]),
                focusChange: random.maybe { WallInstant(nanoseconds: $0.number()) }
            )
        },
        Codec { $0.snoozed() },
        Codec { $0.unlockWait() },
        Codec { random in
            var row = ReleasedRow()
            for _ in 0..<random.choice([1, 3, 9]) { row.insert(random.number()) }
            return row
        },
        Codec("CenterRecord") { random in
            let center = try random.center()
            return Sample(bytes: CenterRecord(center).bytes) { bytes throws(RowProblem) in
                try CenterRecord(bytes).center == center
            }
        },
        Codec("CategoryRecord") { random in
            let category = random.category()
            let written = CategoryRecord(category).bytes
            return Sample(bytes: written) { bytes throws(RowProblem) in
                let read = try CategoryRecord(bytes).category(category.identifier)
                return read == category && CategoryRecord(read).bytes == written
            }
        },
        Codec("StringTableRecord") { random in
            let strings = random.strings()
            let written = StringTableRecord(strings).bytes
            return Sample(bytes: written) { bytes throws(RowProblem) in
                let read = try StringTableRecord.strings(bytes)
                let keys = read.map { ExactText(String(decoding: $0.key, as: UTF8.self)) }
                let known = Dictionary(zip(keys, read.map(\.1))) { first, _ in first }
                return known == strings && StringTableRecord(known).bytes == written
            }
        },
    ]

    init(
        _ name: String,
        sample: @escaping @Sendable (inout RandomRecords) throws -> Sample
    ) {
        testDescription = name
        self.sample = sample
    }

    /// The codec of a type, whose random records `make` makes.
    ///
    /// The bytes are compared too, since equality of strings does not compare theirs.
    init<Row: TableRow & Equatable & SendableMetatype>(
        _ make: @escaping @Sendable (inout RandomRecords) throws -> Row
    ) {
        self.init("\(Row.self)") { random in
            let record = try make(&random)
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try Row(bytes)
                return read == record && read.bytes == record.bytes
            }
        }
    }
}

@Suite("Persisted records")
struct RecordTests {
    private let generator = SeededGenerator()

    private var hint: Comment { "SEED=\(generator.seed)" }

    private func samples(_ codec: Codec, _ count: Int) throws -> [Codec.Sample] {
        var random = RandomRecords(generator: generator)
        return try (0..<count).map { _ in try codec.sample(&random) }
    }

    @Test("What is written is read back", arguments: Codec.all)
    func roundTrip(codec: Codec) throws {
        for sample in try samples(codec, 500) {
            #expect(try sample.isReadBack(sample.bytes), hint)
        }
    }

    @Test("The head of a request's record is that of the whole request")
    func head() throws {
        var random = RandomRecords(generator: generator)
        for _ in 0..<500 {
            let record = try random.request()
            let head = try RequestRecord.Head(record.bytes)
            let (read, whole) = (head.request, record.request.head)
            #expect(read.identifier.isExactly(whole.identifier), hint)
            #expect(read.trigger == whole.trigger, hint)
            #expect(read.replacementKey.isExactly(whole.replacementKey), hint)
            #expect(read.expiresAfterNanoseconds == whole.expiresAfterNanoseconds, hint)
            #expect(read.content == whole.content, hint)
            #expect(read.byteCount == record.request.byteCount, hint)
            #expect(head.center == record.center && head.base == record.base, hint)
            #expect(head.lastEvent == record.lastEvent, hint)
        }
    }

    @Test("A record without its checksum is corrupt", arguments: Codec.all)
    func unsealed(codec: Codec) throws {
        for sample in try samples(codec, 50) { expectDamage(sample.body, in: sample) }
    }

    @Test("A record with a bit that flipped, whichever it is, is told", arguments: Codec.all)
    func flippedBits(codec: Codec) throws {
        for sample in try samples(codec, 1) {
            for bit in some(of: 0..<sample.bytes.count * 8) {
                var bytes = sample.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                expectDamage(bytes, in: sample)
            }
        }
    }

    @Test("A record that ends early, at whatever length, is corrupt", arguments: Codec.all)
    func truncated(codec: Codec) throws {
        for sample in try samples(codec, 2) {
            for count in some(of: sample.bytes.indices) {
                expectDamage(Array(sample.bytes.prefix(count)), in: sample)
            }
            for count in some(of: sample.body.indices) {
                expectDamage(Codec.Sample.sealed(sample.body.prefix(count)), in: sample)
            }
        }
    }

    @Test("A record that does not end is corrupt", arguments: Codec.all)
    func tooLong(codec: Codec) throws {
        for sample in try samples(codec, 50) {
            expectDamage(sample.bytes + [0], in: sample)
            expectDamage(Codec.Sample.sealed(sample.body + [0]), in: sample)
        }
    }

    /// All places of a short record, or some of a long one: other ones in each run.
    private func some(of places: Range<Int>) -> ArraySlice<Int> {
        var generator = generator
        return places.shuffled(using: &generator).prefix(300)
    }

    /// Expects that `bytes` are told as a damaged row.
    ///
    /// `#expect` keeps its values, and this is asked tens of thousands of times: only failures are
    /// recorded.
    private func expectDamage(_ bytes: [UInt8], in sample: Codec.Sample) {
        do throws(RowProblem) {
            _ = try sample.isReadBack(bytes)
            Issue.record("damaged bytes are read: \(bytes) \(hint)")
        } catch {
            // It throws that a row is damaged, and nothing else.
        }
    }

    @Test("A record of another version is corrupt", arguments: Codec.all)
    func otherVersion(codec: Codec) throws {
        for sample in try samples(codec, 5) {
            for version in [0, 2, 127, 0x81] as [UInt8] {
                let bytes = Codec.Sample.sealed([version] + sample.body.dropFirst())
                #expect(throws: RowProblem.undecodable, hint) { try sample.isReadBack(bytes) }
            }
        }
    }

    @Test("Whatever bytes are read, it is a record or an error, and never a crash")
    func damaged() async {
        let seed = generator.seed
        await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
            var random = RandomRecords(generator: SeededGenerator(seed: seed))
            print("SEED=\(seed)")
            for codec in Codec.all {
                for _ in 0..<300 {
                    let sample = try codec.sample(&random)
                    // Leave the checksum out, which would keep most of the damage from the reader
                    // of the record.
                    var bytes = sample.body
                    for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
                        let index = Int.random(in: bytes.indices, using: &random.generator)
                        bytes[index] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.number()])
                    }
                    _ = try? sample.isReadBack(Codec.Sample.sealed(bytes))
                }
            }
        }
    }

    @Test("A count or a length that no integer holds is corrupt")
    func hugeCounts() throws {
        let center = CenterState(name: .local("x"))
        var bytes = Array(CenterRecord(center).bytes.dropLast(RowChecksum.byteCount))
        // After the version, two names with their lengths, and the badge.
        let offset = 1 + 2 + 6 + 4
        #expect(Array(bytes[offset..<offset + 2]) == [0, 0])
        bytes.replaceSubrange(offset..<offset + 1, with: Array(repeating: 0xFF, count: 9) + [1])
        #expect(throws: RowProblem.undecodable) {
            _ = try CenterRecord(Codec.Sample.sealed(bytes))
        }
    }

    @Test("Varints take one byte up to 127, at most ten, and no eleventh")
    func varints() throws {
        for (value, count) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3)]
            + [(UInt64.max, 10)]
        {
            var writer = ByteWriter()
            writer.putVarint(value)
            #expect(writer.bytes.count == count)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.varint() == value)
        }
        var endless = ByteReader(Array(repeating: 0x80, count: 11))
        #expect(throws: RowProblem.undecodable) { _ = try endless.varint() }
    }
}
