/// The kind of file that the first bytes of a file show (ATT-10).
enum FileSignature: Hashable, Sendable {
    case aiff
    case wave
    case avi
    case coreAudio
    case mp3
    case mpeg
    /// A film or a sound of MPEG-4; the first bytes do not tell for sure which of the two.
    case mpeg4
    case jpeg
    case gif
    case png
    /// A container like MPEG-4's with other content, such as a picture.
    case otherMedia

    /// How many bytes are enough to recognize a file.
    static let byteCount = 64

    /// Recognizes a file that begins with `head`; nil for an unknown kind of file.
    ///
    /// - Parameter head: The first ``byteCount`` bytes of the file, or all where it has fewer.
    init?(_ head: [UInt8]) {
        let head = HeaderBytes(head)
        if head.hasText("RIFF", at: 0), let form = head.text(at: 8) {
            guard let known = ["WAVE": .wave, "AVI ": .avi][form] as Self? else { return nil }
            self = known
        } else if head.hasText("FORM", at: 0) {
            guard head.hasText("AIFF", at: 8) || head.hasText("AIFC", at: 8) else { return nil }
            self = .aiff
        } else if head.hasText("caff", at: 0) {
            self = .coreAudio
        } else if head.hasText("ftyp", at: 4) {
            self = Self.isMPEG4(head) ? .mpeg4 : .otherMedia
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.hasText("GIF8", at: 0) {
            self = .gif
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if head.starts(with: [0, 0, 1, 0xBA]) || head.starts(with: [0, 0, 1, 0xB3]) {
            self = .mpeg
        } else if head.starts(with: Array("ID3".utf8)) || Self.isMP3Frame(head) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Whether the bytes after the signature can be the header of this kind of file; `head` as in
    /// ``init(_:)``.
    func isWhole(_ head: [UInt8]) -> Bool {
        let bytes = HeaderBytes(head)
        switch self {
        case .aiff, .wave, .avi: return bytes.number(UInt32.self, at: 12) != nil
        case .coreAudio: return bytes.hasText("desc", at: 8)
        case .mp3: return bytes.count >= 10
        case .mpeg: return bytes.count >= 8
        case .mpeg4, .otherMedia: return bytes.text(at: 8) != nil
        // A segment with its length comes first.
        case .jpeg: return bytes.number(UInt16.self, at: 4).map { $0 >= 2 } ?? false
        case .gif:
            let isKnown = bytes.hasText("87a", at: 3) || bytes.hasText("89a", at: 3)
            let size = (bytes.number(UInt16.self, at: 6), bytes.number(UInt16.self, at: 8))
            return isKnown && bytes.count >= 13 && size.0 ?? 0 > 0 && size.1 ?? 0 > 0
        case .png:
            // The header comes first, with its length, its name and a size that is not zero.
            let size = (bytes.number(UInt32.self, at: 16), bytes.number(UInt32.self, at: 20))
            return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
                && bytes.number(UInt32.self, at: 8) == 13 && bytes.hasText("IHDR", at: 12)
                && bytes.count >= 33 && size.0 ?? 0 > 0 && size.1 ?? 0 > 0
        }
    }

    /// Whether the brand of a container is neither a picture's nor QuickTime's.
    private static func isMPEG4(_ head: HeaderBytes) -> Bool {
        let others = [
            "qt  ", "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis",
        ]
        guard let brand = head.text(at: 8) else { return true }
        return !others.contains(brand)
    }

    /// Whether a frame of MPEG audio, layer 3, begins the file.
    private static func isMP3Frame(_ head: HeaderBytes) -> Bool {
        guard let word = head.number(UInt32.self, at: 0) else { return false }
        let isSync = word >> 21 == 0x7FF
        let (version, layer) = (word >> 19 & 3, word >> 17 & 3)
        let (bitRate, sampleRate) = (word >> 12 & 15, word >> 10 & 3)
        // Each number has one reserved value.
        return isSync && version != 1 && layer == 1 && bitRate != 15 && sampleRate != 3
    }
}
