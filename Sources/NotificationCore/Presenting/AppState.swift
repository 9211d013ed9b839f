/// The state of an app, as its subscriber reports it; the numbers are the wire's.
package enum AppState: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// The app does not run: the subscriber is an observer.
    case notRunning = 0
    /// The app is loaded, and does not run.
    case suspended = 1
    /// The app runs, but the person does not see it.
    case background = 2
    /// The app is in front of the person, active or not (FG-2).
    case foreground = 3

    /// Orders states from not running to the foreground.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
