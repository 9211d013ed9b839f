internal import BelfryGRPC
internal import BelfryHashing
internal import Dispatch
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Backup over the wire (W-20)")
struct BackupTests {
    let service: TestService

    init() throws {
        service = try TestService()
    }

    private func files() -> [String] {
        let path = service.test.directory.path + "/backups"
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Adds requests of about `megabytes` in all.
    private func fill(megabytes: Int) async throws {
        let center = try await service.authorizedCenter()
        let body = String(repeating: "b", count: 50_000)
        for number in 0..<megabytes * 21 {
            try await center.add("\(number)", in: .seconds(60)) { $0.content.body = body }
        }
    }

    /// Begins a backup, message by message.
    private func begin() async throws -> ClientStream {
        let stream = service.channel.stream(Rpc.backup.path)
        try await stream.send([])
        await stream.finishSending()
        return stream
    }

    @Test("It tells how far it is, then where the file is")
    func tells() async throws {
        defer { service.stop() }
        try await fill(megabytes: 5)
        let stream = try await begin()
        var messages: [Belfry_V1_BackupResponse] = []
        while let bytes = try await stream.next() {
            messages.append(try Belfry_V1_BackupResponse(serializedBytes: bytes))
        }
        let backup = try #require(messages.last).backup
        #expect(files() == [backup.name])
        #expect(backup.name == "20260101T000000Z.mdb")
        #expect(backup.path == service.test.directory.path + "/backups/" + backup.name)
        #expect(backup.asOf == .init(seconds: 1_767_225_600))
        let attributes = try FileManager.default.attributesOfItem(atPath: backup.path)
        #expect(attributes[.size] as? UInt64 == backup.sizeBytes)
        #expect(backup.sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        let progress = messages.dropLast().map(\.progress)
        #expect(progress.first?.copiedBytes == 0)
        #expect(progress.allSatisfy { $0.totalBytes > 5_000_000 })
        #expect(progress.map(\.copiedBytes) == progress.map(\.copiedBytes).sorted())

        let again = try await service.admin.backup()
        #expect(again.name == "20260101T000000Z-2.mdb")
        // The pages of equal stores differ while a merge is under way.
        for made in [backup, again] {
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: made.path)))
            #expect(made.sha256 == SHA256.digest(of: bytes.span).hexadecimal)
        }
    }

    @Test("A second one is refused with a time to retry, and the first one goes on")
    func oneAtATime() async throws {
        defer { service.stop() }
        try await fill(megabytes: 1)
        // The store's own backup stands still here, so that the wire's meets it for certain.
        let goesOn = DispatchSemaphore(value: 0)
        let first = Pending<Backup>()
        _ = try service.store.backup(
            progress: { _ in goesOn.wait() },
            completion: first.complete
        )
        let error = try await refusal { _ = try await service.admin.backup() }
        Expected(.resourceExhausted, "BACKUP_RUNNING").check(error)
        #expect(error.retryDelay != nil)
        goesOn.signal()
        let name = try await first.value.get().name
        #expect(files() == [name])
    }

    @Test("A call that is cancelled leaves nothing, and the next one is taken")
    func cancelled() async throws {
        defer { service.stop() }
        try await fill(megabytes: 5)
        let stream = try await begin()
        _ = try await stream.next()
        stream.cancel()
        while true {
            do {
                let backup = try await service.admin.backup()
                #expect(!files().contains("unfinished"))
                #expect(files().contains(backup.name))
                return
            } catch {
                #expect(error.reason == "BACKUP_RUNNING")
                await Task.yield()
            }
        }
    }

    @Test("A stop of the server ends it with UNAVAILABLE and leaves nothing")
    func stopped() async throws {
        try await fill(megabytes: 10)
        let stream = try await begin()
        _ = try await stream.next()
        service.server.stop(within: .seconds(5))
        let error = try await refusal { while try await stream.next() != nil {} }
        #expect(error.code == .unavailable)
        service.stop()
        #expect(files() == [])
    }
}
