internal import BelfryLocking
internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Attachments in the store (§14)")
struct AttachmentTests {
    let test: TestStore
    let files: TestAttachments

    init() throws {
        test = try TestStore {
            $0.limits.attachmentBytesPerApp = 10_000
            $0.limits.attachmentsPerApp = 3
            $0.limits.transfers = 4
        }
        files = TestAttachments(test: test)
    }

    private func png(_ count: Int) -> [UInt8] {
        SampleFiles.png(bytes: count)
    }

    private func audit() throws -> [String] {
        test.close()
        return try StoreAudit.problems(in: test.directory.path)
    }

    @Test("What is stored is told, fetched from any offset, and there after a restart")
    func life() async throws {
        let bytes = png(5_000)
        let stored = try await files.put(bytes)
        #expect(stored.type == "public.png")
        #expect(stored.mediaType == "image/png")
        #expect(stored.fileName == "a.png")
        #expect(stored.byteCount == 5_000)
        #expect(stored.createdAt == .newYear)
        #expect(stored.unreferencedUntil == .newYear + .seconds(86_400))
        #expect(await files.names().count == 1)
        try test.reopen()
        #expect(try test.store.attachment(stored.identifier, of: TestAttachments.app) == stored)
        for offset in [0, 1, 4_999, 5_000] as [UInt64] {
            #expect(
                try await files.get(stored.identifier, from: offset)
                    == Array(bytes.dropFirst(Int(offset)))
            )
        }
        #expect(
            await files.refusal { _ = try await files.get(stored.identifier, from: 5_001) }
                == "attachmentOffsetInvalid offset"
        )
        #expect(await files.names().count == 1)
        #expect(try audit() == [])
    }

    @Test("A file of many parts is fetched as it was sent")
    func large() async throws {
        let test = try TestStore()
        let files = TestAttachments(test: test)
        let bytes = png(1_000_000)
        let stored = try await files.put(bytes, partSize: 256 * 1024)
        #expect(try await files.get(stored.identifier) == bytes)
        #expect(
            try await files.get(stored.identifier, from: 262_145) == Array(bytes.dropFirst(262_145))
        )
    }

    @Test("One that is unknown, or another app's, is not in the store")
    func unknown() async throws {
        let stored = try await files.put(png(100))
        for identifier in ["", "x", "00000000-0000-8000-8000-000000000000"] {
            #expect(
                await files.refusal { _ = try await files.get(identifier) } == "103 file"
            )
        }
        let other = await files.refusal {
            _ = try test.store.attachment(stored.identifier, of: "org.example.other")
        }
        #expect(other == "103 file")
    }

    @Test("The same bytes of one app and purpose are stored once")
    func once() async throws {
        let first = try await files.put(png(100))
        try await test.advance(by: .seconds(10))
        var metadata = AttachmentMetadata(fileName: "b.png")
        let second = try await files.put(png(100), metadata)
        #expect(second.identifier == first.identifier)
        #expect(second.fileName == "a.png")
        #expect(second.createdAt == first.createdAt)
        // The file was stored again, so it stays a day from now.
        #expect(second.unreferencedUntil == first.unreferencedUntil.map { $0 + .seconds(10) })
        #expect(await files.names().count == 1)
        metadata.purpose = .icon
        let icon = try await files.put(png(100), metadata)
        let other = try await files.put(png(100), of: "org.example.other")
        #expect(Set([first, icon, other].map(\.identifier)).count == 3)
        #expect(await files.names().count == 3)
        #expect(try audit() == [])
    }

    // MARK: A refusal leaves nothing

    /// Metadata that the bytes do not fit, and the refusal.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: String
        let change: @Sendable (inout AttachmentMetadata, inout [UInt8]) -> Void
    }

    @Test(
        "A file that is not what was said of it is refused, and nothing is left of it",
        arguments: [
            Lie(testDescription: "no bytes", refusal: "105 data") { $1 = [] },
            Lie(testDescription: "another type", refusal: "101 data") { metadata, _ in
                metadata.fileName = "a.jpg"
            },
            Lie(testDescription: "damaged", refusal: "105 data") { $1[0] = 0 },
            Lie(testDescription: "fewer bytes", refusal: "105 metadata.byteCount") {
                metadata,
                _ in metadata.byteCount = 101
            },
            Lie(testDescription: "more bytes", refusal: "105 metadata.byteCount") {
                metadata,
                _ in metadata.byteCount = 99
            },
            Lie(testDescription: "another checksum", refusal: "105 metadata.sha256") {
                metadata,
                _ in metadata.sha256 = String(repeating: "0", count: 64)
            },
            Lie(testDescription: "no name", refusal: "100 metadata.fileName") { metadata, _ in
                metadata.fileName = "/etc/a.png"
            },
        ]
    )
    func lies(lie: Lie) async throws {
        var metadata = AttachmentMetadata(fileName: "a.png")
        var bytes = png(100)
        lie.change(&metadata, &bytes)
        #expect(await files.refusal { try await files.put(bytes, metadata) } == lie.refusal)
        #expect(await files.names() == [])
        // The room of the refused file is free again.
        try await files.put(png(10_000))
        #expect(try audit() == [])
    }

    @Test("The right size and checksum are taken, in capitals too")
    func truth() async throws {
        let stored = try await files.put(png(100))
        var metadata = AttachmentMetadata(fileName: "a.png")
        metadata.byteCount = 100
        metadata.sha256 = stored.sha256.uppercased()
        #expect(try await files.put(png(100), metadata) == stored)
    }

    @Test("A file may have the bytes of its kind, and not one more (ATT-1)")
    func kindLimit() async throws {
        let test = try TestStore()
        let files = TestAttachments(test: test)
        try await files.put(png(10 << 20), partSize: 1 << 20)
        let bytes = png(10 << 20 + 1)
        #expect(await files.refusal { try await files.put(bytes, partSize: 1 << 20) } == "102 data")
        #expect(await files.names().count == 1)
    }

    @Test("One that is cancelled, at whatever point, leaves nothing", arguments: 0..<3)
    func cancelled(parts: Int) async throws {
        let upload = try test.store.storeAttachment(.init(fileName: "a.png"), of: "a")
        for _ in 0..<parts {
            try await test.result { upload.append(png(100), completion: $1) }.get()
        }
        upload.cancel()
        upload.cancel()
        #expect(await files.names() == [])
        let late = await files.refusal {
            try await test.result { upload.append([1], completion: $1) }.get()
        }
        #expect(late == "uploadEnded")
    }

    @Test("One that is let go leaves nothing")
    func letGo() async throws {
        for _ in 0..<10 {
            let upload = try test.store.storeAttachment(.init(fileName: "a.png"), of: "a")
            try await test.result { upload.append(png(100), completion: $1) }.get()
        }
        #expect(await files.names() == [])
    }

    @Test("One that is cancelled while it is written or recorded is there whole or not at all")
    func cancelledMeanwhile() async throws {
        for _ in 0..<50 {
            let upload = try test.store.storeAttachment(.init(fileName: "a.png"), of: "a")
            let written = Pending<Void>()
            upload.append(png(100), completion: written.complete)
            if Bool.random() { upload.cancel() }
            let isWritten = (try? await written.value.get()) != nil
            let stored = Pending<StoredAttachment>()
            upload.finish(once: nil, completion: stored.complete)
            upload.cancel()
            let isStored = (try? await stored.value.get()) != nil
            #expect(isWritten || !isStored)
        }
        let count = (try? test.store.reader.attachmentOwner("a").count) ?? 0
        #expect(await files.names().count == count)
        #expect(try audit() == [])
    }

    // MARK: Limits

    @Test("An app stores its bytes and not one more, whoever else stores some (ATT-10)")
    func quota() async throws {
        try await files.put(png(4_000))
        try await files.put(png(6_000))
        #expect(await files.refusal { try await files.put(png(50)) } == "104")
        // A file that is there already takes no more room, but its sender has to have some.
        try await files.put(png(10_000), of: "org.example.other")
        #expect(await files.names().count == 3)
        #expect(try audit() == [])
    }

    @Test("Uploads under way have their room")
    func reserved() async throws {
        var metadata = AttachmentMetadata(fileName: "a.png")
        metadata.byteCount = 6_000
        var first: AttachmentUpload? = try test.store.storeAttachment(
            metadata,
            of: TestAttachments.app
        )
        #expect(await files.refusal { try await files.put(png(4_001)) } == "104")
        metadata.byteCount = 4_001
        #expect(await files.refusal { try await files.put(png(4_001), metadata) } == "104")
        try await files.put(png(4_000))
        first?.cancel()
        // Release the upload, which keeps the store open.
        first = nil
        try await files.put(png(6_000))
        #expect(try audit() == [])
    }

    @Test("An app stores so many files and not one more")
    func count() async throws {
        for count in [100, 101, 102] { try await files.put(png(count)) }
        #expect(await files.refusal { try await files.put(png(103)) } == "104")
        #expect(await files.names().count == 3)
    }

    @Test("So many are on their way at once and not one more; those that do nothing are told")
    func transfers() async throws {
        let stored = try await files.put(png(100))
        var uploads = try (0..<2).map { _ in
            try test.store.storeAttachment(.init(fileName: "a.png"), of: "a")
        }
        let download = try test.store.download(stored.identifier, of: TestAttachments.app, from: 0)
        let second = try test.store.download(stored.identifier, of: TestAttachments.app, from: 0)
        let overloaded = await files.refusal { try await files.put(png(101)) }
        #expect(overloaded == "overloaded")
        download.cancel()
        try await files.put(png(101))
        withExtendedLifetime(uploads) {}
        uploads.removeAll()
        try await files.put(png(102))
        second.cancel()
    }

    @Test("A caller that does nothing is told, and nothing is left of what it sent")
    func stalled() async throws {
        try test.reopen { $0.limits.transferStallNanoseconds = 100_000_000 }
        let told = Pending<Refusal>()
        let isTold = Guarded(false)
        let upload = try test.store.storeAttachment(.init(fileName: "a.png"), of: "a") { refusal in
            let isFirst = isTold.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            if isFirst { told.complete(.success(refusal)) }
        }
        try await test.result { upload.append(png(100), completion: $1) }.get()
        #expect(try await told.value.get().reason == .transferStalled)
        upload.cancel()
        #expect(await files.names() == [])
    }

    // MARK: Time

    @Test("What nothing refers to goes after 24 h, and its file with it (ATT-10)")
    func expiry() async throws {
        let first = try await files.put(png(100))
        try await test.advance(by: .seconds(3_600))
        let second = try await files.put(png(200))
        try await test.advance(by: .seconds(82_799))
        #expect(try await files.get(first.identifier).count == 100)
        try await test.advance(by: .seconds(1))
        let gone = await files.refusal { _ = try await files.get(first.identifier) }
        #expect(gone == "103 file")
        #expect(try await files.get(second.identifier).count == 200)
        #expect(await files.names().count == 1)
        // The name of a file follows from its content.
        #expect(try await files.put(png(100)).identifier == first.identifier)
        try await test.advance(by: .seconds(100_000))
        #expect(await files.names() == [])
        #expect(try audit() == [])
    }

    @Test("A download that is under way outlives its file")
    func downloadOutlives() async throws {
        let stored = try await files.put(png(100))
        let download = try test.store.download(stored.identifier, of: TestAttachments.app, from: 0)
        let late = try test.store.download(stored.identifier, of: TestAttachments.app, from: 0)
        #expect(try await test.result { download.next(completion: $1) }.get().count == 100)
        try await test.advance(by: .seconds(86_400))
        #expect(await files.names() == [])
        #expect(try await test.result { download.next(completion: $1) }.get() == [])
        let gone = await files.refusal {
            let _: [UInt8] = try await test.result { late.next(completion: $1) }.get()
        }
        #expect(gone == "103 file")
    }

    // MARK: Retries

    @Test("A retry is told the first reply, and other bytes under its key are refused")
    func idempotency() async throws {
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "Upload", request: [1])
        let first = try await files.put(png(100), once: key)
        try await test.advance(by: .seconds(10))
        #expect(try await files.put(png(100), once: key) == first)
        #expect(await files.names().count == 1)
        let other = await files.refusal { try await files.put(png(101), once: key) }
        #expect(other == "idempotencyKeyReused idempotencyKey")
        #expect(await files.names().count == 1)
        #expect(try audit() == [])
    }

    // MARK: Starts

    @Test("A start removes what no row names, and nothing else")
    func cleanUp() async throws {
        let stored = try await files.put(png(100))
        let names = await files.names()
        test.close()
        let left = String(repeating: "0", count: 32)
        let foreign = ["README", left.dropLast() + "g", left + ".txt"].map { String($0) }
        for name in [left, left + ".unfinished", names[0] + ".unfinished"] + foreign {
            try Data([1]).write(to: URL(filePath: files.directory + "/" + name))
        }
        try test.reopen()
        #expect(Set(await files.names()) == Set(names + foreign))
        #expect(try await files.get(stored.identifier).count == 100)
    }

    @Test("A file that is gone, or cut, is told when it is fetched")
    func damagedFile() async throws {
        let stored = try await files.put(png(100))
        let path = files.directory + "/" + (await files.names())[0]
        try Data().write(to: URL(filePath: path))
        let cut = await files.refusal { _ = try await files.get(stored.identifier) }
        #expect(cut == "105 file")
        try FileManager.default.removeItem(atPath: path)
        let gone = await files.refusal { _ = try await files.get(stored.identifier) }
        #expect(gone == "103 file")
    }

    @Test("A full disk refuses it with STORE_FULL and leaves nothing")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) {
            let test = try TestStore()
            let files = TestAttachments(test: test)
            try await files.put(SampleFiles.png(bytes: 100))
            // A limit on the size of files stands in for a full disk: EFBIG in place of ENOSPC.
            signal(SIGXFSZ, SIG_IGN)
            try limitFileSize(to: 500_000)
            let full = await files.refusal {
                try await files.put(
                    SampleFiles.png(bytes: 600_000),
                    partSize: 100_000
                )
            }
            #expect(full == "storeFull")
            #expect(await files.names().count == 1)
            try limitFileSize(to: nil)
            #expect(test.failure == nil)
            try await files.put(SampleFiles.png(bytes: 600_000))
        }
    }
}
