internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerBackup(in router: inout Router) {
        router.serverStream("/belfry.v1.AdminService/Backup") {
            bytes,
            stream in
            let bytes = [UInt8](bytes)
            let caller = BackupCaller(stream)
            do throws(Refusal) {
                _ = try Belfry_V1_BackupRequest(wire: bytes)
                caller.follow(
                    try store.backup(progress: caller.progress, completion: caller.complete)
                )
            } catch {
                stream.finish(Status(error))
            }
            return caller
        }
    }
}

/// One open `Backup` stream.
///
/// One message is sent at a time, so a slow reader misses progress messages.
private final class BackupCaller: ServerStreamDelegate {
    private struct State {
        var run: BackupRun?
        var isEnded = false
        /// Whether a send is outstanding.
        var isBusy = false
        /// The last message, which waits until the outstanding send ends.
        var last: Belfry_V1_BackupResponse?
    }

    private let stream: ServerStream
    private let state = Guarded(State())

    init(_ stream: ServerStream) {
        self.stream = stream
    }

    /// Connects the stream with its backup; the stream may already have ended.
    func follow(_ run: BackupRun) {
        let isEnded = state.withLock { state in
            state.run = run
            return state.isEnded
        }
        if isEnded { run.cancel() }
    }

    // MARK: From the store

    func progress(_ progress: BackupProgress) {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { return }
        send(
            .with { response in
                response.progress.copiedBytes = UInt64(progress.copiedBytes)
                response.progress.totalBytes = UInt64(progress.totalBytes)
            }
        )
    }

    func complete(_ result: Result<Backup, Refusal>) {
        switch result {
        case .success(let backup):
            let last = Belfry_V1_BackupResponse.with { $0.backup = .init(backup) }
            let isFree = state.withLock { state in
                guard state.isBusy else { return true }
                state.last = last
                return false
            }
            if isFree { end(with: last) }
        case .failure(let refusal):
            stream.finish(Status(refusal))
        }
    }

    private func end(with last: Belfry_V1_BackupResponse) {
        send(last)
        stream.finish(.ok)
    }

    private func send(_ response: Belfry_V1_BackupResponse) {
        do {
            stream.send(try response.serializedBytes())
        } catch {
            stream.finish(Status(code: .internalError, message: "the reply does not serialize"))
        }
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        let last = state.withLock { state in
            state.isBusy = false
            return state.last.take()
        }
        if let last { end(with: last) }
    }

    func ended(cancelled: Bool) {
        let run = state.withLock { state in
            state.isEnded = true
            return state.run.take()
        }
        run?.cancel()
    }
}

extension Belfry_V1_Backup {
    init(_ backup: Backup) {
        self.init()
        name = backup.name
        path = backup.path
        sizeBytes = UInt64(backup.byteCount)
        sha256 = backup.checksum
        asOf = .init(backup.asOf)
        guard let attachments = backup.attachments else { return }
        attachmentsPath = attachments.path
        attachmentCount = UInt64(attachments.count)
        attachmentsSizeBytes = UInt64(attachments.byteCount)
    }
}
