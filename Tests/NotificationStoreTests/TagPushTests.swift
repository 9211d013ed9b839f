internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Pushes to many devices (§23.2)", .timeLimit(.minutes(2)))
struct TagPushTests {
    private let test: TestStore
    private let app = "org.example.app"

    init() throws {
        test = try TestStore()
    }

    /// Registers devices `name` followed by a number, with tags.
    private func register(_ name: String, _ count: Int, tags: [String]) async throws {
        for number in 0..<count {
            let center = try CenterName(app: app, device: "\(name)\(number)")
            try await test.authorize(for: center)
            let token = try await test.registerForPushes(of: center)
            _ = try await test.result {
                $0.setTags(tags, ofToken: token.text, of: app, completion: $1)
            }.get()
        }
    }

    private func push(
        to expression: String,
        at date: WallInstant? = nil,
        key: String = "019b76da-a800-7000-8000-000000000001"
    ) async throws -> Result<TagPushNumber, Refusal> {
        let push = TagPush(
            app: app,
            expression: try TagExpression(expression),
            content: .alert("hello"),
            deliverAt: date
        )
        let once = try OnceKey(key, method: "PushToTags", request: Array(expression.utf8))
        return await test.result { $0.pushToTags(push, once: once, completion: $1) }
    }

    /// Waits until a push has ended, and gives its outcomes.
    private func outcomes(of push: TagPushNumber) async throws -> [TagPushOutcome] {
        while try test.store.pushStatus(push, of: app).endedAt == nil { await test.settle() }
        return try told(of: push)
    }

    private func told(of push: TagPushNumber) throws -> [TagPushOutcome] {
        var outcomes: [TagPushOutcome] = []
        while let part = try test.store.reader.outcomes(
            of: push,
            of: app,
            after: outcomes.last?.number ?? 0
        ), !part.outcomes.isEmpty {
            outcomes += part.outcomes
        }
        return outcomes
    }

    private func checkAndClose() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test(
        "A push reaches the devices that the expression is right for, by the index or by all",
        arguments: [
            ("news", ["n0", "n1", "x0"]),
            ("!news", ["o0", "o1"]),
            ("", ["n0", "n1", "o0", "o1", "x0"]),
            ("news && sport", ["x0"]),
            ("news || other", ["n0", "n1", "o0", "o1", "x0"]),
            ("$InstallationId:{o1} || sport", ["o1", "x0"]),
            ("$InstallationId:{nobody}", []),
            ("unknown", []),
        ] as [(String, [String])]
    )
    func audience(expression: String, devices: [String]) async throws {
        try await register("n", 2, tags: ["news"])
        try await register("o", 2, tags: ["other"])
        try await register("x", 1, tags: ["news", "sport"])
        let found = try await outcomes(of: try await push(to: expression).get())
        #expect(found.map(\.center.device) == devices)
        #expect(found.map(\.number) == Array((1...5).prefix(devices.count)))
        #expect(found.allSatisfy { $0.outcome == .delivered })
        let listed = try await test.result {
            $0.listRegistrations(
                of: app,
                fitting: (try? TagExpression(expression)) ?? .everything,
                pageSize: 100,
                token: nil,
                completion: $1
            )
        }.get()
        #expect(listed.entries.map(\.center.device) == devices)
        try checkAndClose()
    }

    @Test("After crashes at any instant each device was pushed to exactly once (AZ-9)")
    func crashes() async throws {
        try await register("d", 600, tags: ["all"])
        let number = try await push(to: "all").get()
        for _ in 0..<3 {
            try test.crash()
            // A retry is told the same push, and pushes nothing more.
            #expect(try await push(to: "all").get() == number)
        }
        let found = try await outcomes(of: number)
        #expect(found.map(\.number) == Array(1...600))
        #expect(Set(found.map { "\($0.center.device)" }).count == 600)
        for device in ["d0", "d599"] {
            let center = try CenterName(app: app, device: device)
            #expect(try test.store.center(center).lastDelivery == 1)
        }
        #expect(try test.store.pushStatus(number, of: app).deviceCount == 600)
        try checkAndClose()
    }

