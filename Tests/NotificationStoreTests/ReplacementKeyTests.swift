internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("ADD-12: Replacement keys")
struct ReplacementKeyTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore()
        try await test.authorize()
    }

    private func request(
        _ identifier: String,
        key: String = "",
        in interval: Duration? = nil
    ) throws -> NotificationRequest {
        var request = try NotificationRequest.titled(identifier, in: interval)
        request.replacementKey = key
        return request
    }

    private func listed() async throws -> [String] {
        try await test.delivered().map(\.request.identifier).sorted()
    }

    private func removals() async throws -> [String] {
        try await test.events().compactMap { event in
            guard case .removed(let removed) = event.kind, removed.reason == .replaced else {
                return nil
            }
            return removed.identifier
        }
    }

    /// The deliveries one after another, as `identifier/key`, and the list after them.
    struct Row: Sendable, CustomTestStringConvertible {
        let added: [String]
        let listed: [String]
        let removed: [String]
        var testDescription: String { added.joined(separator: ", ") }

        init(_ added: [String], _ listed: [String], removed: [String] = []) {
            self.added = added
            self.listed = listed
            self.removed = removed
        }
    }

    @Test(
        "A delivery replaces what has its key",
        arguments: [
            Row(["a/k", "b/k", "c/k"], ["c"], removed: ["a", "b"]),
            Row(["a/k", "b/j"], ["a", "b"]),
            Row(["a", "b/a"], ["b"], removed: ["a"]),
            Row(["b/a", "a"], ["a"], removed: ["b"]),
            Row(["b/a", "a/x", "a"], ["a"], removed: ["b"]),
            Row(["a/k", "a/j", "b/k"], ["a", "b"]),
            Row(["a/k", "x/j", "a/j", "b/k"], ["a", "b"], removed: ["x"]),
            Row(["a/a", "b/a"], ["b"], removed: ["a"]),
            Row(["a/x", "b/a"], ["a", "b"]),
            Row(["a/é", "b/e\u{301}"], ["a", "b"]),
        ]
    )
    func replaces(row: Row) async throws {
        for entry in row.added {
            let parts = entry.split(separator: "/")
            try await test.add(
                request(String(parts[0]), key: parts.count > 1 ? String(parts[1]) : "")
            )
        }
        #expect(try await listed() == row.listed)
        #expect(try await removals() == row.removed)
        #expect(try test.state().deliveredCount == row.listed.count)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Several scheduled requests succeed one another; what is pending stays")
    func scheduled() async throws {
        for number in 1...3 {
            try await test.add(
                request("step \(number)", key: "progress", in: .seconds(number * 60))
            )
        }
        try await test.advance(by: .seconds(60))
        #expect(try await listed() == ["step 1"])
        #expect(try await test.pending().count == 2)
        try test.reopen()
        try await test.advance(by: .seconds(60))
        #expect(try await listed() == ["step 2"])
        try await test.removeDelivered(["step 2"])
        try await test.advance(by: .seconds(60))
        #expect(try await listed() == ["step 3"])
        #expect(try await removals() == ["step 1"])
        #expect(try await test.removeAllDelivered() == 1)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("An occurrence that waits for the app's answer is withdrawn for one with its key")
    func arriving() async throws {
        let app = try test.subscribe(
            as: DelegateRole(capabilities: [.willPresent]),
            .foreground,
            named: "app"
        )
        defer { app.feed.cancel() }
        try await test.add(request("a", key: "k"))
        try await test.add(request("b", key: "k"))
        #expect(try test.state().arrivingCount == 1)
        try await test.advance(by: .seconds(10), passesCallbacks: true)
        #expect(try await listed() == ["b"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A banner without an entry goes as well")
    func banner() async throws {
        var settings = SettingsChange()
        settings.notificationCenter = false
        _ = try await test.result { [settings] in
            $0.updateSettings(settings, of: test.center, completion: $1)
        }.get()
        try await test.add(request("a", key: "k"))
        try await test.add(request("other"))
        try await test.add(request("b", key: "k"))
        await #expect(throws: Refusal.notificationNotFound) {
            try await test.respond(.open, to: test.reference("a", 1))
        }
        for (identifier, delivery) in [("other", 2), ("b", 3)] as [(String, DeliveryNumber)] {
            try await test.respond(.open, to: test.reference(identifier, delivery))
        }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A snoozed notification does not come back once another one has its key")
    func snoozed() async throws {
        for (key, listed) in [("k", ["b"]), ("j", ["a", "b"])] {
            let store = try TestStore()
            try await store.authorize()
            try await store.add(request("a", key: "k"))
            _ = try await store.result {
                $0.snooze(
                    store.reference("a", 1),
                    until: .after(nanoseconds: 60 * .nanosecondsPerSecond),
                    completion: $1
                )
            }.get()
            try await store.add(request("b", key: key))
            try await store.advance(by: .seconds(60))
            #expect(try await store.delivered().map(\.request.identifier).sorted() == listed)
            store.close()
            #expect(try StoreAudit.problems(in: store.directory.path) == [])
        }
    }

    @Test(
        "An app leaves with all its keys, however many there are",
        .timeLimit(.minutes(2)),
        arguments: [false, true]
    )
    func leaves(snoozed: Bool) async throws {
        try test.reopen { $0.limits.snoozedPerCenter = 600 }
        for start in stride(from: 0, to: 600, by: 300) {
            try await test.addAll(
                (start..<start + 300).map { number in
                    // The keys are all before the identifiers.
                    try request("z\(number)", key: "k\(number)")
                }
            )
        }
        if snoozed {
            for notification in try await test.delivered() {
                _ = try await test.result {
                    $0.snooze(
                        test.reference(
                            notification.request.identifier,
                            notification.delivery
                        ),
                        until: .after(nanoseconds: 60 * .nanosecondsPerSecond),
                        completion: $1
                    )
                }.get()
            }
            #expect(try test.state().snoozedCount == 600)
        }
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        await test.settle()
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A due request replaces the delivery that has its identifier as key, whatever is known")
    func dueIdentifier() async throws {
        // The list is known from here on, since the look at what is too old found it empty.
        try await test.advance(by: .seconds(8 * 24 * 3_600))
        try await test.add(request("k", in: .seconds(60)))
        try await test.add(request("m", key: "k"))
        // So many that batches do not keep all.
        let others = try (0..<300).map { number in
            Result<NotificationRequest, Refusal>.success(
                try request("\(number)", in: .seconds(3_600))
            )
        }
        for result in try await test.addBatch(others) { _ = try result.get() }
        try await test.advance(by: .seconds(60))
        #expect(try await listed() == ["k"])
        #expect(try await removals() == ["m"])
    }
}
