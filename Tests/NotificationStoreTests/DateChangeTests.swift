internal import Foundation
internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Dates that a change moves while others are due.
///
/// The clock starts at new year's midnight. Batches are small, so that each change takes many of
/// them.
@Suite("Dates that a change moves (CAL-8, DT-5)", .timeLimit(.minutes(2)))
struct DateChangeTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore { $0.limits.rowsPerBatch = 8 }
        try await test.authorize()
    }

    private func hours(_ hours: Int) -> WallInstant { .newYear + .seconds(hours * 3600) }

    private func daily(_ identifier: String, zone: String = "") throws -> NotificationRequest {
        var components = CalendarComponents()
        components.hour = 8
        components.timeZone = zone
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .calendar(
            try CalendarTrigger(dateComponents: components, repeats: true)
        )
        return request
    }

    /// Sets the clock and changes the device, and gives how many had fired when each was answered.
    private func setClock(
        to instant: WallInstant,
        changing change: @escaping @Sendable (inout DeviceState) -> Void
    ) async throws -> [Int] {
        let (set, changed) = (Pending<Now>(), Pending<DeviceState>())
        let store = test.store
        await test.whileWriterRests {
            store.setClock(to: instant, completion: set.complete)
            store.updateDeviceState(of: "local", change, completion: changed.complete)
        }
        _ = try await set.value.get()
        let atSet = store.counts.fired
        _ = try await changed.value.get()
        return [atSet, store.counts.fired]
    }

    @Test("A zone that comes with the clock waits for what is due by the old one")
    func firesFirst() async throws {
        for part in 0..<4 {
            try await test.addAll((0..<50).map { try daily("\(part)/\($0)") })
            try await test.addAll((0..<50).map { try daily("x\(part)/\($0)", zone: "UTC") })
        }
        let fired = try await setClock(to: hours(9)) { $0.timeZone = "America/New_York" }
        #expect(fired.last == 400)
        let told = try await test.events().filter { event in
            if case .delivered = event.kind { true } else { false }
        }
        #expect(told.count == 400)
        let next = try await test.pending { $0.pageSize = 1_000 }
        for pending in next {
            let isFixed = pending.request.identifier.hasPrefix("x")
            // It is the eighth hour of the same day there: one more, and not one less.
            #expect(pending.nextFire == hours(isFixed ? 32 : 13))
        }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A change of one device looks at nothing of the others, and at no fixed zone")
    func touchesLittle() async throws {
        for part in 0..<4 {
            try await test.addAll((0..<50).map { try daily("\(part)/\($0)") })
            try await test.addAll((0..<50).map { try daily("x\(part)/\($0)", zone: "Asia/Tokyo") })
        }
        let other = CenterName.local("org.example.summary")
        try await test.authorize(for: other)
        let batches = test.store.counts.batches
        _ = try await test.result {
            $0.updateDeviceState(of: "other", { $0.timeZone = "Asia/Tokyo" }, completion: $1)
        }.get()
        #expect(test.store.counts.batches - batches <= 3)
        let beforeSummary = test.store.counts.batches
        try await test.updateDevice {
            $0.summary.isEnabled = true
            $0.summary.times = [480]
        }
        #expect(test.store.counts.batches - beforeSummary <= 3)
        let beforeZone = test.store.counts.batches
        try await test.updateDevice { $0.timeZone = "Asia/Tokyo" }
        // Half of the requests float, and a batch takes four rows while commands come.
        let count = test.store.counts.batches - beforeZone
        #expect(count >= 200 / 8 && count < 300 / 4)
    }

    @Test("Another zone database fires what is due by the old one, and then moves its zone alone")
    func zoneDatabase() async throws {
        try await test.add(daily("rome", zone: "Europe/Rome"))
        try await test.add(daily("paris", zone: "Europe/Paris"))
        try await test.add(daily("floating"))
        try await test.updateDevice { $0.timeZone = "Europe/Rome" }
        try await test.advance(by: .seconds(6 * 3600))
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            var state = try file.state()
            state.now = state.now.advanced(byNanoseconds: Duration.seconds(2 * 3600).nanoseconds)
            try file.set(state)
        }
        let zones = try ScratchDirectory()
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: zones.path + "/Europe",
            withIntermediateDirectories: false
        )
        for (name, from) in [("Rome", "Asia/Tokyo"), ("Paris", "Europe/Paris")] {
            try manager.copyItem(
                atPath: "/usr/share/zoneinfo/\(from)",
                toPath: zones.path + "/Europe/\(name)"
            )
        }
        try test.reopen { $0.zoneDirectory = zones.path }
        // This command waits behind the start's own work.
        try await test.advance(by: .zero)
        await test.settle()
        #expect(try await test.delivered().count == 3)
        let next = try await test.pending { _ in }.map { ($0.request.identifier, $0.nextFire) }
        let byName = Dictionary(uniqueKeysWithValues: next)
        #expect(byName == ["rome": hours(23), "paris": hours(31), "floating": hours(23)])
    }

    @Test("Another zone of the server moves what floats on devices that name none")
    func serverZone() async throws {
        try await test.add(daily("floating"))
        try await test.add(daily("fixed", zone: "UTC"))
        try test.reopen { $0.timeZone = "America/New_York" }
        try await test.advance(by: .zero)
        let next = try await test.pending { _ in }.map { ($0.request.identifier, $0.nextFire) }
        let byName = Dictionary(uniqueKeysWithValues: next)
        #expect(byName == ["floating": hours(13), "fixed": hours(8)])
    }

    @Test("A crash amid a change goes on with it, and nothing fires twice")
    func crash() async throws {
        try await test.addAll((0..<400).map { try daily("\($0)") })
        try await test.advance(by: .seconds(8 * 3600))
        #expect(test.store.counts.fired == 400)
        let changed = Pending<DeviceState>()
        let batches = test.store.counts.batches
        test.store.updateDeviceState(
            of: "local",
            { $0.timeZone = "Pacific/Pago_Pago" },
            completion: changed.complete
        )
        while test.store.counts.batches < batches + 5 { await Task.yield() }
        try test.crash()
        try await test.advance(by: .zero)
        // Eight o'clock of New Year's Day comes there eleven hours later, and fires too.
        let dates = Set(try await test.pending { $0.pageSize = 1_000 }.map(\.nextFire))
        #expect(dates == [hours(19)])
        try await test.advance(by: .seconds(11 * 3600))
        #expect(try test.state().lastEvent >= 801)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Those who follow are told what is too old before it goes; a slow one holds up nobody")
    func followers() async throws {
        let follower = try test.subscribe()
        _ = try await follower.messagesUntilCaughtUp()
        try await test.add(.titled("tick", in: .seconds(3600), repeats: true))
        let days = 30
        let advance = try await test.advance(by: .seconds(days * 86_400))
        #expect(advance.firedCount == days * 24)
        var told = try await follower.peek().events.count
        follower.feed.sent()
        while told < days * 24 { told += try await follower.next().events.count }
        // The events are trimmed once they were told.
        await test.settle()
        try await test.advance(by: .seconds(2 * 3600))
        let state = try test.state()
        #expect(state.firstEvent.distance(to: state.lastEvent) < 10 * 24)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
