internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("What a caller says of a file (§14)")
struct AttachmentMetadataTests {
    /// The metadata of a file, and the form or the refusal that follows.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let metadata: AttachmentMetadata
        let refused: String?

        init(
            _ rule: String,
            _ name: String,
            refused: String? = nil,
            _ purpose: AttachmentPurpose = .notification,
            _ change: (inout AttachmentMetadata) -> Void = { _ in }
        ) {
            testDescription = rule
            var metadata = AttachmentMetadata(fileName: name, purpose: purpose)
            change(&metadata)
            self.metadata = metadata
            self.refused = refused
        }
    }

    private static let names: [Row] = [
        Row("ATT-4 a name", "a.png"),
        Row("ATT-4 a name of other letters", "Größe 1.png"),
        Row("ATT-4 a name of 256 bytes", String(repeating: "x", count: 252) + ".png"),
        Row(
            "ATT-4 a name of 257 bytes",
            String(repeating: "x", count: 253) + ".png",
            refused: "100 fileName"
        ),
        Row("ATT-4 no name", "", refused: "100 fileName"),
        Row("ATT-4 a path", "/etc/a.png", refused: "100 fileName"),
        Row("ATT-4 a path of another system", "C:\\a.png", refused: "100 fileName"),
        Row("ATT-2 a remote URL", "https://example.org/a.png", refused: "100 fileName"),
        Row("ATT-4 the directory", ".", refused: "100 fileName"),
        Row("ATT-4 the directory above", "..", refused: "100 fileName"),
        Row("ATT-4 a name with a zero byte", "a\0.png", refused: "100 fileName"),
        Row("ATT-4 a name with a C1 control", "a\u{85}.png", refused: "100 fileName"),
        Row("ATT-4 a name that runs backward", "gnp.\u{202E}a.png", refused: "100 fileName"),
        Row("ATT-4 a name with an isolate", "a\u{2066}.png", refused: "100 fileName"),
        Row("ATT-4 a name of two lines", "a\u{2028}.png", refused: "100 fileName"),
        Row("ATT-4 a name with a joiner", "👩\u{200D}🚀.png"),
    ]

    private static let types: [Row] = [
        Row("ATT-3 neither hint nor ending", "a", refused: "101 fileName"),
        Row("ATT-3 a name that is only an ending", ".png", refused: "101 fileName"),
        Row("ATT-3 an ending that is not known", "a.txt", refused: "101 fileName"),
        Row("ATT-3 an empty ending", "a.png.", refused: "101 fileName"),
        Row("ATT-3 an ending in capitals", "A.PNG"),
        Row("3.7 a hint without an ending", "a") { $0.typeHint = "public.png" },
        Row("3.7 a hint before the ending", "a.txt") { $0.typeHint = "public.png" },
        Row("ATT-3 a hint that is not known", "a.png", refused: "101 typeHint") {
            $0.typeHint = "public.text"
        },
        Row("SND-2 a caf file is for sounds alone", "a.caf", refused: "101 fileName"),
        Row("SND-2 caf", "a.caf", .sound),
        Row("SND-2 aiff", "a.aiff", .sound),
        Row("SND-2 wav", "a.wav", .sound),
        Row("SND-2 another sound", "a.mp3", refused: "101 fileName", .sound),
        Row("an icon", "a.jpg", .icon),
        Row("an icon that is a film", "a.mp4", refused: "101 fileName", .icon),
        Row("a payload of any type", "a.html", .richPush),
        Row("a payload without an ending", "a", .richPush),
        Row("a payload with a hint of 257 bytes", "a", refused: "101 typeHint", .richPush) {
            $0.typeHint = String(repeating: "x", count: 257)
        },
    ]

    private static let others: [Row] = [
        Row("ATT-1 a size at the limit", "a.png") { $0.byteCount = 10 << 20 },
        Row("ATT-1 a size above the limit", "a.png", refused: "102 byteCount") {
            $0.byteCount = 10 << 20 + 1
        },
        Row("ATT-1 the greatest size", "a.png", refused: "102 byteCount") {
            $0.byteCount = .max
        },
        Row("ATT-4 a size of 0", "a.png", refused: "105 byteCount") { $0.byteCount = 0 },
        Row("a checksum", "a.png") { $0.sha256 = String(repeating: "aF", count: 32) },
        Row("a checksum that is cut", "a.png", refused: "sha256") {
            $0.sha256 = String(repeating: "a", count: 63)
        },
        Row("a checksum of other letters", "a.png", refused: "sha256") {
            $0.sha256 = String(repeating: "x", count: 64)
        },
        Row("the media type of a picture", "a.png", refused: "mediaType") {
            $0.mediaType = "image/png"
        },
        Row("the media type of a payload", "a", .richPush) { $0.mediaType = "text/html" },
        Row("half a media type", "a", refused: "mediaType", .richPush) { $0.mediaType = "text/" },
        Row("a media type with a parameter", "a", refused: "mediaType", .richPush) {
            $0.mediaType = "text/html;a"
        },
    ]

    @Test("It is judged by its first fault", arguments: names + types + others)
    func validate(row: Row) {
        var refused: String?
        do throws(Refusal) {
            _ = try row.metadata.validate()
        } catch {
            #expect(error.fields.count == 1)
            refused =
                (error.unErrorCode.map { "\($0) " } ?? "") + (error.fields.first?.path.text ?? "")
        }
        #expect(refused == row.refused)
    }

    @Test(
        "Each type has its limit, its endings and its media type",
        arguments: [
            ("aif", "public.aiff-audio", "audio/aiff", 5),
            ("aiff", "public.aiff-audio", "audio/aiff", 5),
            ("wav", "com.microsoft.waveform-audio", "audio/wav", 5),
            ("mp3", "public.mp3", "audio/mpeg", 5), ("m4a", "public.mpeg-4-audio", "audio/mp4", 5),
            ("jpg", "public.jpeg", "image/jpeg", 10), ("jpeg", "public.jpeg", "image/jpeg", 10),
            ("gif", "com.compuserve.gif", "image/gif", 10), ("png", "public.png", "image/png", 10),
            ("mpg", "public.mpeg", "video/mpeg", 50), ("mpeg", "public.mpeg", "video/mpeg", 50),
            ("m2v", "public.mpeg-2-video", "video/mpeg", 50),
            ("mp4", "public.mpeg-4", "video/mp4", 50), ("avi", "public.avi", "video/x-msvideo", 50),
        ]
    )
    func table(ending: String, identifier: String, mediaType: String, megabytes: Int) throws {
        let form = try AttachmentMetadata(fileName: "a." + ending).validate()
        #expect(form.identifier == identifier)
        #expect(form.mediaType == mediaType)
        #expect(form.byteLimit == megabytes << 20)
    }

    @Test("A payload is what its sender says, or what its name tells, or data")
    func payload() throws {
        var metadata = AttachmentMetadata(fileName: "a", purpose: .richPush)
        #expect(try metadata.validate().identifier == "public.data")
        #expect(try metadata.validate().mediaType == "application/octet-stream")
        metadata.fileName = "a.png"
        #expect(try metadata.validate().identifier == "public.png")
        #expect(try metadata.validate().byteLimit == 50 << 20)
        metadata.typeHint = "public.html"
        metadata.mediaType = "text/html"
        #expect(try metadata.validate().identifier == "public.html")
        #expect(try metadata.validate().mediaType == "text/html")
    }
}
