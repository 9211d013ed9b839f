/// The questions that a primary subscriber answers (W-16); the bits are the wire's.
public struct DelegateCapabilities: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Says how a notification is presented while the app is in front.
    public static let willPresent = DelegateCapabilities(rawValue: 1)
    /// Takes the person's responses.
    public static let didReceive = DelegateCapabilities(rawValue: 2)
    /// Opens the app's own settings.
    public static let openSettings = DelegateCapabilities(rawValue: 4)
    /// Takes background pushes.
    public static let backgroundPush = DelegateCapabilities(rawValue: 8)
}
