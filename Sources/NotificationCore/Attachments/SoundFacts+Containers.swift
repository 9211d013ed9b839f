// The three containers of sounds. Each container is a list of chunks with a name and a size. The
// sender wrote the sizes, so each size is checked against the bytes of the file.

extension SoundFacts {
    /// How many chunks are read: real files have about ten.
    private static let chunkLimit = 1_024

    // MARK: caf

    static func coreAudio(_ bytes: HeaderBytes) throws(SoundProblem) -> SoundFacts {
        // The description comes first: rate, format, flags, and the sizes of a packet.
        guard bytes.hasText("desc", at: 8), bytes.number(Int64.self, at: 12) == 32,
            let rate = bytes.number(UInt64.self, at: 20).map(Double.init(bitPattern:)),
            let format = bytes.text(at: 28),
            let packetBytes = bytes.number(UInt32.self, at: 36),
            let packetFrames = bytes.number(UInt32.self, at: 40)
        else { throw .damaged }
        // Bounded: the keys that are looked up have four letters.
        let codecs: [String: SoundCodec] = [
            "lpcm": .linearPCM, "ima4": .ima4, "ulaw": .uLaw, "alaw": .aLaw,
        ]
        guard let codec = codecs[format] else { throw .codecUnsupported }
        var offset = 52
        for _ in 0..<chunkLimit {
            guard let name = bytes.text(at: offset),
                let size = bytes.number(Int64.self, at: offset + 4)
            else { throw .damaged }
            offset += 12
            let rest = Int64(bytes.count - offset)
            // The last chunk may be the sound without a known size: it then ends with the file.
            let isOpen = name == "data" && size == -1
            guard isOpen || (0...rest).contains(size) else { throw .damaged }
            if name == "data" {
                let soundBytes = (isOpen ? rest : size) - 4
                guard soundBytes > 0, packetBytes > 0 else { throw .damaged }
                let frames = UInt64(soundBytes) / UInt64(packetBytes) * UInt64(packetFrames)
                return try SoundFacts(codec, frames: frames, perSecond: rate)
            }
            offset += Int(size)
        }
        throw .damaged
    }

    // MARK: aiff

    static func aiff(_ bytes: HeaderBytes) throws(SoundProblem) -> SoundFacts {
        var common: (channels: UInt16, frames: UInt32, bits: UInt16, rate: Double, codec: String)?
        var soundBytes: UInt64?
        for chunk in chunks(bytes, size: { bytes.number(UInt32.self, at: $0) }) {
            switch chunk.name {
            case "COMM":
                guard chunk.isWhole, let channels = bytes.number(UInt16.self, at: chunk.begin),
                    let frames = bytes.number(UInt32.self, at: chunk.begin + 2),
                    let bits = bytes.number(UInt16.self, at: chunk.begin + 6),
                    let rate = extended(bytes, at: chunk.begin + 8)
                else { throw .damaged }
                var codec = "NONE"
                if bytes.hasText("AIFC", at: 8) {
                    guard let text = bytes.text(at: chunk.begin + 18) else { throw .damaged }
                    codec = text
                }
                common = (channels, frames, bits, rate, codec)
            case "SSND":
                guard chunk.isWhole, chunk.size >= 8 else { throw .damaged }
                soundBytes = UInt64(chunk.size) - 8
            default: break
            }
        }
        guard let common, let soundBytes, common.channels > 0 else { throw .damaged }
        guard let codec = aiffCodecs[common.codec] else { throw .codecUnsupported }
        // Count packets of 34 bytes and 64 frames each for MA4, and frames for the others.
        let unitBytes: UInt64 =
            switch codec {
            case .ima4: 34
            case .uLaw, .aLaw: 1
            case .linearPCM: (UInt64(common.bits) + 7) / 8
            }
        let needed = UInt64(common.frames) * UInt64(common.channels) * unitBytes
        guard unitBytes > 0, needed <= soundBytes else { throw .damaged }
        let frames = UInt64(common.frames) * (codec == .ima4 ? 64 : 1)
        return try SoundFacts(codec, frames: frames, perSecond: common.rate)
    }

