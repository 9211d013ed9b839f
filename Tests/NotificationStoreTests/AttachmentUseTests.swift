internal import BelfryLMDB
internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What refers to attachments (ATT-7, ADD-6)", .timeLimit(.minutes(2)))
struct AttachmentUseTests {
    let test: TestStore
    let files: TestAttachments

    private static let day = Duration.seconds(86_400)

    init() throws {
        test = try TestStore { $0.limits.deliveredPerCenter = 3 }
        files = TestAttachments(test: test)
    }

    /// Stores a picture, and gives its name.
    private func picture(
        _ count: Int = 100,
        _ purpose: AttachmentPurpose = .notification
    ) async throws -> String {
        let metadata = AttachmentMetadata(fileName: "a.png", purpose: purpose)
        return try await files.put(SampleFiles.png(bytes: count), metadata).identifier
    }

    private func titled(
        _ identifier: String,
        in interval: Duration? = nil,
        repeats: Bool = false,
        with names: String...
    ) throws -> NotificationRequest {
        try .titled(identifier, in: interval, repeats: repeats) { content in
            content.attachments = names.enumerated().map { index, name in
                NotificationAttachment(identifier: "\(index)", file: name)
            }
        }
    }

    /// Whether an attachment is there; that its file agrees is held too.
    private func isThere(_ name: String) async -> Bool {
        let isThere = (try? test.store.attachment(name, of: TestAttachments.app)) != nil
        let isReadable = (try? await files.get(name)) != nil
        #expect(isThere == isReadable)
        return isThere
    }

    private func isUnreferenced(_ name: String) throws -> Bool {
        try test.store.attachment(name, of: TestAttachments.app).unreferencedUntil != nil
    }

    /// Closes the store; nothing disagrees, and there is no file without a row.
    private func audit() async throws {
        let rows = try test.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.keys(in: test.store.tables.attachments).count
        }
        #expect(await files.names().count == rows)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    // MARK: Adding

    @Test("A request gets the types of its attachments, and lists and events tell them (3.7)")
    func types() async throws {
        try await test.authorize()
        let name = try await picture()
        try await test.add(try titled("later", in: .seconds(60), with: name))
        try await test.add(try titled("now", with: name))
        let pending = try #require(try await test.pending().first)
        let delivered = try #require(try await test.delivered().first)
        for request in [pending.request, delivered.request] {
            #expect(request.content.attachments.map(\.type) == ["public.png"])
            #expect(request.content.attachments.map(\.file) == [name])
        }
        try await audit()
    }

