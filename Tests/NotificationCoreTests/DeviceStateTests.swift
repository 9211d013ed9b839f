internal import NotificationCore
internal import Testing

@Suite("Device state (W-1, §16)")
struct DeviceStateTests {
    /// A change to a good state, and the field and reason that it is then refused for.
    struct Change: Sendable, CustomTestStringConvertible {
        let rule: String
        let field: FieldPath?
        let reason: Reason
        let change: @Sendable (inout DeviceState) -> Void

        init(
            _ rule: String,
            refused field: FieldPath? = nil,
            _ reason: Reason = .invalidField,
            _ change: @escaping @Sendable (inout DeviceState) -> Void
        ) {
            self.rule = rule
            self.field = field
            self.reason = reason
            self.change = change
        }

        var testDescription: String { rule }
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func apps(_ count: Int) -> Set<String> { Set((0..<count).map { "app.\($0)" }) }

    private func expect(_ change: Change) throws {
        var state = DeviceState()
        state.focus = Focus()
        change.change(&state)
        guard let field = change.field else { return try state.validate() }
        let refusal = try #require(#expect(throws: Refusal.self) { try state.validate() })
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.fields.map(\.path) == [field])
        #expect(refusal.reason == change.reason)
    }

    @Test("A device lies unlocked before its person until it says otherwise")
    func first() throws {
        let state = DeviceState()
        try state.validate()
        #expect(!state.isLocked && state.isDisplayOn && !state.isMuted)
        #expect(state.focus == nil && !state.summary.isEnabled)
    }

    @Test(
        "FOC-4: What a Focus names",
        arguments: [
            Change("no Focus") { $0.focus = nil },
            Change("1,024 apps") { $0.focus?.allowedApps = apps(1_024) },
            Change("1,025 apps", refused: [.focus, .allowedApps]) {
                $0.focus?.allowedApps = apps(1_025)
            },
            Change("no app", refused: [.focus, .allowedApps], .appIDInvalid) {
                $0.focus?.allowedApps = ["a b"]
            },
            Change("1,024 people of 256 bytes") {
                $0.focus?.allowedPeople = Array(repeating: text(256), count: 1_024)
            },
            Change("1,025 people", refused: [.focus, .allowedPeople]) {
                $0.focus?.allowedPeople = Array(repeating: "x", count: 1_025)
            },
            Change("nobody", refused: [.focus, .allowedPeople], .personInvalid) {
                $0.focus?.allowedPeople = ["Ann", ""]
            },
            Change("a person of 257 bytes", refused: [.focus, .allowedPeople], .personInvalid) {
                $0.focus?.allowedPeople = [text(257)]
            },
            Change("1,024 values of two filters") {
                $0.focus?.filters = [
                    "a": .only(Array(repeating: text(256), count: 1_000)),
                    "b": .except(Array(repeating: "x", count: 24)),
                ]
            },
            Change("1,025 values of two filters", refused: [.focus, .filters]) {
                $0.focus?.filters = [
                    "a": .only(Array(repeating: "x", count: 1_000)),
                    "b": .except(Array(repeating: "x", count: 25)),
                ]
            },
            Change("an empty value", refused: [.focus, .filters], .focusFilterInvalid) {
                $0.focus?.filters = ["a": .only([""])]
            },
            Change("a value of 257 bytes", refused: [.focus, .filters], .focusFilterInvalid) {
                $0.focus?.filters = ["a": .except([text(257)])]
            },
            Change("a filter of no app", refused: [.focus, .filters], .appIDInvalid) {
                $0.focus?.filters = ["": .only([])]
            },
            Change("1,025 filters", refused: [.focus, .filters]) { state in
                for app in apps(1_025) { state.focus?.filters[app] = .only([]) }
            },
        ]
    )
    func focus(change: Change) throws { try expect(change) }

    @Test(
        "SSM-3: What a summary names",
        arguments: [
            Change("the first and the last minute") { $0.summary.times = [0, 1439] },
            Change("24 times") { $0.summary.times = Array(0..<24) },
            Change("25 times", refused: [.summary, .times]) { $0.summary.times = Array(0..<25) },
            Change("minute 1440", refused: [.summary, .times], .summaryTimeInvalid) {
                $0.summary.times = [60, 1440]
            },
            Change("minute -1", refused: [.summary, .times], .summaryTimeInvalid) {
                $0.summary.times = [-1]
            },
            Change("on with a time") {
                $0.summary.isEnabled = true
                $0.summary.times = [480]
            },
            Change("on without a time", refused: [.summary, .times], .summaryTimeInvalid) {
                $0.summary.isEnabled = true
            },
            Change("1,024 apps") { $0.summary.apps = apps(1_024) },
            Change("1,025 apps", refused: [.summary, .apps]) { $0.summary.apps = apps(1_025) },
            Change("no app", refused: [.summary, .apps], .appIDInvalid) {
                $0.summary.apps = ["a/b"]
            },
        ]
    )
    func summary(change: Change) throws { try expect(change) }

