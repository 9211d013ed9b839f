internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("What the bytes of a file say that it is (ATT-3, ATT-10)")
struct AttachmentBytesTests {
    /// Bytes under a name, and the error that they are refused with.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let bytes: [UInt8]
        let refused: Int?

        init(_ rule: String, _ name: String, _ bytes: [UInt8], refused: Int? = nil) {
            testDescription = rule
            self.name = name
            self.bytes = bytes
            self.refused = refused
        }
    }

    private typealias Files = SampleFiles

    private static let right: [Row] = [
        Row("aiff", "a.aiff", Files.aiff(frames: 1)),
        Row("aifc", "a.aif", Files.aiff(frames: 1, codec: "sowt")),
        Row("wav", "a.wav", Files.wave(blocks: 1)),
        Row("mp3", "a.mp3", Files.mp3),
        Row("mp3 without a tag", "a.mp3", Files.mp3Frame),
        Row("m4a", "a.m4a", Files.media("M4A ")),
        Row("m4a of another brand", "a.m4a", Files.media("mp42")),
        Row("jpeg", "a.jpg", Files.jpeg),
        Row("gif", "a.gif", Files.gif),
        Row("png", "a.png", Files.png()),
        Row("mpeg", "a.mpg", Files.mpeg),
        Row("mpeg video", "a.m2v", Files.mpegVideo),
        Row("mp4", "a.mp4", Files.media("isom")),
        Row("avi", "a.avi", Files.avi),
    ]

    private static let wrong: [Row] = [
        Row("ATT-4 no bytes", "a.png", [], refused: 105),
        Row("ATT-4 one byte", "a.png", [0x89], refused: 105),
        Row("ATT-4 text", "a.png", Files.text("hello, I am a picture"), refused: 105),
        Row("ATT-3 another type", "a.png", Files.jpeg, refused: 101),
        Row("ATT-3 a sound that is a film", "a.wav", Files.avi, refused: 101),
        Row("ATT-3 a picture in a film's container", "a.mp4", Files.media("heic"), refused: 101),
        Row("ATT-3 a film of another maker", "a.mp4", Files.media("qt  "), refused: 101),
        Row(
            "ATT-4 a container of nothing known",
            "a.wav",
            Files.text("RIFF____WEBPVP8 "),
            refused: 105
        ),
        Row("ATT-4 a cut png", "a.png", Array(Files.png().dropLast()), refused: 105),
        Row("ATT-4 a png of no width", "a.png", zeroed(Files.png(), 16..<20), refused: 105),
        Row(
            "ATT-4 a png with damaged line ends",
            "a.png",
            zeroed(Files.png(), 4..<6),
            refused: 105
        ),
        Row("ATT-4 a cut gif", "a.gif", Array(Files.gif.prefix(12)), refused: 105),
        Row("ATT-4 a gif of no height", "a.gif", zeroed(Files.gif, 8..<10), refused: 105),
        Row("ATT-4 a gif of no version", "a.gif", zeroed(Files.gif, 4..<6), refused: 105),
        Row("ATT-4 a cut jpeg", "a.jpg", Array(Files.jpeg.prefix(5)), refused: 105),
        Row("ATT-4 a cut wav", "a.wav", Array(Files.wave().prefix(12)), refused: 105),
        Row("ATT-4 a cut aiff", "a.aiff", Array(Files.aiff().prefix(15)), refused: 105),
        Row("ATT-4 a cut mp4", "a.mp4", Array(Files.media("isom").prefix(10)), refused: 105),
        Row("ATT-4 a cut mp3", "a.mp3", Array(Files.mp3.prefix(9)), refused: 105),
        Row(
            "ATT-4 a frame of a reserved version",
            "a.mp3",
            [0xFF, 0xEB] + Files.mp3,
            refused: 105
        ),
        Row("ATT-4 a frame of aac", "a.mp3", [0xFF, 0xF1] + Files.mp3, refused: 105),
    ]

    private static func zeroed(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var bytes = bytes
        for index in range { bytes[index] = 0 }
        return bytes
    }

    @Test("They are held against the type", arguments: right + wrong)
    func check(row: Row) throws {
        let form = try AttachmentMetadata(fileName: row.name).validate()
        do throws(Refusal) {
            _ = try form.check(row.bytes)
            #expect(row.refused == nil)
        } catch {
            #expect(error.unErrorCode == row.refused)
            #expect(error.fields.map(\.path) == [[.data]])
        }
    }

    @Test("A payload may be anything but empty")
    func payload() throws {
        let form = try AttachmentMetadata(fileName: "a.png", purpose: .richPush).validate()
        #expect(try form.check([0]) == nil)
        #expect(throws: Refusal.self) { try form.check([]) }
    }

    @Test("Bytes of any kind are judged, and never read beyond their end")
    func hostile() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let good =
            Self.right + [
                Row("sound", "a.caf", Files.coreAudio()), Row("sound", "a.wav", Files.wave()),
                Row("sound", "a.aiff", Files.aiff(codec: "ima4", unit: 34)),
            ]
        for _ in 0..<20_000 {
            guard let row = good.randomElement(using: &generator) else { continue }
            var bytes = row.bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<min(bytes.count, 80), using: &generator)
                bytes[index] =
                    [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            for purpose in [AttachmentPurpose.notification, .sound] {
                let metadata = AttachmentMetadata(fileName: row.name, purpose: purpose)
                guard let form = try? metadata.validate() else { continue }
                if let facts = try? form.check(bytes) {
                    #expect(facts.durationNanoseconds >= 0, "SEED=\(seed)")
                }
            }
        }
    }
}
