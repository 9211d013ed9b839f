/// The sound that a device plays for a notification (§13).
public enum PlayedSound: Hashable, Sendable {
    /// The standard notification sound.
    case standard
    /// One of the app's own sounds.
    case named(String)
    /// A sound that ignores mute and Do Not Disturb; an empty name is the default critical one.
    ///
    /// The volume is 0-1; absent is the device's default.
    case critical(name: String, volume: Double?)
    /// A ring-like sound for calls; an empty name is the default one.
    case ringtone(name: String)

    /// Whether it ignores mute and Do Not Disturb.
    public var isCritical: Bool {
        switch self {
        case .critical: true
        case .standard, .named, .ringtone: false
        }
    }

    /// The app's sound that it needs; empty where it is a default one.
    public var name: String {
        switch self {
        case .standard: ""
        case .named(let name), .critical(let name, _), .ringtone(let name): name
        }
    }

    /// What is played where ``name`` is missing or too long: the default sound (SND-2).
    public var withoutName: PlayedSound {
        switch self {
        case .standard, .named: .standard
        case .critical(_, let volume): .critical(name: "", volume: volume)
        case .ringtone: .ringtone(name: "")
        }
    }

    /// What is played where the app has ``name`` installed as a file that `facts` are of; nil says
    /// that it has no such sound (SND-1, SND-2).
    public func played(with facts: SoundFacts?) -> PlayedSound {
        facts?.isTooLong == false ? self : withoutName
    }

    /// Makes what is played of `sound`.
    ///
    /// - Parameters:
    ///   - sound: What the content asks for.
    ///   - isCritical: Whether it ignores mute; if not, the same sound plays as any other (SND-3).
    init(_ sound: Sound, isCritical: Bool) {
        self =
            if isCritical {
                .critical(name: sound.name, volume: sound.volume)
            } else if sound.kind == .ringtone {
                .ringtone(name: sound.name)
            } else if sound.name.isEmpty {
                .standard
            } else {
                .named(sound.name)
            }
    }
}
