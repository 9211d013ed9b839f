/// How a sound of an app is encoded; the numbers are stored (SND-2).
package enum SoundCodec: UInt8, Hashable, Sendable, CaseIterable {
    case linearPCM = 1
    /// MA4, which is IMA/ADPCM.
    case ima4 = 2
    case uLaw = 3
    case aLaw = 4
}

/// The facts that the header of a sound's file tells.
package struct SoundFacts: Hashable, Sendable {
    package var codec: SoundCodec
    /// How long the sound plays, in nanoseconds.
    package var durationNanoseconds: Int64

    package init(codec: SoundCodec, durationNanoseconds: Int64) {
        self.codec = codec
        self.durationNanoseconds = durationNanoseconds
    }

    /// From how many nanoseconds on the standard sound plays instead: 30 s (SND-2).
    package static let longestNanoseconds = 30 * Int64.nanosecondsPerSecond

    /// Whether the sound is so long that the standard sound plays instead.
    package var isTooLong: Bool { durationNanoseconds >= Self.longestNanoseconds }
}

/// Why the header of a sound's file cannot be used.
enum SoundProblem: Error {
    /// The header does not decode, or its parts disagree.
    case damaged
    /// The sound has an encoding that notifications do not play.
    case codecUnsupported
}

extension SoundFacts {
    /// Reads the header of a sound.
    ///
    /// - Parameters:
    ///   - bytes: The whole file, which comes from outside.
    ///   - signature: The kind of file: ``FileSignature/coreAudio``, `aiff` or `wave`.
    /// - Throws: Why the sound cannot be played.
    /// - Complexity: O(chunks of the file).
    init(of bytes: [UInt8], _ signature: FileSignature) throws(SoundProblem) {
        let bytes = HeaderBytes(bytes)
        self =
            switch signature {
            case .coreAudio: try Self.coreAudio(bytes)
            case .aiff: try Self.aiff(bytes)
            case .wave: try Self.wave(bytes)
            default: throw .damaged
            }
    }

    /// Checks the length and the rate of a sound.
    ///
    /// - Throws: That there is no sound, or that no player could tell how fast it is.
    init(_ codec: SoundCodec, frames: UInt64, perSecond rate: Double) throws(SoundProblem) {
        guard frames > 0, rate.isFinite, rate > 0 else { throw .damaged }
        let nanoseconds = Double(frames) / rate * Double(Int64.nanosecondsPerSecond)
        self.codec = codec
        durationNanoseconds = Int64(exactly: nanoseconds.rounded()) ?? .max
    }
}
