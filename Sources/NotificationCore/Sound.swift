/// The sound of a notification (semantics.md 13).
public struct Sound: Hashable, Sendable {
    /// What sort of sound it is; the numbers are stored and are the wire's.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The standard notification sound, or the named one.
        case notification = 1
        /// A sound that ignores mute and Do Not Disturb, where the person allowed it.
        case critical = 2
        /// A ring-like sound, for calls.
        case ringtone = 3
    }

    /// The sort of sound.
    public var kind: Kind
    /// The sound's name in the app's sounds; empty is the default sound of its kind.
    public var name: String
    /// The loudness of a critical sound, 0-1; absent is the default.
    public var volume: Double?

    /// Makes a sound.
    public init(kind: Kind = .notification, name: String = "", volume: Double? = nil) {
        self.kind = kind
        self.name = name
        self.volume = volume
    }
}