    // Bounded: the keys that are looked up have four letters.
    private static let aiffCodecs: [String: SoundCodec] = [
        "NONE": .linearPCM, "twos": .linearPCM, "sowt": .linearPCM, "raw ": .linearPCM,
        "in24": .linearPCM, "in32": .linearPCM, "fl32": .linearPCM, "FL32": .linearPCM,
        "fl64": .linearPCM, "FL64": .linearPCM, "ima4": .ima4, "ulaw": .uLaw, "ULAW": .uLaw,
        "alaw": .aLaw, "ALAW": .aLaw,
    ]

    /// The number of ten bytes in which the rate is: sign and exponent, then all of the fraction.
    private static func extended(_ bytes: HeaderBytes, at offset: Int) -> Double? {
        guard let exponent = bytes.number(UInt16.self, at: offset),
            let fraction = bytes.number(UInt64.self, at: offset + 2), exponent < 0x7FFF
        else { return nil }
        return Double(
            sign: .plus,
            exponent: Int(exponent) - 16_383 - 63,
            significand: Double(fraction)
        )
    }

    // MARK: wav

    static func wave(_ bytes: HeaderBytes) throws(SoundProblem) -> SoundFacts {
        var format: (codec: SoundCodec, rate: UInt32, blockBytes: UInt16, blockFrames: UInt64)?
        for chunk in chunks(bytes, size: { bytes.littleEndian(UInt32.self, at: $0) }) {
            switch chunk.name {
            case "fmt ":
                guard chunk.isWhole, chunk.size >= 16,
                    let tag = bytes.littleEndian(UInt16.self, at: chunk.begin),
                    let rate = bytes.littleEndian(UInt32.self, at: chunk.begin + 4),
                    let blockBytes = bytes.littleEndian(UInt16.self, at: chunk.begin + 12)
                else { throw .damaged }
                // The identifier of an extensible format begins with its real format.
                let real =
                    tag == 0xFFFE && chunk.size >= 40
                    ? bytes.littleEndian(UInt16.self, at: chunk.begin + 24) : tag
                let codecs: [UInt16: SoundCodec] = [
                    1: .linearPCM, 3: .linearPCM, 6: .aLaw, 7: .uLaw, 0x11: .ima4,
                ]
                guard let codec = real.flatMap({ codecs[$0] }) else { throw .codecUnsupported }
                var blockFrames: UInt64 = 1
                if codec == .ima4 {
                    guard chunk.size >= 20,
                        let frames = bytes.littleEndian(UInt16.self, at: chunk.begin + 18)
                    else { throw .damaged }
                    blockFrames = UInt64(frames)
                }
                format = (codec, rate, blockBytes, blockFrames)
            case "data":
                // A program that writes the file during the recording does not know the size yet.
                let isOpen = chunk.size == Int(UInt32.max)
                guard let format, format.blockBytes > 0, chunk.isWhole || isOpen else {
                    throw .damaged
                }
                let soundBytes = isOpen ? bytes.count - chunk.begin : chunk.size
                return try SoundFacts(
                    format.codec,
                    frames: UInt64(soundBytes) / UInt64(format.blockBytes) * format.blockFrames,
                    perSecond: Double(format.rate)
                )
            default: break
            }
        }
        throw .damaged
    }

    // MARK: The chunks of aiff and wav

    private struct Chunk {
        var name: String
        var begin: Int
        var size: Int
        /// Whether the file goes on to its end.
        var isWhole: Bool
    }

    /// The chunks behind the first twelve bytes, each padded to an even size.
    private static func chunks(_ bytes: HeaderBytes, size: (Int) -> UInt32?) -> [Chunk] {
        var chunks: [Chunk] = []
        var offset = 12
        while chunks.count < chunkLimit, let name = bytes.text(at: offset),
            let size = size(offset + 4).map(Int.init)
        {
            let begin = offset + 8
            let isWhole = size <= bytes.count - begin
            chunks.append(Chunk(name: name, begin: begin, size: size, isWhole: isWhole))
            guard isWhole else { break }
            offset = begin + size + size % 2
        }
        return chunks
    }
}
