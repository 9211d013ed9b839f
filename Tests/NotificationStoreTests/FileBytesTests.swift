internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("How many bytes of files a caller may store (W-11)", .timeLimit(.minutes(2)))
struct FileBytesTests {
    private static let caller = Registrant(.token, "tea")
    private static let other = Registrant(.user, "1000")
    /// The bytes of one file of these tests.
    private static let size = 1_000

    private let test: TestStore

    init() throws {
        test = try TestStore { $0.limits.fileBytesPerCaller = 2 * Self.size }
    }

    /// Stores a file of an app, and gives its identifier.
    @discardableResult
    private func put(
        _ number: UInt8,
        of app: String = "org.example.app",
        by registrant: Registrant? = Self.caller,
        announced: Bool = true,
        size: Int = Self.size
    ) async throws -> String {
        var metadata = AttachmentMetadata(fileName: "payload", purpose: .richPush)
        metadata.mediaType = "text/plain"
        if announced { metadata.byteCount = UInt64(size) }
        let upload = try test.store.storeAttachment(metadata, of: app, by: registrant)
        let bytes = [UInt8](repeating: number, count: size)
        try await test.result { upload.append(bytes, completion: $1) }.get()
        return try await test.result { upload.finish(once: nil, completion: $1) }.get().identifier
    }

    private func refusal(_ body: () async throws -> String) async throws -> Refusal? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    private func bytes(of registrant: Registrant = Self.caller) throws -> Int {
        try test.store.reader.fileBytes(of: registrant)
    }

    @Test(
        "What does not fit is refused, also after a restart, and others go on",
        arguments: [true, false]
    )
    func limit(announced: Bool) async throws {
        try await put(1, of: "a", announced: announced)
        try await put(2, of: "b", announced: announced)
        for _ in 0..<2 {
            #expect(try bytes() == 2 * Self.size)
            let refused = try #require(
                try await refusal { try await put(3, of: "c", announced: announced, size: 1) }
            )
            #expect(refused.kind == .resourceExhausted)
            #expect(refused.reason == .fileBytesLimit)
            #expect(refused.fields.map(\.path) == [[.data]])
            #expect(refused.facts == [.limit: "2000", .callerKind: "token"])
            #expect(refused.retryAfterNanoseconds == nil)
            try test.reopen()
        }
        try await put(4, of: "a", by: Self.other)
        try await put(5, of: "a", by: nil, size: 3 * Self.size)
        #expect(try bytes(of: Self.other) == Self.size)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Uploads at the same time cannot pass the limit together")
    func together() async throws {
        var uploads: [AttachmentUpload] = []
        var refusals: [Reason] = []
        for number in 1...3 as ClosedRange<UInt8> {
            var metadata = AttachmentMetadata(fileName: "payload", purpose: .richPush)
            metadata.mediaType = "text/plain"
            let upload = try test.store.storeAttachment(metadata, of: "a", by: Self.caller)
            let bytes = [UInt8](repeating: number, count: Self.size)
            let result = await test.result { upload.append(bytes, completion: $1) }
            if case .failure(let refusal) = result { refusals.append(refusal.reason) }
            uploads.append(upload)
        }
        // The bytes on the disk count before the files are recorded.
        #expect(refusals == [.fileBytesLimit])
        for upload in uploads.prefix(2) {
            _ = try await test.result { upload.finish(once: nil, completion: $1) }.get()
        }
        #expect(try bytes() == 2 * Self.size)
        // The refused upload has given its room back.
        try await put(4, of: "a", by: Self.other)
    }

    @Test("A file counts once, for who stored it first, until it is deleted")
    func until() async throws {
        try await put(1)
        try await put(1, by: Self.other)
        try await put(1, by: nil)
        #expect(try bytes() == Self.size)
        #expect(try bytes(of: Self.other) == 0)
        try await test.advance(by: .seconds(Limits.unreferencedNanoseconds / 1_000_000_000))
        #expect(try bytes() == 0)
        // A caller that has nothing has no row.
        let count = try test.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.keys(in: test.store.tables.registrants).count
        }
        #expect(count == 0)
        try await put(2)
        try await put(3)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
