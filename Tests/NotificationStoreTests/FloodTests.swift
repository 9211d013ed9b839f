internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What one caller can make a store keep (W-11)", .timeLimit(.minutes(5)))
struct FloodTests {
    private static let caller = Registrant(.token, "tea")
    /// The bytes that the caller may store.
    private static let limit = 96 << 10

    /// A way of a caller to make the store grow.
    enum Flood: CaseIterable {
        case refusedItems, categories, backgroundPushes, namedPushes, stringTables, tagPushes
        case devices, apps, tags, badges, answers, skippedDays, regions
    }

    @Test("One caller cannot store more than it may, whatever it calls", arguments: Flood.allCases)
    func floods(_ flood: Flood) async throws {
        let test = try TestStore {
            $0.limits.storeBytesPerCaller = Self.limit
            $0.limits.idempotencyBytes = Self.limit
        }
        try await test.authorize(by: Self.caller)
        let before = try rowBytes(test)
        var refused = 0
        for number in 0..<12_000 {
            if flood == .refusedItems, number == 4_000 { break }
            guard let refusal = try await act(flood, number, test) else { continue }
            #expect(refusal.reason == .storeBytesLimit)
            #expect(refusal.facts[.callerKind] == "token")
            refused += 1
            if refused == 8 { break }
        }
        // Storing under keys is not refused: the newest keys are kept.
        #expect((refused == 8) == (flood != .refusedItems))
        let grown = try rowBytes(test) - before
        // A large command may be the last one; the bytes beside the rows are few.
        #expect(grown < Self.limit + 64 << 10, "\(grown) bytes")
        #expect(grown > Self.limit / 16, "the flood did nothing")
        if refused > 0 { #expect(test.store.conditions == [.callerAtLimit]) }
        // Others are not refused, and the caller may remove.
        try await test.authorize(for: .local("other"))
        _ = try await test.removeAllPending()
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    private func act(
        _ flood: Flood,
        _ number: Int,
        _ test: TestStore
    ) async throws -> Refusal? {
        let text = String(repeating: "x", count: 1_000)
        switch flood {
        case .refusedItems:
            let key = try key(number)
            let items = (0..<20).map { index -> Result<NotificationRequest, Refusal> in
                let refusal = Refusal.invalid([.content], text, reason: .contentTooLarge)
                return .failure(refusal.within(.element(index, of: .requests)))
            }
            return await refusal(test) {
                $0.addBatch(items, to: test.center, once: key, completion: $1)
            }
        case .categories:
            var category = NotificationCategory(identifier: "c\(number)")
            category.hiddenPreviewsBodyPlaceholder = String(text.prefix(200))
            return await refusal(test) {
                $0.upsertCategories([category], of: test.center, completion: $1)
            }
        case .backgroundPushes:
            let payload = #"{"aps":{"content-available":1},"x":"\#(text)"}"#
            let push = try Push(PushHeaders(), payload: payload, at: .newYear)
            let center = CenterName.local("b\(number / 16)")
            if number % 16 == 0, let refusal = await register(center, test) { return refusal }
            return await refusal(test) {
                $0.push(push, to: .center(center), as: .random(), completion: $1)
            }
        case .namedPushes:
            let push = try Push(PushHeaders(), payload: #"{"aps":{"badge":1}}"#, at: .newYear)
            let identifier = try #require(PushIdentifier(text: OnceKeyText.make(number)))
            return await refusal(test) {
                $0.push(push, to: .center(test.center), as: identifier, completion: $1)
            }
        case .stringTables:
            let table = StringTable(
                app: "org.example.app\(number)",
                language: "en",
                strings: [ExactText("k"): .text(text)]
            )
            return await refusal(test) {
                $0.setStringTable(table, completion: $1)
            }
        case .tagPushes:
            let push = TagPush(
                app: "org.example.app\(number)",
                expression: try TagExpression("a"),
                content: .alert(text),
                deliverAt: nil
            )
            let key = try OnceKey(
                OnceKeyText.make(number),
                method: "PushToTags",
                request: [],
                by: Self.caller
            )
            return await refusal(test) { $0.pushToTags(push, once: key, completion: $1) }
        case .devices:
            return await refusal(test) {
                $0.updateDeviceState(
                    of: "device\(number)",
                    { $0.isMuted = true },
                    completion: $1
                )
            }
        case .apps: return await register(.local("app\(number)"), test)
        case .tags:
            let center = CenterName.local("t\(number)")
            if let refusal = await register(center, test) { return refusal }
            let token = try await test.registerForPushes(of: center)
            let tags = (0..<8).map { "\($0)" + String(text.prefix(100)) }
            return await refusal(test) {
                $0.setTags(tags, ofToken: token.text, of: center.app, completion: $1)
            }
        case .badges, .answers, .skippedDays, .regions:
            return try await act(withinCenter: flood, number, test)
        }
    }

    /// Grows what stands beside the rows of the center, or in its requests.
    private func act(
        withinCenter flood: Flood,
        _ number: Int,
        _ test: TestStore
    ) async throws -> Refusal? {
        let text = String(repeating: "x", count: 1_000)
        switch flood {
        case .badges:
            return await refusal(test) {
                $0.setBadgeCount(Int64(number + 1), of: test.center, completion: $1)
            }
        case .answers:
            let request = try NotificationRequest.titled("a\(number)") {
                $0.actions = [
                    NotificationAction(identifier: "a", title: "A", textInput: ActionTextInput())
                ]
            }
            // The owner delivers what the caller answers.
            guard case .delivered(let delivery) = try await test.add(request).state else {
                return nil
            }
            let target = test.reference(request.identifier, delivery)
            return await refusal(test) {
                $0.respond(
                    .action(identifier: "a", text: text + text + text),
                    to: .notification(target),
                    completion: $1
                )
            }
        case .skippedDays:
            let days = (1...28).compactMap { CivilDate(year: 2_030, month: 5, day: $0) }
            var components = CalendarComponents()
            components.hour = 8
            var request = try NotificationRequest.titled("s\(number)")
            request.trigger = .calendar(
                try CalendarTrigger(
                    dateComponents: components,
                    repeats: true,
                    limits: try RecurrenceLimits(skippedDays: days, repeats: true)
                )
            )
            return await refusal(test) { [request] in
                $0.add(request, to: test.center, completion: $1)
            }
        case .regions:
            if number == 0 { try await test.allowLocation() }
            let name = String(text.prefix(200)) + "\(number)"
            let request = try NotificationRequest.titled(
                "r\(number)",
                at: .circle(name, 38.7, -9.1, radius: 200)
            )
            return await refusal(test) { $0.add(request, to: test.center, completion: $1) }
        default: preconditionFailure("a flood of another kind")
        }
    }

    private func register(_ center: CenterName, _ test: TestStore) async -> Refusal? {
        await refusal(test) {
            $0.requestAuthorization(
                [.alert],
                for: center,
                answer: .grant,
                by: Self.caller,
                completion: $1
            )
        }
    }

    private func refusal<Reply: Sendable>(
        _ test: TestStore,
        of caller: Registrant? = Self.caller,
        _ call: (Store, @escaping Completion<Reply>) -> Void
    ) async -> Refusal? {
        let source = CommandSource(registrant: caller, connection: 1, byteCount: 0)
        let result = await test.result { store, completion in
            CommandSource.$current.withValue(source) { call(store, completion) }
        }
        return switch result {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }

    private func key(_ number: Int) throws -> OnceKey {
        try OnceKey(OnceKeyText.make(number), method: "AddBatch", request: [], by: Self.caller)
    }

    private func rowBytes(_ test: TestStore) throws -> Int {
        var bytes = 0
        try test.store.environment.reading { transaction throws(StoreFailure) in
            for name in TableName.allCases {
                try transaction.scan(bytesOf: test.store.tables[name]) { key, value in
                    bytes += key.count + value.count
                    return true
                }
            }
        }
        return bytes
    }

    @Test("What an app stored under the owner's name counts for the first caller with a limit")
    func takenOver() async throws {
        let test = try TestStore { $0.limits.storeBytesPerCaller = 4_000 }
        func set(_ language: String, _ caller: Registrant?) async -> Refusal? {
            let text = String(repeating: "x", count: 1_500)
            let table = StringTable(
                app: "org.example.app",
                language: language,
                strings: [ExactText("k"): .text(text)]
            )
            return await refusal(test, of: caller) { $0.setStringTable(table, completion: $1) }
        }
        #expect(await set("en", nil) == nil)
        #expect(await set("de", Self.caller) == nil)
        #expect(await set("fr", Self.caller)?.reason == .storeBytesLimit)
        // A table that is as large as before is always allowed.
        #expect(await set("de", Self.caller) == nil)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}

/// The texts of version 7 UUIDs, in their order; all of one day.
enum OnceKeyText {
    static func make(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        let tail = String(repeating: "0", count: 12 - digits.count) + digits
        // From a quarter of an hour before 2026 on, a millisecond for each.
        let time = String(0x019b_76ca_a800 + number, radix: 16)
        let padded = String(repeating: "0", count: 12 - time.count) + time
        return "\(padded.prefix(8))-\(padded.suffix(4))-7000-8000-\(tail)"
    }
}
