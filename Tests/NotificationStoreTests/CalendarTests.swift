internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Requests that wait for a date, on the wall due index.
///
/// The clock starts at new year's midnight.
@Suite("Dates (TM-2, §7.3)")
struct CalendarTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore()
        try await test.authorize()
    }

    private func request(
        _ identifier: String,
        hour: Int,
        zone: String = "",
        repeats: Bool = false,
        _ change: (inout CalendarComponents) -> Void = { _ in }
    ) throws -> NotificationRequest {
        var components = CalendarComponents()
        components.hour = hour
        components.timeZone = zone
        change(&components)
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .calendar(
            try CalendarTrigger(dateComponents: components, repeats: repeats)
        )
        return request
    }

    private func nextFires() async throws -> [String: WallInstant] {
        Dictionary(
            uniqueKeysWithValues: try await test.pending { _ in }.compactMap { pending in
                pending.nextFire.map { (pending.request.identifier, $0) }
            }
        )
    }

    private func deliveries() async throws -> [(identifier: String, date: WallInstant)] {
        try await test.events().compactMap { event in
            guard case .delivered(let delivered) = event.kind else { return nil }
            return (delivered.notification.request.identifier, event.date)
        }
    }

    @Test("A date fires at its instant, once, or each day")
    func fires() async throws {
        let once = try await test.add(request("once", hour: 8))
        #expect(once.state == .pending(nextFire: .newYear + .seconds(8 * 3600)))
        try await test.add(request("daily", hour: 9, repeats: true))
        try await test.advance(by: .seconds(8 * 3600) - .nanoseconds(1))
        #expect(try await deliveries().isEmpty)
        try await test.advance(by: .nanoseconds(1))
        #expect(try await deliveries().map(\.identifier) == ["once"])
        try await test.advance(by: .seconds(48 * 3600))
        let daily = try await deliveries().dropFirst()
        #expect(daily.map(\.date) == [9, 33].map { .newYear + .seconds($0 * 3600) })
        #expect(try await nextFires() == ["daily": .newYear + .seconds(57 * 3600)])
    }

    @Test("CAL-1: A zone of its own counts; by date the list mixes both clocks")
    func zones() async throws {
        try await test.add(request("tokyo", hour: 9, zone: "Asia/Tokyo"))
        try await test.add(request("here", hour: 9))
        try await test.add(.titled("soon", in: .seconds(3 * 3600)))
        let listed = try await test.pending { query in
            query.order = .nextFireDate
            query.pageSize = 1
        }
        #expect(listed.map(\.request.identifier) == ["soon", "here", "tokyo"])
        #expect(listed.map(\.nextFire) == [3, 9, 24].map { .newYear + .seconds($0 * 3600) })
    }

    @Test("D-8: A forward set is down time: late within a day, else missed; repeats collapse")
    func setForward() async throws {
        try await test.add(request("one", hour: 8))
        try await test.add(request("old", hour: 1))
        try await test.add(request("daily", hour: 9, repeats: true))
        try await test.setClock(to: .newYear + .seconds(32 * 3600))
        await test.settle()
        let kinds = try await test.events(after: 1).map(\.kind)
        var delivered: [String: Event.Delivered] = [:]
        var missed: [String] = []
        for kind in kinds {
            switch kind {
            case .delivered(let event): delivered[event.notification.request.identifier] = event
            case .missed(let fired): missed.append(fired.request.identifier)
            default: Issue.record("\(kind)")
            }
        }
        #expect(missed == ["old"])
        #expect(delivered["one"]?.lateByNanoseconds == Int64(86_400_000_000_000))
        #expect(delivered["daily"]?.lateByNanoseconds == Int64(82_800_000_000_000))
        #expect(delivered["daily"]?.collapsedCount == 0)
        #expect(try await nextFires() == ["daily": .newYear + .seconds(33 * 3600)])
    }

    @Test("A backward set of up to a day fires nothing again")
    func setBackward() async throws {
        try await test.add(request("daily", hour: 8, repeats: true))
        try await test.advance(by: .seconds(9 * 3600))
        #expect(try await deliveries().count == 1)
        try await test.setClock(to: .newYear + .seconds(7 * 3600))
        try await test.advance(by: .seconds(20 * 3600))
        #expect(try await deliveries().count == 1)
        try await test.advance(by: .seconds(6 * 3600))
        #expect(try await deliveries().count == 2)
    }

    @Test("A clock is set back where it shows less than when dates were looked for")
    func isSetBack() {
        let start = WallInstant.newYear
        let state = StoreState(
            now: Now(elapsed: .init(nanoseconds: 100), wall: start),
            bootNanoseconds: 0,
            bootIdentifier: "",
            localZone: "UTC"
        )
        for (elapsed, wall, isSetBack) in [
            (100, start, false), (100, start + .nanoseconds(-1), true),
            (100 + 86_400_000_000_000, start, false), (100, start + .seconds(9), false),
            (100, WallInstant(nanoseconds: 0), false),
        ] as [(Int64, WallInstant, Bool)] {
            let now = Now(elapsed: .init(nanoseconds: elapsed), wall: wall)
            #expect(state.isSetBack(at: now) == isSetBack, "\(elapsed) \(wall)")
        }
    }

    @Test("A backward set of more than a day computes every date again, also across a restart")
    func wrongClock() async throws {
        let test = try TestStore { $0.limits.rowsPerBatch = 2 }
        try await test.authorize()
        try await test.setClock(to: .newYear + .seconds(400 * 86_400))
        for number in 0..<30 {
            try await test.add(request("daily \(number)", hour: 8, repeats: true))
        }
        try await test.setClock(to: .newYear + .seconds(3600))
        try test.reopen()
        for _ in 0..<20 { await test.settle() }
        let dates = Set(try await test.pending { _ in }.map(\.nextFire))
        #expect(dates == [.newYear + .seconds(8 * 3600)])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("CAL-2: A date without a zone follows its device's; one with a zone does not")
    func deviceZone() async throws {
        try await test.add(request("floating", hour: 8))
        try await test.add(request("rome", hour: 8, zone: "Europe/Rome"))
        let rome = WallInstant.newYear + .seconds(7 * 3600)
        #expect(
            try await nextFires() == ["floating": .newYear + .seconds(8 * 3600), "rome": rome]
        )
        try await test.updateDevice { $0.timeZone = "America/New_York" }
        await test.settle()
        #expect(
            try await nextFires() == ["floating": .newYear + .seconds(13 * 3600), "rome": rome]
        )
        let late = try await test.add(request("late", hour: 9))
        #expect(late.state == .pending(nextFire: .newYear + .seconds(14 * 3600)))
    }

    @Test("A changed zone database computes every date again at the start")
    func zoneDatabase() async throws {
        try await test.add(request("rome", hour: 8, zone: "Europe/Rome"))
        #expect(try await nextFires() == ["rome": .newYear + .seconds(7 * 3600)])
        let zones = try ScratchDirectory()
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: zones.path + "/Europe",
            withIntermediateDirectories: false
        )
        try manager.copyItem(
            atPath: "/usr/share/zoneinfo/Asia/Tokyo",
            toPath: zones.path + "/Europe/Rome"
        )
        try test.reopen { $0.zoneDirectory = zones.path }
        await test.settle()
        #expect(try await nextFires() == ["rome": .newYear + .seconds(23 * 3600)])
        try test.reopen()
        await test.settle()
        #expect(try await nextFires() == ["rome": .newYear + .seconds(23 * 3600)])
    }

    @Test("CAL-10: A repeating date with a year ends with that year, and says so")
    func expired() async throws {
        try await test.add(
            request("party", hour: 20, repeats: true) {
                $0.year = 2026
                $0.month = 1
                $0.day = 2
            }
        )
        try await test.advance(by: .seconds(3 * 86_400))
        let kinds = try await test.events(after: 1).map(\.kind)
        #expect(kinds.count == 2)
        #expect(kinds.last == .expired(identifier: "party"))
        #expect(try test.state().pendingCount == 0)
        try await test.removeDelivered(["party"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Removing and replacing take a date out of every index")
    func removal() async throws {
        try await test.add(request("a", hour: 8))
        try await test.add(request("a", hour: 9, zone: "Asia/Tokyo"))
        try await test.add(request("b", hour: 8))
        #expect(try await test.removePending(["b"]) == ["b"])
        try await test.add(.titled("a", in: .seconds(60)))
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
