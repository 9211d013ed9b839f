/// The sound that a device plays for a notification (§13).
package enum PlayedSound: Hashable, Sendable {
    case standard
    /// One of the app's own sounds.
    case named(String)
    /// A sound that ignores mute and Do Not Disturb; an empty name is the default critical sound.
    ///
    /// The volume is 0-1; absent is the device's default.
    case critical(name: String, volume: Double?)
    /// A ring-like sound for calls; an empty name is the default ringtone.
    case ringtone(name: String)

    /// Whether the sound ignores mute and Do Not Disturb.
    package var isCritical: Bool {
        switch self {
        case .critical: true
        case .standard, .named, .ringtone: false
        }
    }

    /// The name of the app's own sound; empty for a default sound.
    package var name: String {
        switch self {
        case .standard: ""
        case .named(let name), .critical(let name, _), .ringtone(let name): name
        }
    }

    /// The sound to play where the sound ``name`` is missing or too long: the default sound
    /// (SND-2).
    package var withoutName: PlayedSound {
        switch self {
        case .standard, .named: .standard
        case .critical(_, let volume): .critical(name: "", volume: volume)
        case .ringtone: .ringtone(name: "")
        }
    }

    /// The sound to play, given the `facts` of the file that the app installed as ``name``; nil
    /// facts mean that the app has no sound of that name (SND-1, SND-2).
    package func played(with facts: SoundFacts?) -> PlayedSound {
        facts?.isTooLong == false ? self : withoutName
    }

    /// Makes the sound to play for `sound`.
    ///
    /// - Parameters:
    ///   - sound: What the content asks for.
    ///   - isCritical: Whether the sound ignores mute; if not, it plays as an ordinary sound
    ///     (SND-3).
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
