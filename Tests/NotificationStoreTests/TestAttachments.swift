internal import Dispatch
internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// The files of a store's data directory, and the uploads of a test.
struct TestAttachments {
    let test: TestStore
    static let app = "org.example.app"

    var directory: String { test.directory.path + "/attachments" }

    /// The names in the directory, once the files' threads did all that they have.
    func names() async -> [String] {
        // Meet twice: work that a thread did before the first meeting may have asked for one thing
        // more.
        for _ in 0..<2 { await meet() }
        return (try? FileManager.default.contentsOfDirectory(atPath: directory))?.sorted() ?? []
    }

    /// Waits until the files' two threads are at one place, which is only when neither does
    /// anything else.
    private func meet() async {
        let met = DispatchGroup()
        for _ in 0..<2 { met.enter() }
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in
                let isTaken = test.store.files.submit {
                    continuation.resume()
                    met.leave()
                    met.wait()
                }
                if !isTaken { continuation.resume() }
            }
        }
    }

    /// Stores a file in parts.
    @discardableResult
    func put(
        _ bytes: [UInt8],
        _ metadata: AttachmentMetadata = AttachmentMetadata(fileName: "a.png"),
        of app: String = Self.app,
        once key: OnceKey? = nil,
        partSize: Int = 1_000
    ) async throws -> StoredAttachment {
        let upload = try test.store.storeAttachment(metadata, of: app)
        for begin in stride(from: 0, to: bytes.count, by: partSize) {
            let part = Array(bytes[begin..<min(begin + partSize, bytes.count)])
            try await test.result { upload.append(part, completion: $1) }.get()
        }
        return try await test.result { upload.finish(once: key, completion: $1) }.get()
    }

    /// Fetches a file.
    func get(
        _ identifier: String,
        of app: String = Self.app,
        from offset: UInt64 = 0
    ) async throws -> [UInt8] {
        let download = try test.store.download(identifier, of: app, from: offset)
        var bytes: [UInt8] = []
        while true {
            let part: [UInt8] = try await test.result { download.next(completion: $1) }.get()
            if part.isEmpty { return bytes }
            #expect(part.count <= 256 * 1024)
            bytes += part
        }
    }

    /// The error of what is refused, as its number and its field, or as its reason.
    func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch let refusal as Refusal {
            let field = refusal.fields.first.map { " \($0.path.text)" } ?? ""
            return (refusal.unErrorCode.map { "\($0)" } ?? refusal.reason.rawValue) + field
        } catch {
            return "\(error)"
        }
    }
}
