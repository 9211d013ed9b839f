internal import NotificationCore
internal import Testing

@Suite("What a notification says of its attachments (§3.7)")
struct NotificationAttachmentTests {
    /// A change to a good reference to a film, and what is refused.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refused: FieldPath?
        let change: @Sendable (inout NotificationAttachment) -> Void

        init(
            _ rule: String,
            refused: FieldPath? = nil,
            _ change: @escaping @Sendable (inout NotificationAttachment) -> Void
        ) {
            testDescription = rule
            self.refused = refused
            self.change = change
        }
    }

    private static func rect(
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double
    ) -> UnitRect {
        UnitRect(x: x, y: y, width: width, height: height)
    }

    private static let identifiers: [Row] = [
        Row("3.7 an identifier") { $0.identifier = "a" },
        Row("3.7 no identifier", refused: [.identifier]) { $0.identifier = "" },
        Row("3.7 an identifier of 256 bytes") {
            $0.identifier = String(repeating: "a", count: 256)
        },
        Row("3.7 an identifier of 257 bytes", refused: [.identifier]) {
            $0.identifier = String(repeating: "a", count: 257)
        },
    ]

    private static let rects: [Row] = [
        Row("ATT-9 all of it") { $0.clippingRect = rect(0, 0, 1, 1) },
        Row("ATT-9 a part of it") { $0.clippingRect = rect(0.25, 0.5, 0.75, 0.5) },
        Row("ATT-9 too far to the right", refused: [.thumbnailClippingRect]) {
            $0.clippingRect = rect(0.5, 0, 0.51, 1)
        },
        Row("ATT-9 too far down", refused: [.thumbnailClippingRect]) {
            $0.clippingRect = rect(0, 0.5, 1, 0.51)
        },
        Row("ATT-9 above it", refused: [.thumbnailClippingRect]) {
            $0.clippingRect = rect(0, -0.1, 1, 1)
        },
        Row("ATT-9 of no width", refused: [.thumbnailClippingRect]) {
            $0.clippingRect = rect(0, 0, 0, 1)
        },
        Row("ATT-9 of no number", refused: [.thumbnailClippingRect]) {
            $0.clippingRect = rect(.nan, 0, 1, 1)
        },
    ]

    private static let times: [Row] = [
        Row("ATT-9 the beginning") { $0.thumbnailTime = .offset(nanoseconds: 0) },
        Row("ATT-9 before the beginning", refused: [.thumbnailOffset]) {
            $0.thumbnailTime = .offset(nanoseconds: -1)
        },
        Row("3.7 no thumbnail") { $0.isThumbnailHidden = true },
    ]

    @Test("A reference is judged by itself", arguments: identifiers + rects + times)
    func validate(row: Row) {
        var attachment = NotificationAttachment(identifier: "one", file: "file")
        row.change(&attachment)
        var content = NotificationContent()
        content.attachments = [NotificationAttachment(identifier: "a", file: "b"), attachment]
        let request = NotificationRequest(identifier: "request", content: content)
        let attachments: FieldPath = [.content, .attachments]
        var refused: [FieldPath] = []
        do throws(Refusal) {
            try request.validate()
        } catch {
            refused = error.fields.map(\.path)
        }
        #expect(refused == (row.refused.map { [FieldPath(attachments[1].steps + $0.steps)] } ?? []))
    }

    @Test(
        "A moment is one that such a file has (ATT-9)",
        arguments: [
            ("public.mpeg-4", ThumbnailTime.offset(nanoseconds: 5), nil),
            ("public.avi", .offset(nanoseconds: 5), nil),
            ("com.compuserve.gif", .frame(3), nil), ("public.png", .frame(3), nil),
            ("public.jpeg", nil, nil), ("public.mp3", nil, nil),
            ("public.jpeg", .frame(3), [.thumbnailFrame]),
            ("public.mpeg-4", .frame(3), [.thumbnailFrame]),
            ("public.png", .offset(nanoseconds: 5), [.thumbnailOffset]),
            ("public.mp3", .offset(nanoseconds: 5), [.thumbnailOffset]),
        ] as [(String, ThumbnailTime?, FieldPath?)]
    )
    func moment(type: String, time: ThumbnailTime?, refused: FieldPath?) {
        var attachment = NotificationAttachment(identifier: "one", file: "file")
        attachment.thumbnailTime = time
        do throws(Refusal) {
            try attachment.resolve(type: type, purpose: .notification, [.file])
            #expect(refused == nil)
            #expect(attachment.type == type)
        } catch {
            #expect(
                error.fields.map(\.path) == [refused.map { FieldPath([.field(.file)] + $0.steps) }]
            )
        }
    }

    @Test("Only files that were stored for notifications are shown by them")
    func purpose() {
        for purpose in [AttachmentPurpose.sound, .icon, .richPush] {
            var attachment = NotificationAttachment(identifier: "one", file: "file")
            let refusal = #expect(throws: Refusal.self) {
                try attachment.resolve(type: "public.png", purpose: purpose, [.file])
            }
            #expect(refusal?.unErrorCode == 101)
        }
    }

    @Test(
        "A person or an app has a picture",
        arguments: [
            (.icon, "public.png", true), (.notification, "public.jpeg", true),
            (.notification, "public.mpeg-4", false), (.sound, "public.png", false),
            (.richPush, "public.png", false),
        ] as [(AttachmentPurpose, String, Bool)]
    )
    func picture(purpose: AttachmentPurpose, type: String, isPicture: Bool) {
        #expect(purpose.isPicture(type) == isPicture)
    }
}
