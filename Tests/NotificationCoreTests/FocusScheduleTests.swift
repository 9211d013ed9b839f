internal import TestSupport
internal import Testing

@testable internal import NotificationCore

@Suite("Quiet hours (QH-1)")
struct FocusScheduleTests {
    /// New York's summer time of 2025: from 9 March, 02:00, to 2 November, 02:00.
    private static let newYork = ZoneRules(
        firstOffset: -5 * 3600,
        changes: [
            .init(time: 1_741_503_600, offset: -4 * 3600),
            .init(time: 1_762_063_200, offset: -5 * 3600),
        ]
    )

    private static func instant(_ month: Int, _ day: Int, _ minute: Int) -> WallInstant {
        let days = CivilDate(year: 2025, month: month, day: day)?.daysSince1970 ?? 0
        return WallInstant(nanoseconds: Int64(days * 86_400 + minute * 60) * 1_000_000_000)
    }

    private func focus(_ windows: FocusWindow...) -> Focus {
        var focus = Focus()
        focus.schedule = windows
        return focus
    }

    // 2025-01-15 is a Wednesday, 4.
    private static let cases: [(FocusWindow, Int, Int, Bool)] = [
        (FocusWindow(from: 540, to: 1_020), 15, 539, false),
        (FocusWindow(from: 540, to: 1_020), 15, 540, true),
        (FocusWindow(from: 540, to: 1_020), 15, 1_019, true),
        (FocusWindow(from: 540, to: 1_020), 15, 1_020, false),
        (FocusWindow(from: 1_320, to: 420), 15, 1_320, true),
        (FocusWindow(from: 1_320, to: 420), 15, 419, true),
        (FocusWindow(from: 1_320, to: 420), 15, 420, false),
        (FocusWindow(weekdays: [4], from: 1_320, to: 420), 15, 419, false),
        (FocusWindow(weekdays: [4], from: 1_320, to: 420), 15, 1_320, true),
        (FocusWindow(weekdays: [4], from: 1_320, to: 420), 16, 419, true),
        (FocusWindow(weekdays: [4], from: 1_320, to: 420), 16, 1_320, false),
        (FocusWindow(weekdays: [4], from: 0, to: 1_440), 15, 1_439, true),
        (FocusWindow(weekdays: [4], from: 0, to: 1_440), 16, 0, false),
        (FocusWindow(weekdays: [4], from: 600, to: 600), 16, 599, true),
        (FocusWindow(weekdays: [4], from: 600, to: 600), 16, 600, false),
    ]

    @Test("It is on within its windows, which may pass midnight", arguments: cases)
    func windows(window: FocusWindow, day: Int, minute: Int, isOn: Bool) {
        let instant = Self.instant(1, day, minute)
        #expect(focus(window).isOn(at: instant, in: .utc) == isOn)
    }

    @Test("Without a schedule it is on until it is removed")
    func always() {
        #expect(Focus().isOn(at: .newYear, in: .utc))
        #expect(Focus().nextChange(after: .newYear, in: .utc) == nil)
        let week = focus(FocusWindow(from: 0, to: 1_440))
        #expect(week.isOn(at: .newYear, in: .utc))
        #expect(week.nextChange(after: .newYear, in: .utc) == nil)
    }

    @Test("A time that the clock skips is the instant of the skip; one that comes twice, the first")
    func changesOfTheClock() {
        // 9 March: 02:00 EST is 03:00 EDT, 07:00 in UTC.
        let gap = focus(FocusWindow(weekdays: [1], from: 150, to: 240))
        #expect(!gap.isOn(at: Self.instant(3, 9, 419), in: Self.newYork))
        #expect(gap.isOn(at: Self.instant(3, 9, 420), in: Self.newYork))
        #expect(!gap.isOn(at: Self.instant(3, 9, 480), in: Self.newYork))
        // Wholly within the gap: not on this Sunday, but on the next.
        let inside = focus(FocusWindow(weekdays: [1], from: 130, to: 170))
        #expect(!inside.isOn(at: Self.instant(3, 9, 420), in: Self.newYork))
        let next = inside.nextChange(after: Self.instant(3, 8, 0), in: Self.newYork)
        #expect(next == Self.instant(3, 16, 130 + 240))
        // 2 November: 01:30 comes at 05:30 and at 06:30 in UTC.
        let twice = focus(FocusWindow(weekdays: [1], from: 90, to: 150))
        #expect(twice.isOn(at: Self.instant(11, 2, 330), in: Self.newYork))
        #expect(twice.isOn(at: Self.instant(11, 2, 360), in: Self.newYork))
        #expect(twice.isOn(at: Self.instant(11, 2, 449), in: Self.newYork))
        #expect(!twice.isOn(at: Self.instant(11, 2, 450), in: Self.newYork))
    }