    @Test(
        "The zone and the languages",
        arguments: [
            Change("a zone") { $0.timeZone = "America/Argentina/Buenos_Aires" },
            Change("a zone with signs") { $0.timeZone = "Etc/GMT+12" },
            Change("a zone of 64 bytes") { $0.timeZone = text(64) },
            Change("a zone of 65 bytes", refused: [.timeZone], .timeZoneInvalid) {
                $0.timeZone = text(65)
            },
            Change("a zone that climbs", refused: [.timeZone], .timeZoneInvalid) {
                $0.timeZone = "../etc"
            },
            Change("a zone from the root", refused: [.timeZone], .timeZoneInvalid) {
                $0.timeZone = "/UTC"
            },
            Change("a zone with a space", refused: [.timeZone], .timeZoneInvalid) {
                $0.timeZone = "Europe/ Lisbon"
            },
            Change("languages") { $0.languages = ["pt-BR", "zh-Hant-TW", "en"] },
            Change("16 languages") { $0.languages = Array(repeating: "en", count: 16) },
            Change("17 languages", refused: [.languages]) {
                $0.languages = Array(repeating: "en", count: 17)
            },
            Change("no language", refused: [.languages], .languageInvalid) { $0.languages = [""] },
            Change("a locale's name", refused: [.languages], .languageInvalid) {
                $0.languages = ["pt_BR"]
            },
            Change("a subtag of 9", refused: [.languages], .languageInvalid) {
                $0.languages = ["en-abcdefghi"]
            },
            Change("a tag of 35 bytes") { $0.languages = ["12345678-12345678-12345678-12345678"] },
            Change("a tag of 36 bytes", refused: [.languages], .languageInvalid) {
                $0.languages = ["1234567-12345678-12345678-12345678-1"]
            },
        ]
    )
    func zone(change: Change) throws { try expect(change) }

    @Test(
        "SSM-1: The scheduled delivery setting says whether the app is in the summary",
        arguments: [
            (true, "in", NotificationSetting.enabled), (true, "out", .disabled),
            (false, "in", .notSupported), (false, "out", .notSupported),
        ]
    )
    func scheduledDelivery(isEnabled: Bool, app: String, expected: NotificationSetting) {
        var state = DeviceState()
        state.summary.isEnabled = isEnabled
        state.summary.apps = ["in"]
        #expect(state.scheduledDelivery(of: app) == expected)
    }

    @Test(
        "SSM-1: The next summary is the first time after now, by the device's clock",
        arguments: [
            // 1970-01-01 at 0:00, 7:59:59, 8:00, 17:59, 18:00 and 23:59 UTC, of 8:00 and 18:00.
            (ZoneFile.utc, [1_080, 480], 0, 28_800), (.utc, [1_080, 480], 28_799, 28_800),
            (.utc, [1_080, 480], 28_800, 64_800), (.utc, [1_080, 480], 64_740, 64_800),
            (.utc, [1_080, 480], 64_800, 115_200), (.utc, [1_080, 480], 86_340, 115_200),
            // In New York in 2024, of 2:30 on 10 March and 1:30 on 3 November: none, and two.
            (.newYork, [150], 1_710_050_000, 1_710_054_000),
            (.newYork, [150], 1_710_054_000, 1_710_138_600),
            (.newYork, [90], 1_730_600_000, 1_730_611_800),
            (.newYork, [90], 1_730_611_800, 1_730_701_800),
        ]
    )
    func nextSummary(zone: ZoneFile, times: [Int], now: Int64, next: Int64) throws {
        let rules = try ZoneRules(tzif: zone.bytes)
        var summary = ScheduledSummary()
        let instant = WallInstant(nanoseconds: now * .nanosecondsPerSecond)
        summary.isEnabled = true
        #expect(summary.nextDate(after: instant, in: rules) == nil)
        summary.times = times
        let expected = WallInstant(nanoseconds: next * .nanosecondsPerSecond)
        #expect(summary.nextDate(after: instant, in: rules) == expected)
        summary.isEnabled = false
        #expect(summary.nextDate(after: instant, in: rules) == nil)
    }
}
