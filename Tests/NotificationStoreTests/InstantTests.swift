internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Requests for a plain instant.
///
/// The clock starts at new year's midnight.
@Suite("A plain instant in the store (CAL-17)", .timeLimit(.minutes(2)))
struct InstantTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore()
        try await test.authorize()
    }

    private func request(_ identifier: String, seconds: Int) throws -> NotificationRequest {
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .at(.newYear + .seconds(seconds))
        return request
    }

    /// The outcome of each request, in order.
    private func story() async throws -> [String] {
        try await test.events().compactMap { event in
            switch event.kind {
            case .delivered(let delivered): delivered.notification.request.identifier
            case .missed(let fired): fired.request.identifier + " missed"
            case .expired(let identifier): identifier + " expired"
            default: nil
            }
        }
    }

    @Test("One that has passed is refused as a date that never comes, and changes nothing")
    func past() async throws {
        try await test.add(request("a", seconds: 60))
        for seconds in [0, -1] {
            let given = try request("a", seconds: seconds)
            guard case .failure(let refusal)? = try await test.addBatch([.success(given)]).first
            else {
                Issue.record("\(seconds) s after now was added")
                continue
            }
            #expect(refusal.reason == .notificationInvalidNoDate)
            #expect(refusal.fields.first?.path.steps.suffix(2) == [.field(.trigger), .field(.at)])
        }
        #expect(try await test.pending { _ in }.map(\.nextFire) == [.newYear + .seconds(60)])
    }

    @Test("It fires at its instant, through a restart, whatever the zone is")
    func fires() async throws {
        try await test.add(request("a", seconds: 3_600))
        try await test.updateDevice { $0.timeZone = "Asia/Tokyo" }
        try test.reopen()
        try await test.advance(by: .seconds(3_599))
        #expect(try await story() == [])
        try await test.advance(by: .seconds(1))
        #expect(try await story() == ["a"])
        #expect(try test.state().pendingCount == 0)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A clock that is set moves no instant; one that is long past is missed")
    func clock() async throws {
        try await test.add(request("late", seconds: 2 * 86_400))
        try await test.add(request("old", seconds: 86_400 - 1))
        try await test.add(request("later", seconds: 4 * 86_400))
        _ = try await test.setClock(to: .newYear + .seconds(-86_400))
        #expect(try await story() == [])
        _ = try await test.setClock(to: .newYear + .seconds(2 * 86_400))
        #expect(try await story() == ["old missed", "late"])
        #expect(
            try await test.pending { _ in }.map(\.nextFire) == [.newYear + .seconds(4 * 86_400)]
        )
    }

    @Test("To skip it ends the request")
    func skipped() async throws {
        try await test.add(request("a", seconds: 60))
        let reply = try await test.result {
            $0.skipNext("a", of: test.center, completion: $1)
        }.get()
        #expect(reply.skipped == .newYear + .seconds(60))
        #expect(reply.nextFire == nil)
        #expect(try await story() == ["a expired"])
    }
}
