/// The smallest files that attachments may be, and sounds of any length.
package enum SampleFiles {
    /// A picture of one pixel, with `padding` behind it that makes it another file.
    package static func png(_ padding: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + text("IHDR")
            + [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55] + padding
    }

    package static func png(bytes count: Int) -> [UInt8] {
        png([UInt8](repeating: 0x42, count: count - png().count))
    }

    package static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + text("JFIF") + [0, 1, 1]
    package static let gif: [UInt8] = text("GIF89a") + [1, 0, 1, 0, 0, 0, 0, 0x3B]
    /// A sound with a tag, and the beginning of a frame.
    package static let mp3: [UInt8] = text("ID3") + [4, 0, 0, 0, 0, 0, 0, 0xFF, 0xFB, 0x90, 0]
    /// A sound without a tag.
    package static let mp3Frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0, 0, 0, 0, 0]
    /// The beginning of a film's program stream.
    package static let mpeg: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1]
    /// The beginning of a film's pictures alone.
    package static let mpegVideo: [UInt8] = [0, 0, 1, 0xB3, 0x14, 0, 0xF0, 0x13]
    package static let avi: [UInt8] =
        text("RIFF") + [8, 0, 0, 0] + text("AVI LIST") + [0, 0, 0, 0]

    /// A container whose brand is `brand`.
    package static func media(_ brand: String) -> [UInt8] {
        [0, 0, 0, 16] + text("ftyp") + text(brand) + [0, 0, 2, 0]
    }

    // MARK: Sounds

    /// A wave file of 1,000 blocks a second.
    package static func wave(
        blocks: Int = 1_000,
        tag: UInt16 = 1,
        block: UInt16 = 2,
        rate: UInt32 = 1_000,
        format: [UInt8] = []
    ) -> [UInt8] {
        let bits: UInt16 = 16
        let head =
            little(tag) + little(UInt16(1)) + little(rate) + little(rate * UInt32(block))
            + little(block) + little(bits) + format
        let sound = [UInt8](repeating: 0, count: blocks * Int(block))
        let chunks =
            text("WAVEfmt ") + little(UInt32(head.count)) + head + text("data")
            + little(UInt32(sound.count)) + sound
        return text("RIFF") + little(UInt32(chunks.count)) + chunks
    }

    /// An aiff file of 1,000 frames or packets a second; an encoding makes it an aifc file.
    package static func aiff(frames: Int = 1_000, codec: String? = nil, unit: Int = 2) -> [UInt8] {
        // 1,000 is 1.953125 times 2 to the 9th.
        let rate = big(UInt16(16_383 + 9)) + big(UInt64(1_000) << 54)
        let common =
            big(UInt16(1)) + big(UInt32(frames)) + big(UInt16(16)) + rate
            + (codec.map { text($0) + [0, 0] } ?? [])
        let sound = [UInt8](repeating: 0, count: 8 + frames * unit)
        let chunks =
            text(codec == nil ? "AIFF" : "AIFC") + text("COMM") + big(UInt32(common.count))
            + common + text("SSND") + big(UInt32(sound.count)) + sound
        return text("FORM") + big(UInt32(chunks.count)) + chunks
    }

    /// A caf file of 1,000 frames a second.
    package static func coreAudio(
        packets: Int = 1_000,
        codec: String = "lpcm",
        bytes: UInt32 = 2,
        frames: UInt32 = 1,
        rate: Double = 1_000,
        isOpen: Bool = false
    ) -> [UInt8] {
        let head = text("caff") + [0, 1, 0, 0] + text("desc") + big(Int64(32))
        let description =
            big(rate.bitPattern) + text(codec) + big(UInt32(0)) + big(bytes) + big(frames)
            + big(UInt32(1)) + big(UInt32(16))
        let sound = [UInt8](repeating: 0, count: 4 + packets * Int(bytes))
        let free = text("free") + big(Int64(2)) + [0, 0]
        let size = isOpen ? -1 : Int64(sound.count)
        return head + description + free + text("data") + big(size) + sound
    }

    /// The bytes of ASCII text.
    package static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: value >> $0)
        }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] { big(value).reversed() }
}
