/// What a subscriber says that its app does; the numbers are the wire's.
public enum AppState: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// Nothing: the subscriber only looks on.
    case notRunning = 0
    /// Loaded, and not at work.
    case suspended = 1
    /// At work, and not in front.
    case background = 2
    /// In front of the person, active or not (FG-2).
    case foreground = 3

    /// Orders states by how much the app does.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
