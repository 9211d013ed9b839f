/// The use of a stored file; the numbers are stored and are those of the wire.
package enum AttachmentPurpose: UInt8, Hashable, Sendable, CaseIterable {
    /// Notifications show the file.
    case notification = 0
    /// Notifications play the file, by the name under which the app installed it (SND-1).
    case sound = 1
    /// The file is the picture of an app or a person.
    case icon = 2
    /// A rich push sends the file.
    case richPush = 3

    /// Whether a file of `type` may have this purpose.
    func takes(_ type: AttachmentType) -> Bool {
        switch self {
        case .notification: type != .coreAudio
        case .sound: [.coreAudio, .aiff, .wave].contains(type)
        case .icon: type.kind == .image
        case .richPush: true
        }
    }

    /// The number of bytes that a file with this purpose may have (ATT-1: a megabyte is 2²⁰).
    func byteLimit(of type: AttachmentType?) -> Int {
        switch self {
        case .richPush: AttachmentType.Kind.movie.byteLimit
        case .notification, .sound, .icon: type?.kind.byteLimit ?? 0
        }
    }
}
