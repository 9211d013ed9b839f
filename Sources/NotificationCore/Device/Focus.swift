/// A Focus that is on: it says what may interrupt; all other notifications are listed silently
/// (§16.3).
package struct Focus: Hashable, Sendable {
    /// Its name on the screen, for example "Work".
    package var name = ""
    /// The apps that get through.
    ///
    /// Bounded: names of apps, which were validated.
    package var allowedApps: Set<String> = []
    /// The people whose messages and calls get through; bytes decide whether two people are the
    /// same.
    package var allowedPeople: [String] = []
    /// Whether time-sensitive notifications get through.
    package var allowsTimeSensitive = false
    /// The filters that an allowed app's notifications must pass as well, by app.
    ///
    /// Bounded: names of apps, which were validated.
    package var filters: [String: FocusFilter] = [:]
    /// When the Focus is on: within any of these windows; without any, until it is removed.
    package var schedule: [FocusWindow] = []

    /// Makes a Focus that lets only critical notifications through.
    package init() {}

    /// Whether a notification gets through, in the order of FOC-4.
    ///
    /// - Parameters:
    ///   - content: The content of the notification.
    ///   - app: The app of the notification.
    ///   - level: The notification's level, already lowered to what the person allows.
    /// - Returns: Whether it is presented as if no Focus were on.
    /// - Complexity: O(allowed people + values of the app's filter), no allocation.
    package func allows(
        _ content: ContentHead,
        of app: String,
        at level: InterruptionLevel
    ) -> Bool {
        if level == .critical { return true }
        if level == .timeSensitive && allowsTimeSensitive { return true }
        if let sender = content.communication?.sender, allowedPeople.containsExactly(sender) {
            return true
        }
        guard allowedApps.contains(app) else { return false }
        return filters[app]?.allows(content.filterCriteria) ?? true
    }
}

/// An app's own choice of what gets through a Focus, by exact texts (FOC-2, FOC-4).
package enum FocusFilter: Hashable, Sendable {
    /// Only notifications with one of these criteria.
    case only([String])
    /// All but notifications with one of these criteria.
    case except([String])

    /// The criteria that the filter names.
    package var values: [String] {
        switch self {
        case .only(let values), .except(let values): values
        }
    }

    /// Whether a notification with `criteria` gets through; a notification without criteria does
    /// (FOC-3).
    ///
    /// - Complexity: O(values), no allocation.
    package func allows(_ criteria: String) -> Bool {
        if criteria.isEmpty { return true }
        return switch self {
        case .only(let values): values.containsExactly(criteria)
        case .except(let values): !values.containsExactly(criteria)
        }
    }
}