    @Test("A device that registers after the push began is left out")
    func lateDevice() async throws {
        try await register("a", 1, tags: ["all"])
        let date = WallInstant.newYear.advanced(byNanoseconds: 3_600_000_000_000)
        let number = try await push(to: "all", at: date).get()
        #expect(try test.store.pushStatus(number, of: app).beganAt == nil)
        try await register("b", 1, tags: ["all"])
        try await test.advance(.to(date))
        let found = try await outcomes(of: number)
        // Registered before it began, though after it was taken.
        #expect(found.map(\.center.device) == ["a0", "b0"])
        #expect(try test.store.pushStatus(number, of: app).beganAt == date)
        try checkAndClose()
    }

    @Test("A push that is scheduled begins at its instant, also after a restart, unless cancelled")
    func scheduled() async throws {
        try await register("a", 1, tags: ["all"])
        let date = WallInstant.newYear.advanced(byNanoseconds: 3_600_000_000_000)
        let kept = try await push(to: "all", at: date).get()
        let cancelled = try await push(
            to: "all",
            at: date,
            key: "019b76da-a800-7000-8000-000000000002"
        ).get()
        let status = try await test.result {
            $0.cancelPush(cancelled, of: app, completion: $1)
        }.get()
        #expect(status.isCancelled && status.deviceCount == 0)
        try test.reopen()
        try await test.advance(.toNextDue)
        #expect(try await outcomes(of: kept).count == 1)
        #expect(try told(of: cancelled).isEmpty)
        // A push that has reached all stays as it is.
        let late = try await test.result { $0.cancelPush(kept, of: app, completion: $1) }.get()
        #expect(!late.isCancelled)
        let other = await test.result {
            $0.cancelPush(kept, of: "org.example.other", completion: $1)
        }
        #expect(other.reason == .pushNotFound)
        try checkAndClose()
    }

    @Test("What became of a push is kept for 7 days, then removed")
    func removal() async throws {
        try await register("d", 300, tags: ["all"])
        let number = try await push(to: "all").get()
        _ = try await outcomes(of: number)
        let week = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
        try await test.advance(.by(nanoseconds: week - 1))
        #expect(try told(of: number).count == 300)
        try await test.advance(.by(nanoseconds: 1))
        await test.settle()
        #expect(throws: Refusal.pushNotFound) { try test.store.pushStatus(number, of: app) }
        try checkAndClose()
    }

    @Test("An app has at most so many pushes that have not ended")
    func limit() async throws {
        try test.reopen { $0.limits.openTagPushesPerApp = 2 }
        let date = WallInstant.newYear.advanced(byNanoseconds: 1)
        var numbers: [TagPushNumber] = []
        for key in 1...2 {
            numbers.append(
                try await push(to: "", at: date, key: "019b76da-a800-7000-8000-00000000000\(key)")
                    .get()
            )
        }
        let third = "019b76da-a800-7000-8000-000000000003"
        #expect(try await push(to: "", at: date, key: third).reason == .pushLimit)
        _ = try await test.result {
            $0.cancelPush(numbers[0], of: app, completion: $1)
        }.get()
        #expect(try await push(to: "", at: date, key: third).reason == nil)
        try checkAndClose()
    }
}

extension Result where Failure == Refusal {
    fileprivate var reason: Reason? {
        if case .failure(let refusal) = self { return refusal.reason }
        return nil
    }
}

extension TagPushContent {
    /// A push that shows a title.
    static func alert(_ title: String) -> TagPushContent {
        TagPushContent(
            headers: PushHeaders(),
            payload: #"{"aps":{"alert":"\#(title)"}}"#
        )
    }
}
