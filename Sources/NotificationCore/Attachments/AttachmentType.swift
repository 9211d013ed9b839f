/// A type of file that the store accepts and recognizes by its bytes (§14).
package struct AttachmentType: Hashable, Sendable {
    /// The sense by which a person perceives a file; it decides how large the file may be.
    package enum Kind: Hashable, Sendable {
        /// A person hears it.
        case audio
        /// A person sees it.
        case image
        /// A person watches it.
        case movie

        /// The number of bytes that a file of this kind may have.
        package var byteLimit: Int {
            switch self {
            case .audio: 5 << 20
            case .image: 10 << 20
            case .movie: 50 << 20
            }
        }
    }

    /// The uniform type identifier, such as `public.png`.
    package let identifier: String
    /// The media type, such as `image/png`.
    package let mediaType: String
    /// How a person perceives the file.
    package let kind: Kind
    /// The endings of file names that mean this type, in lower case.
    let endings: [String]
    /// How the bytes begin.
    let signature: FileSignature

    private init(
        _ identifier: String,
        _ mediaType: String,
        _ kind: Kind,
        _ endings: [String],
        _ signature: FileSignature
    ) {
        self.identifier = identifier
        self.mediaType = mediaType
        self.kind = kind
        self.endings = endings
        self.signature = signature
    }

    static let aiff = Self("public.aiff-audio", "audio/aiff", .audio, ["aif", "aiff"], .aiff)
    static let wave = Self(
        "com.microsoft.waveform-audio",
        "audio/wav",
        .audio,
        ["wav"],
        .wave
    )
    /// Apple's own container, accepted only for the sounds of apps (SND-2).
    static let coreAudio = Self(
        "com.apple.coreaudio-format",
        "audio/x-caf",
        .audio,
        ["caf"],
        .coreAudio
    )

    package static let all = [
        aiff, wave, coreAudio,
        Self("public.mp3", "audio/mpeg", .audio, ["mp3"], .mp3),
        Self("public.mpeg-4-audio", "audio/mp4", .audio, ["m4a"], .mpeg4),
        Self("public.jpeg", "image/jpeg", .image, ["jpg", "jpeg"], .jpeg),
        Self("com.compuserve.gif", "image/gif", .image, ["gif"], .gif),
        Self("public.png", "image/png", .image, ["png"], .png),
        Self("public.mpeg", "video/mpeg", .movie, ["mpg", "mpeg"], .mpeg),
        Self("public.mpeg-2-video", "video/mpeg", .movie, ["m2v"], .mpeg),
        Self("public.mpeg-4", "video/mp4", .movie, ["mp4"], .mpeg4),
        Self("public.avi", "video/x-msvideo", .movie, ["avi"], .avi),
    ]

    /// The type with a uniform type identifier; nil where no type has it.
    package init?(identifier: String) {
        guard let type = Self.all.first(where: { $0.identifier.isExactly(identifier) }) else {
            return nil
        }
        self = type
    }

    /// The type that a file name's ending means, whatever its case; nil where it means no type.
    package init?(fileName: String) {
        let parts = fileName.utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        // A file name that begins with its only dot has no ending.
        guard parts.count > 1, let ending = parts.last, parts[0].isEmpty == false || parts.count > 2
        else { return nil }
        let lowercased = String(decoding: ending, as: UTF8.self).lowercased()
        guard let type = Self.all.first(where: { $0.endings.containsExactly(lowercased) }) else {
            return nil
        }
        self = type
    }
}
