/// The sound of a notification (§13).
package struct Sound: Hashable, Sendable {
    /// The kinds of sounds; the numbers are stored and are the wire's.
    package enum Kind: UInt8, Hashable, Sendable {
        /// The standard notification sound, or the named one.
        case standard = 0
        /// A ring-like sound, for calls.
        case ringtone = 1
    }

    package var kind: Kind
    /// The sound's name in the app's sounds; empty is the default sound of its kind.
    package var name: String
    /// Whether the sound ignores mute and Do Not Disturb, where the person allowed it.
    package var isCritical: Bool
    /// The loudness of a critical sound, 0-1; absent is the default.
    package var volume: Double?

    package init(
        kind: Kind = .standard,
        name: String = "",
        isCritical: Bool = false,
        volume: Double? = nil
    ) {
        self.kind = kind
        self.name = name
        self.isCritical = isCritical
        self.volume = volume
    }
}
