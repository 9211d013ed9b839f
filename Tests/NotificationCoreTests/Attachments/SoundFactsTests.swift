internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Sounds of apps (SND-2)")
struct SoundFactsTests {
    /// A sound's file, and the facts of its header or the refusal.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let bytes: [UInt8]
        let facts: SoundFacts?
        let refused: Int?

        init(_ rule: String, _ name: String, _ bytes: [UInt8], refused: Int) {
            testDescription = rule
            (self.name, self.bytes, facts, self.refused) = (name, bytes, nil, refused)
        }

        init(_ rule: String, _ name: String, _ bytes: [UInt8], _ codec: SoundCodec, _ ms: Int64) {
            testDescription = rule
            (self.name, self.bytes, refused) = (name, bytes, nil)
            facts = SoundFacts(codec: codec, durationNanoseconds: ms * 1_000_000)
        }
    }

    private typealias Files = SampleFiles

    private static let waves: [Row] = [
        Row("wav of linear PCM", "a.wav", Files.wave(), .linearPCM, 1_000),
        Row("wav of floating PCM", "a.wav", Files.wave(tag: 3), .linearPCM, 1_000),
        Row("wav of aLaw", "a.wav", Files.wave(tag: 6, block: 1), .aLaw, 1_000),
        Row("wav of µLaw", "a.wav", Files.wave(tag: 7, block: 1), .uLaw, 1_000),
        Row(
            "wav of MA4",
            "a.wav",
            Files.wave(blocks: 10, tag: 0x11, block: 36, format: [2, 0, 65, 0]),
            .ima4,
            650
        ),
        Row(
            "wav of an extensible format",
            "a.wav",
            Files.wave(tag: 0xFFFE, format: [22, 0, 16, 0, 4, 0, 0, 0, 1] + zeros(15)),
            .linearPCM,
            1_000
        ),
        Row("wav of another encoding", "a.wav", Files.wave(tag: 0x55), refused: 101),
        Row("wav without a sound", "a.wav", Files.wave(blocks: 0), refused: 105),
        Row("wav without a rate", "a.wav", Files.wave(rate: 0), refused: 105),
        Row("wav that is cut", "a.wav", Array(Files.wave().dropLast()), refused: 105),
        Row("wav of blocks of nothing", "a.wav", Files.wave(block: 0), refused: 105),
        Row("wav of MA4 without its blocks", "a.wav", Files.wave(tag: 0x11), refused: 105),
    ]

    private static let aiffs: [Row] = [
        Row("aiff", "a.aiff", Files.aiff(), .linearPCM, 1_000),
        Row("aifc of linear PCM", "a.aiff", Files.aiff(codec: "sowt"), .linearPCM, 1_000),
        Row("aifc of µLaw", "a.aiff", Files.aiff(codec: "ulaw", unit: 1), .uLaw, 1_000),
        Row("aifc of aLaw", "a.aiff", Files.aiff(codec: "ALAW", unit: 1), .aLaw, 1_000),
        Row("aifc of MA4", "a.aif", Files.aiff(frames: 10, codec: "ima4", unit: 34), .ima4, 640),
        Row("aifc of another encoding", "a.aiff", Files.aiff(codec: "MAC3"), refused: 101),
        Row("aiff without a sound", "a.aiff", Files.aiff(frames: 0), refused: 105),
        Row("aiff that says more than it has", "a.aiff", Files.aiff(unit: 1), refused: 105),
        Row("aiff that is cut", "a.aiff", Array(Files.aiff().prefix(60)), refused: 105),
    ]

    private static let coreAudios: [Row] = [
        Row("caf of linear PCM", "a.caf", Files.coreAudio(), .linearPCM, 1_000),
        Row("caf of µLaw", "a.caf", Files.coreAudio(codec: "ulaw", bytes: 1), .uLaw, 1_000),
        Row("caf of aLaw", "a.caf", Files.coreAudio(codec: "alaw", bytes: 1), .aLaw, 1_000),
        Row(
            "caf of MA4",
            "a.caf",
            Files.coreAudio(packets: 10, codec: "ima4", bytes: 34, frames: 64),
            .ima4,
            640
        ),
        Row("caf up to the end", "a.caf", Files.coreAudio(isOpen: true), .linearPCM, 1_000),
        Row("caf of another encoding", "a.caf", Files.coreAudio(codec: "aac "), refused: 101),
        Row("caf without a sound", "a.caf", Files.coreAudio(packets: 0), refused: 105),
        Row("caf without a rate", "a.caf", Files.coreAudio(rate: 0), refused: 105),
        Row("caf of a rate that is no number", "a.caf", Files.coreAudio(rate: .nan), refused: 105),
        Row("caf of a rate below zero", "a.caf", Files.coreAudio(rate: -1), refused: 105),
        Row("caf that is cut", "a.caf", Array(Files.coreAudio().dropLast()), refused: 105),
        Row("caf of packets of nothing", "a.caf", Files.coreAudio(bytes: 0), refused: 105),
    ]

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    @Test("Each container tells encoding and length", arguments: waves + aiffs + coreAudios)
    func facts(row: Row) throws {
        let form = try AttachmentMetadata(fileName: row.name, purpose: .sound).validate()
        do throws(Refusal) {
            #expect(try form.check(row.bytes) == row.facts)
        } catch {
            #expect(error.unErrorCode == row.refused)
        }
    }

    @Test(
        "A sound of 30 s is too long, one that is shorter is not",
        arguments: [(29_999, false), (30_000, true), (30_001, true)]
    )
    func length(milliseconds: Int, isTooLong: Bool) throws {
        let form = try AttachmentMetadata(fileName: "a.wav", purpose: .sound).validate()
        #expect(try form.check(Files.wave(blocks: milliseconds))?.isTooLong == isTooLong)
    }

    @Test("A sound that lasts longer than any clock counts is too long")
    func endless() throws {
        let form = try AttachmentMetadata(fileName: "a.caf", purpose: .sound).validate()
        let facts = try form.check(Files.coreAudio(rate: .leastNonzeroMagnitude))
        #expect(facts == nil || facts?.isTooLong == true)
    }

    @Test("A file of nothing but small chunks is given up")
    func chunks() throws {
        let form = try AttachmentMetadata(fileName: "a.aiff", purpose: .sound).validate()
        let many = (0..<400_000).flatMap { _ in Files.text("free") + Self.zeros(4) }
        let bytes = Files.text("FORM") + Self.zeros(4) + Files.text("AIFF") + many
        #expect(throws: Refusal.self) { try form.check(bytes) }
    }
}
