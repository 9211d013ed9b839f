/// The questions that a primary subscriber answers (W-16); the bits are the wire's.
package struct DelegateCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Says how a notification is presented while the app is in front.
    package static let willPresent = DelegateCapabilities(rawValue: 1)
    /// Takes the person's responses.
    package static let didReceive = DelegateCapabilities(rawValue: 2)
    /// Opens the app's own settings.
    package static let openSettings = DelegateCapabilities(rawValue: 4)
    package static let backgroundPush = DelegateCapabilities(rawValue: 8)
}
