internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationService
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Adding over the wire (§6, §7.1, §7.2)")
struct AddTests {
    let service: TestService

    init() throws { service = try TestService() }

    @Test("Without a trigger it is delivered, and numbered")
    func now() async throws {
        let center = try await service.authorizedCenter()
        let first = try await center.add("a")
        #expect(first.identifier == "a")
        #expect(first.state == .delivered)
        #expect(first.delivery == 1)
        #expect(!first.hasNextTriggerDate)
        #expect(try await center.add("b").delivery == 2)
    }

    @Test("With an interval it is pending, until the clock is there")
    func later() async throws {
        let center = try await service.authorizedCenter()
        let added = try await center.add("a", in: .milliseconds(1_500))
        #expect(added.state == .pending)
        #expect(!added.hasDelivery)
        let due = Google_Protobuf_Timestamp(seconds: 1_767_225_601, nanos: 500_000_000)
        #expect(added.nextTriggerDate == due)
        let pending = try #require(try await center.listPending().requests.first)
        #expect(pending.request == .titled("a", in: .milliseconds(1_500)))
        #expect(pending.nextTriggerDate == due)
        #expect(pending.addedAt.seconds == 1_767_225_600)

        try await service.advance(by: .milliseconds(1_499))
        #expect(try await center.listDelivered().notifications.isEmpty)
        try await service.advance(by: .milliseconds(1))
        let delivered = try #require(try await center.listDelivered().notifications.first)
        #expect(delivered.request == pending.request)
        #expect(delivered.date == due)
        #expect(delivered.delivery == 1)
        #expect(try await center.listPending().requests.isEmpty)
    }

    @Test("A batch has a result for each request in order, and a refused one undoes no other")
    func batch() async throws {
        let center = try await service.authorizedCenter()
        try await center.add("kept", in: .seconds(60))
        let results = try await center.addBatch([
            .titled("now"), .titled("later", in: .seconds(5)), .titled("bad", in: .zero),
            .titled("kept", in: .seconds(-1)), .titled(""), .titled("later", in: .seconds(9)),
        ])
        let added = results.map { try? $0.get() }
        #expect(added.map { $0?.identifier } == ["now", "later", nil, nil, nil, "later"])
        #expect(added.map { $0?.state } == [.delivered, .pending, nil, nil, nil, .pending])
        let fields = results.map { result in
            guard case .failure(let error) = result else { return [String]() }
            return error.fields.map(\.path)
        }
        let interval = "trigger.time_interval.interval"
        #expect(
            fields == [
                [], [], ["requests[2].\(interval)"], ["requests[3].\(interval)"],
                ["requests[4].content"], [],
            ]
        )
        let pending = try await center.listPending().requests
        #expect(pending.map(\.request.identifier) == ["kept", "later"])
        #expect(pending.map(\.nextTriggerDate.seconds) == [1_767_225_660, 1_767_225_609])
    }

    @Test("A batch of 1,000 is taken, in four transactions")
    func largeBatch() async throws {
        let center = try await service.authorizedCenter()
        let before = service.store.counts
        let results = try await center.addBatch(
            (0..<1_000).map { .titled("\($0)", in: .seconds(60)) }
        )
        #expect(results.allSatisfy { (try? $0.get())?.state == .pending })
        #expect(service.store.counts.adds - before.adds == 1_000)
        #expect(service.store.counts.batches - before.batches == 4)
    }

    @Test("Beyond the limit of pending requests a program is told the limit, and no time to retry")
    func pendingLimit() async throws {
        let service = try TestService { $0.limits.pendingPerCenter = 2 }
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        for identifier in ["a", "b"] { try await center.add(identifier, in: .seconds(5)) }
        let error = try await refusal { try await center.add("c", in: .seconds(5)) }
        Expected(.resourceExhausted, "PENDING_LIMIT").check(error)
        #expect(error.metadata == ["limit": "2"])
        #expect(error.retryDelay == nil)
        let results = try await center.addBatch([
            .titled("a", in: .seconds(9)), .titled("c", in: .seconds(9)), .titled("now"),
        ])
        let errors = results.map { result in
            if case .failure(let error) = result { error.reason } else { "" }
        }
        #expect(errors == ["", "PENDING_LIMIT", ""])
    }

    @Test("An app that was denied may add nothing")
    func denied() async throws {
        let service = try TestService(prompts: .deny)
        defer { service.stop() }
        let center = service.center()
        #expect(try await !center.requestAuthorization([.alert]).granted)
        let expected = Expected(.permissionDenied, "NOTIFICATIONS_NOT_ALLOWED", unCode: 1)
        expected.check(try await refusal { try await center.add("a") })
        expected.check(try await refusal { _ = try await center.setBadgeCount(1) })
        for result in try await center.addBatch([.titled("a"), .titled("b", in: .seconds(1))]) {
            guard case .failure(let error) = result else {
                Issue.record("it was added")
                continue
            }
            expected.check(error)
        }
    }

    @Test("The form is judged before the app")
    func order() async throws {
        let center = service.center()
        let error = try await refusal { try await center.add("a", in: .zero) }
        #expect(error.reason == "TIME_INTERVAL_INVALID")
        #expect(try await refusal { try await center.add("a") }.reason == "APP_NOT_REGISTERED")
        #expect(
            try await refusal { _ = try await center.addBatch([.titled("a", in: .zero)]) }.reason
                == "APP_NOT_REGISTERED"
        )
    }

    @Test("Removing tells what was there, and leaves the other list alone")
    func remove() async throws {
        let center = try await service.authorizedCenter()
        for identifier in ["a", "b", "c"] {
            try await center.add(identifier)
            try await center.add(identifier, in: .seconds(5))
        }
        #expect(try await center.removePending(["c", "x", "a", "c"]) == ["c", "a"])
        #expect(try await center.removePending([]) == [])
        #expect(try await center.removeDelivered(["b", "x"]) == ["b"])
        #expect(try await center.listPending().requests.map(\.request.identifier) == ["b"])
        let delivered = try await center.listDelivered().notifications
        #expect(delivered.map(\.request.identifier) == ["a", "c"])
        #expect(try await center.removeAllPending() == 1)
        #expect(try await center.removeAllDelivered() == 2)
        #expect(try await center.removeAllPending() == 0)
        #expect(try await center.removeAllDelivered() == 0)
    }
}
