/// What a stored file is for; the numbers are stored and are those of the wire.
public enum AttachmentPurpose: UInt8, Hashable, Sendable, CaseIterable {
    /// Notifications show it.
    case notification = 0
    /// Notifications play it, by the name under which the app has it (SND-1).
    case sound = 1
    /// It is the picture of an app or a person.
    case icon = 2
    /// A rich push sends it.
    case richPush = 3

    /// Whether it may be a file of `type`.
    func takes(_ type: AttachmentType) -> Bool {
        switch self {
        case .notification: type != .coreAudio
        case .sound: [.coreAudio, .aiff, .wave].contains(type)
        case .icon: type.kind == .image
        case .richPush: true
        }
    }

    /// The bytes that such a file may have, where its type is known (ATT-1: a megabyte is 2²⁰).
    func byteLimit(of type: AttachmentType?) -> Int {
        switch self {
        case .richPush: AttachmentType.Kind.movie.byteLimit
        case .notification, .sound, .icon: type?.kind.byteLimit ?? 0
        }
    }
}
