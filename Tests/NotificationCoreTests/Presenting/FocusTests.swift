internal import NotificationCore
internal import Testing

private typealias Case = ArrivalCase<DeliveryMode>

@Suite("Focus and summary (§16)")
struct FocusTests {
    private static let quiet: PresentationOptions = [.badge, .list]

    private func expect(_ row: Case) {
        let decision = row.arrival.decision()
        #expect(decision.mode == row.expected)
        guard row.expected != .immediate else { return }
        #expect(decision.options == Self.quiet)
        #expect(decision.visualAlert == nil && decision.sound == nil)
        #expect(!decision.wakesScreen && !decision.vibrates)
    }

    private static func message(from sender: String) -> Communication {
        Communication(kind: .message, sender: sender)
    }

    @Test(
        "What passes a Focus",
        arguments: [
            Case("FOC-1 no Focus", .immediate) { $0.device.focus = nil },
            Case("FOC-1 nothing allowed: listed and silent", .quiet) { $0.device.focus = Focus() },
            Case("FOC-4 critical", .immediate) {
                $0.device.focus = Focus()
                $0.content.interruptionLevel = .critical
            },
            Case("FOC-4 critical not allowed by the person", .quiet) {
                $0.device.focus = Focus()
                $0.content.interruptionLevel = .critical
                $0.settings.criticalAlert = .disabled
            },
            Case("FOC-4 time sensitive allowed", .immediate) {
                $0.device.focus = Focus()
                $0.device.focus?.allowsTimeSensitive = true
                $0.content.interruptionLevel = .timeSensitive
            },
            Case("FOC-4 time sensitive not allowed", .quiet) {
                $0.device.focus = Focus()
                $0.content.interruptionLevel = .timeSensitive
            },
            Case("FOC-4 time sensitive off in the settings", .quiet) {
                $0.device.focus = Focus()
                $0.device.focus?.allowsTimeSensitive = true
                $0.content.interruptionLevel = .timeSensitive
                $0.settings.timeSensitive = .disabled
            },
            Case("INT-2 critical goes on as time sensitive", .immediate) {
                $0.device.focus = Focus()
                $0.device.focus?.allowsTimeSensitive = true
                $0.content.interruptionLevel = .critical
                $0.settings.criticalAlert = .disabled
            },
            Case("FOC-4 active under time sensitive allowed", .quiet) {
                $0.device.focus = Focus()
                $0.device.focus?.allowsTimeSensitive = true
            },
            Case("INT-4 a person who is allowed", .immediate) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedPeople = ["Bob", "Ann"]
                $0.content.communication = message(from: "Ann")
            },
            Case("INT-4 a person who is not", .quiet) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedPeople = ["Bob"]
                $0.content.communication = message(from: "Ann")
            },
            Case("INT-4 a person who looks alike", .quiet) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedPeople = ["Zo\u{E9}"]
                $0.content.communication = message(from: "Zoe\u{301}")
            },
            Case("INT-4 not communication", .quiet) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedPeople = ["Title"]
            },
            Case("FOC-4 the app", .immediate) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedApps = ["app"]
            },
            Case("FOC-4 another app", .quiet) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedApps = ["other"]
            },
        ]
    )
    func focus(row: ArrivalCase<DeliveryMode>) { expect(row) }

    private static func filtered(
        _ rule: String,
        _ mode: DeliveryMode,
        _ filter: FocusFilter,
        criteria: String,
        change: @escaping @Sendable (inout Arrival) -> Void = { _ in }
    ) -> Case {
        Case(rule, mode) {
            $0.device.focus = Focus()
            $0.device.focus?.allowedApps = ["app"]
            $0.device.focus?.filters = ["app": filter]
            $0.content.filterCriteria = criteria
            change(&$0)
        }
    }

    @Test(
        "What passes an allowed app's filter",
        arguments: [
            filtered("FOC-2 on the allow-list", .immediate, .only(["a", "b"]), criteria: "b"),
            filtered("FOC-2 not on the allow-list", .quiet, .only(["a"]), criteria: "b"),
            filtered("FOC-2 an empty allow-list", .quiet, .only([]), criteria: "b"),
            filtered("FOC-2 on the deny-list", .quiet, .except(["a", "b"]), criteria: "b"),
            filtered("FOC-2 not on the deny-list", .immediate, .except(["a"]), criteria: "b"),
            filtered("FOC-2 exact: case", .quiet, .only(["B"]), criteria: "b"),
            filtered(
                "FOC-2 exact: bytes, allow-list",
                .quiet,
                .only(["\u{E9}"]),
                criteria: "e\u{301}"
            ),
            filtered(
                "FOC-2 exact: bytes, deny-list",
                .immediate,
                .except(["\u{E9}"]),
                criteria: "e\u{301}"
            ),
            filtered("FOC-3 no criteria, allow-list", .immediate, .only(["a"]), criteria: ""),
            filtered("FOC-3 no criteria, deny-list", .immediate, .except([]), criteria: ""),
            filtered("FOC-4 a filter lets no other app in", .quiet, .only(["a"]), criteria: "a") {
                $0.device.focus?.allowedApps = []
            },
            filtered("FOC-4 critical before the filter", .immediate, .only([]), criteria: "a") {
                $0.content.interruptionLevel = .critical
            },
            filtered("FOC-4 the person before the filter", .immediate, .only([]), criteria: "a") {
                $0.device.focus?.allowedPeople = ["Ann"]
                $0.content.communication = message(from: "Ann")
            },
            filtered("FOC-4 another app's filter", .immediate, .only(["a"]), criteria: "b") {
                $0.device.focus?.filters = ["other": .only([])]
            },
        ]
    )
    func filter(row: ArrivalCase<DeliveryMode>) { expect(row) }

    private static func summarized(
        _ rule: String,
        _ mode: DeliveryMode,
        change: @escaping @Sendable (inout Arrival) -> Void = { _ in }
    ) -> Case {
        Case(rule, mode) {
            $0.device.summary.isEnabled = true
            $0.device.summary.times = [480]
            $0.device.summary.apps = ["app"]
            change(&$0)
        }
    }

    @Test(
        "What waits for the summary",
        arguments: [
            summarized("SSM-1 an app in it waits", .heldForSummary),
            summarized("SSM-1 off", .immediate) { $0.device.summary.isEnabled = false },
            summarized("SSM-1 another app", .immediate) { $0.device.summary.apps = ["other"] },
            summarized("16.1 passive waits", .heldForSummary) {
                $0.content.interruptionLevel = .passive
            },
            summarized("16.1 time sensitive passes", .immediate) {
                $0.content.interruptionLevel = .timeSensitive
            },
            summarized("16.1 time sensitive off waits", .heldForSummary) {
                $0.content.interruptionLevel = .timeSensitive
                $0.settings.timeSensitive = .disabled
            },
            summarized("16.1 critical passes", .immediate) {
                $0.content.interruptionLevel = .critical
            },
            summarized("INT-4 communication passes", .immediate) {
                $0.content.communication = message(from: "Ann")
            },
            summarized("INT-4 communication switched off waits", .heldForSummary) {
                $0.content.communication = message(from: "Ann")
                $0.settings.directMessages = .disabled
            },
            summarized("FOC-4 a Focus decides first", .quiet) { $0.device.focus = Focus() },
            summarized("FOC-4 passes the Focus and waits", .heldForSummary) {
                $0.device.focus = Focus()
                $0.device.focus?.allowedApps = ["app"]
            },
            summarized("SSM-3 a critical sound waits too", .heldForSummary) {
                $0.content.sound = Sound(isCritical: true)
            },
        ]
    )
    func summary(row: ArrivalCase<DeliveryMode>) { expect(row) }

    @Test("SSM-3: What leaves no entry in the list cannot wait: it is quiet")
    func nothingToWait() {
        var arrival = Arrival.withAllEffects
        arrival.device.summary.isEnabled = true
        arrival.device.summary.apps = ["app"]
        arrival.content.hasAlertText = false
        #expect(arrival.decision().mode == .quiet)
        #expect(arrival.decision().options == .badge)
        arrival.device.focus = Focus()
        arrival.device.focus?.allowedApps = ["app"]
        arrival.content.sound = Sound(isCritical: true)
        #expect(arrival.decision().sound == nil)
    }
}
