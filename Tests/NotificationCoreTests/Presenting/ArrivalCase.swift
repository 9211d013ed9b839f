internal import NotificationCore
internal import Testing

/// An arrival with all effects, everything allowed and nothing switched on, then changed.
///
/// Its app is `app`, its interruption level active, and its device lies unlocked.
struct ArrivalCase<Expected: Sendable>: Sendable, CustomTestStringConvertible {
    let rule: String
    let expected: Expected
    private let change: @Sendable (inout Arrival) -> Void

    init(
        _ rule: String,
        _ expected: Expected,
        _ change: @escaping @Sendable (inout Arrival) -> Void
    ) {
        self.rule = rule
        self.expected = expected
        self.change = change
    }

    var testDescription: String { rule }

    var arrival: Arrival {
        var arrival = Arrival.withAllEffects
        change(&arrival)
        return arrival
    }
}

extension Arrival {
    /// Every effect asked for and allowed, critical alerts and time-sensitive ones included.
    static var withAllEffects: Arrival {
        var content = NotificationContent()
        content.title = "Title"
        content.sound = Sound()
        content.badge = 3
        var settings = NotificationSettings().granted([.alert, .sound, .badge])
        settings.criticalAlert = .enabled
        settings.timeSensitive = .enabled
        return Arrival(
            content: Boxed(content.head),
            app: "app",
            settings: settings,
            device: Boxed(DeviceState())
        )
    }
}

extension PresentationOptions {
    static let everything: PresentationOptions = [.badge, .sound, .list, .banner]
}
