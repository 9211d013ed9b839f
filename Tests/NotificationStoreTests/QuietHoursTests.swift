internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Quiet hours (QH-1, QH-2, QH-3)")
struct QuietHoursTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    /// From 22:00 to 07:00; the manual clock starts at midnight, in UTC.
    private func sleep() async throws {
        try await test.updateDevice { device in
            device.focus = Focus()
            device.focus?.name = "Sleep"
            device.focus?.schedule = [FocusWindow(from: 1_320, to: 420)]
        }
    }

    private func presentation() async throws -> Presentation? {
        for event in try await test.events().reversed() {
            if case .delivered(let delivered) = event.kind { return delivered.presentation }
        }
        return nil
    }

    private func active() throws -> ActiveFocus? {
        test.store.focuses.active(on: try test.store.deviceState(of: "local"))
    }

    @Test("Within the hours it is listed quietly and says so, outside of them as ever")
    func hours() async throws {
        try await test.authorize()
        try await sleep()
        try await test.add(.titled("a"))
        #expect(try await presentation()?.silencingFocus == "Sleep")
        #expect(try await presentation()?.isQuiet == true)
        let shown = try await test.shown(DeviceListQuery(device: "local"))
        #expect(shown.groups.first?.notifications.first?.silencingFocus == "Sleep")
        #expect(try active() == ActiveFocus(name: "Sleep", until: .newYear + .seconds(7 * 3_600)))
        _ = try await test.advance(by: .seconds(7 * 3_600))
        #expect(try active() == nil)
        try await test.add(.titled("b"))
        #expect(try await presentation()?.silencingFocus == nil)
        #expect(try await presentation()?.options.contains(.banner) == true)
        _ = try await test.advance(by: .seconds(15 * 3_600))
        try await test.add(.titled("c", in: .seconds(1)))
        _ = try await test.advance(by: .seconds(1))
        #expect(try await presentation()?.silencingFocus == "Sleep")
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("Its changes are due work, which a restart, a zone and a clock set back keep right")
    func changes() async throws {
        try await test.authorize()
        try await sleep()
        _ = try await test.advance(by: .seconds(3_600))
        try test.reopen()
        #expect(try active() != nil)
        _ = try await test.setClock(to: .newYear + .seconds(-3_600))
        #expect(try active()?.until == .newYear + .seconds(7 * 3_600))
        try await test.updateDevice { $0.timeZone = "Asia/Tokyo" }
        // 23:00 in UTC is 08:00 in Tokyo.
        #expect(try active() == nil)
        try await test.updateDevice { $0.timeZone = "" }
        #expect(try active() != nil)
        try await test.updateDevice { $0.focus = nil }
        #expect(try active() == nil)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("While the clock is not set, a schedule keeps nothing quiet")
    func unsetClock() async throws {
        let unset = try TestStore { $0.clock = .manual(start: WallInstant(nanoseconds: 0)) }
        try await unset.authorize()
        try await unset.updateDevice { device in
            device.focus = Focus()
            device.focus?.schedule = [FocusWindow(from: 0, to: 1_440)]
        }
        try await unset.add(.titled("a"))
        guard case .delivered(let delivered)? = try await unset.events().last?.kind else {
            Issue.record("it was not delivered")
            return
        }
        #expect(!delivered.presentation.isQuiet)
    }
}