    /// The references of a request, and the refusal.
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: String
        let purpose: AttachmentPurpose
        let change: @Sendable (inout NotificationContent, String) -> Void
    }

    private static let attachmentPath = "content.attachments[0]"
    private static let avatarPath = "content.communication.avatar"

    @Test(
        "A bad attachment refuses the request, and nothing is scheduled (ADD-6)",
        arguments: [
            Bad(
                testDescription: "unknown",
                refusal: "103 request.\(attachmentPath).file",
                purpose: .notification
            ) { content, _ in
                content.attachments = [NotificationAttachment(identifier: "a", file: "x")]
            },
            Bad(
                testDescription: "for an icon",
                refusal: "101 request.\(attachmentPath).file",
                purpose: .icon
            ) { $0.attachments = [NotificationAttachment(identifier: "a", file: $1)] },
            Bad(
                testDescription: "a moment that it does not have",
                refusal: "invalidField request.\(attachmentPath).thumbnailOffset",
                purpose: .notification
            ) {
                var attachment = NotificationAttachment(identifier: "a", file: $1)
                attachment.thumbnailTime = .offset(nanoseconds: 1)
                $0.attachments = [attachment]
            },
            Bad(
                testDescription: "unknown avatar",
                refusal: "103 request.\(avatarPath)",
                purpose: .icon
            ) {
                content,
                _ in
                content.communication = Communication(
                    kind: .message,
                    sender: "a",
                    avatarAttachment: "x"
                )
            },
            Bad(
                testDescription: "avatar of a rich push",
                refusal: "101 request.\(avatarPath)",
                purpose: .richPush
            ) {
                $0.communication = Communication(
                    kind: .message,
                    sender: "a",
                    avatarAttachment: $1
                )
            },
        ]
    )
    func refused(bad: Bad) async throws {
        try await test.authorize()
        let name = try await picture(100, bad.purpose)
        try await test.add(.titled("a", in: .seconds(60)) { $0.body = "before" })
        let refusal = await files.refusal {
            try await test.add(.titled("a", in: .seconds(60)) { bad.change(&$0, name) })
        }
        #expect(refusal == bad.refusal)
        // The pending request of the identifier is as it was (ADD-10).
        #expect(try await test.pending().map(\.request.content.body) == ["before"])
        #expect(try isUnreferenced(name))
        try await audit()
    }

    @Test("An app that may not notify is told that first, and another app's file is not its own")
    func order() async throws {
        let name = try await picture()
        try await test.authorize(answer: .deny)
        let denied = await files.refusal { try await test.add(try titled("a", with: "x")) }
        #expect(denied == "1")
        let other = CenterName.local("org.example.other")
        try await test.authorize(for: other)
        let foreign = await files.refusal {
            try await test.add(try titled("a", with: name), to: other)
        }
        #expect(foreign == "103 request.content.attachments[0].file")
        try await audit()
    }

    // MARK: Holding

    @Test("It is kept while its request is pending, and goes with it")
    func pending() async throws {
        try await test.authorize()
        let name = try await picture()
        #expect(try isUnreferenced(name))
        try await test.add(try titled("a", in: .seconds(1_000_000), with: name, name))
        #expect(try !isUnreferenced(name))
        try await test.advance(by: Self.day * 2)
        try test.reopen()
        #expect(await isThere(name))
        try await test.removePending(["a"])
        #expect(await !isThere(name))
        try await audit()
    }

    @Test("It is kept while its notification is in the list, and goes with it")
    func delivered() async throws {
        try await test.authorize()
        let name = try await picture()
        try await test.add(try titled("a", in: .seconds(60), with: name))
        try await test.advance(by: Self.day * 2)
        #expect(try await test.delivered().count == 1)
        #expect(await isThere(name))
        // The events tell of the file for five days more, and do not hold it.
        try await test.removeDelivered(["a"])
        #expect(await !isThere(name))
        let named = try await test.events().contains { event in
            guard case .delivered(let delivered) = event.kind else { return false }
            return delivered.notification.request.content.attachments.map(\.file) == [name]
        }
        #expect(named)
        try await audit()
    }

    @Test("It goes with a notification that is too old, or one too many")
    func retention() async throws {
        try await test.authorize()
        let (old, pushed) = (try await picture(100), try await picture(101))
        try await test.add(try titled("pushed", with: pushed))
        for number in 0..<3 { try await test.add(.titled("\(number)")) }
        #expect(await !isThere(pushed))
        try await test.add(try titled("old", with: old))
        try await test.advance(by: Self.day * 7)
        #expect(await !isThere(old))
        try await audit()
    }

    @Test("A newer one under the identifier takes its place")
    func replaced() async throws {
        try await test.authorize()
        let (first, second) = (try await picture(100), try await picture(101))
        try await test.add(try titled("a", in: .seconds(60), with: first))
        try await test.add(try titled("a", in: .seconds(60), with: first, second))
        #expect(await isThere(first))
        try await test.add(try titled("a", in: .seconds(60), with: second))
        #expect(await !isThere(first))
        try await test.advance(by: .seconds(60))
        // Delivered and pending again: both hold it, each for itself.
        try await test.add(try titled("a", in: .seconds(60), with: second))
        try await test.removeDelivered(["a"])
        #expect(await isThere(second))
        try await test.advance(by: .seconds(60))
        try await test.add(.titled("a"))
        #expect(await !isThere(second))
        try await audit()
    }

    @Test("One that repeats keeps it from delivery to delivery")
    func repeating() async throws {
        try await test.authorize()
        let name = try await picture()
        try await test.add(try titled("a", in: .seconds(3_600), repeats: true, with: name))
        try await test.advance(by: Self.day * 2)
        try await test.removeDelivered(["a"])
        #expect(await isThere(name))
        try await test.advance(by: .seconds(3_600))
        try await test.removePending(["a"])
        #expect(await isThere(name))
        try await test.removeAllDelivered()
        #expect(await !isThere(name))
        try await audit()
    }

    @Test("What is never shown gives it back at once, what is asked about when that ends")
    func notShown() async throws {
        let name = try await picture()
        try await test.authorize()
        let app = try test.subscribe(
            as: DelegateRole(capabilities: [.willPresent]),
            .foreground,
            named: "first"
        )
        #expect(try await test.add(try titled("a", with: name)).state == .arriving)
        let callback = try #require(try await app.callbacks(1).first)
        try await test.advance(.by(nanoseconds: 1))
        #expect(await isThere(name))
        try await test.complete([callback.number], with: .present([]), through: app)
        #expect(await !isThere(name))
        let second = try await picture(101)
        #expect(try await test.add(try titled("b", with: second)).state == .arriving)
        try await test.removeDelivered(["b"])
        #expect(await !isThere(second))
        try await audit()
    }

    @Test("An avatar is held as an attachment is")
    func avatar() async throws {
        try await test.authorize()
        let name = try await picture(100, .icon)
        try await test.add(
            .titled("a", in: .seconds(60)) { content in
                content.communication = Communication(
                    kind: .message,
                    sender: "Ann",
                    avatarAttachment: name
                )
            }
        )
        try await test.advance(by: Self.day * 2)
        #expect(await isThere(name))
        try await test.removeAllDelivered()
        #expect(await !isThere(name))
        try await audit()
    }

    @Test("Many requests of one batch share one, and the last lets it go")
    func shared() async throws {
        try await test.authorize()
        let name = try await picture()
        let requests = try (0..<300).map {
            try titled("\($0)", in: .seconds(1_000_000), with: name)
        }
        let results = try await test.addBatch(
            requests.map { .success($0) } + [.success(try titled("bad", with: "x"))]
        )
        #expect(results.filter { (try? $0.get()) == nil }.count == 1)
        try await test.removePending((0..<299).map { "\($0)" })
        #expect(await isThere(name))
        #expect(try await test.removeAllPending() == 1)
        #expect(await !isThere(name))
        try await audit()
    }

    // MARK: Apps

    private func register(_ icon: String, device: String = "") async throws {
        var registration = AppRegistration()
        registration.icon = icon
        let center = try CenterName(app: TestAttachments.app, device: device)
        _ = try await test.result { [registration] in
            $0.registerApp(center, with: registration, completion: $1)
        }.get()
    }

    @Test("An app's icon is kept on each device, until it has another or is taken off")
    func icon() async throws {
        let (first, second) = (try await picture(100, .icon), try await picture(101, .icon))
        try await register(first)
        try await register(first, device: "other")
        try await register(first)
        try await test.advance(by: Self.day * 2)
        #expect(await isThere(first))
        let again = try await picture(101, .icon)
        #expect(again == second)
        try await register(second)
        #expect(await isThere(first))
        try await register("", device: "other")
        #expect(await !isThere(first))
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        #expect(await !isThere(second))
        try await audit()
    }

    @Test("An app whose icon is not there, or no picture, is not registered")
    func badIcon() async throws {
        let sound = try await files.put(
            SampleFiles.wave(),
            AttachmentMetadata(fileName: "a.wav")
        )
        #expect(
            await files.refusal { try await register("x") } == "103 registration.iconFile"
        )
        #expect(
            await files.refusal { try await register(sound.identifier) }
                == "101 registration.iconFile"
        )
        #expect(throws: Refusal.self) { try test.state() }
        try await audit()
    }

    @Test("An app that is taken off gives back all that its requests hold")
    func unregistered() async throws {
        try await test.authorize()
        let names = [try await picture(100), try await picture(101), try await picture(102)]
        try await test.add(try titled("pending", in: .seconds(1_000_000), with: names[0]))
        try await test.add(try titled("delivered", with: names[1]))
        let app = try test.subscribe(
            as: DelegateRole(capabilities: [.willPresent]),
            .foreground,
            named: "first"
        )
        try await test.add(try titled("arriving", with: names[2]))
        _ = try await app.callbacks(1)
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        for name in names { #expect(await !isThere(name)) }
        try await audit()
    }
}