    @Test("The next change agrees with a scan of each minute", arguments: 0..<40)
    func agrees(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var focus = Focus()
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            focus.schedule.append(
                FocusWindow(
                    weekdays: (1...7).filter { _ in Bool.random(using: &generator) },
                    from: Int.random(in: 0..<48, using: &generator) * 30,
                    to: Int.random(in: 0...48, using: &generator) * 30
                )
            )
        }
        let start = Self.instant(3, 1 + seed % 20, Int.random(in: 0..<1_440, using: &generator))
        let isOn = focus.isOn(at: start, in: Self.newYork)
        let next = focus.nextChange(after: start, in: Self.newYork)
        var found: WallInstant?
        for half in 1...(14 * 48) where found == nil {
            let instant = WallInstant(
                nanoseconds: (start.nanoseconds / 1_800_000_000_000 + Int64(half))
                    * 1_800_000_000_000
            )
            if focus.isOn(at: instant, in: Self.newYork) != isOn { found = instant }
        }
        #expect(next == found)
    }

    private static let wrong: [(FocusWindow, Field)] = [
        (FocusWindow(from: -1, to: 5), .from),
        (FocusWindow(from: 1_440, to: 5), .from),
        (FocusWindow(from: 0, to: -1), .to),
        (FocusWindow(from: 0, to: 1_441), .to),
        (FocusWindow(weekdays: [0], from: 0, to: 5), .weekdays),
        (FocusWindow(weekdays: [8], from: 0, to: 5), .weekdays),
        (FocusWindow(weekdays: Array(repeating: 1, count: 8), from: 0, to: 5), .weekdays),
    ]

    @Test("What no window has is refused by its path", arguments: wrong)
    func refused(window: FocusWindow, field: Field) {
        var device = DeviceState()
        device.focus = focus(FocusWindow(from: 0, to: 5), window)
        let refusal = #expect(throws: Refusal.self) { try device.validate() }
        #expect(refusal?.reason == .focusScheduleInvalid)
        let path = ([.focus, .schedule] as FieldPath)[1].appending(field)
        #expect(refusal?.fields.map(\.path) == [path])
    }

    @Test("A schedule has at most 64 windows")
    func limit() {
        var device = DeviceState()
        device.focus = Focus()
        device.focus?.schedule = Array(repeating: FocusWindow(from: 0, to: 5), count: 64)
        #expect(throws: Never.self) { try device.validate() }
        device.focus?.schedule.append(FocusWindow(from: 0, to: 5))
        #expect(throws: Refusal.self) { try device.validate() }
    }

    @Test("What a Focus keeps quiet says so; a provisional grant does not")
    func named() {
        var content = NotificationContent()
        content.title = "t"
        var device = DeviceState()
        device.focus = Focus()
        device.focus?.name = "Sleep"
        var settings = NotificationSettings()
        settings.authorizationStatus = .authorized
        settings.notificationCenter = .enabled
        func decide() -> String? {
            Arrival(
                content: Boxed(content.head),
                app: "a",
                settings: settings,
                device: Boxed(device)
            ).decision()
                .silencingFocus
        }
        #expect(decide() == "Sleep")
        settings.authorizationStatus = .provisional
        #expect(decide() == nil)
        settings.authorizationStatus = .authorized
        device.focus?.allowedApps = ["a"]
        #expect(decide() == nil)
    }
}
