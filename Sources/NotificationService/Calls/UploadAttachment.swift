internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerUploadAttachment(in router: inout Router) {
        router.clientStream(
            "/belfry.v1.AttachmentService/UploadAttachment"
        ) { stream in
            Uploader(stream, store, transferShares) { [options] in
                options.registrant(stream.caller)
            }
        }
    }
}

/// One open `UploadAttachment` stream.
///
/// The next message is read when the last message is on its way to the disk, so that a slow disk
/// holds the caller back.
private final class Uploader: ServerStreamDelegate {
    private struct State {
        /// The stream's place, from the first message until the stream ends.
        var place: StreamPlace?
        var upload: AttachmentUpload?
        var key: OnceKey?
    }

    private let stream: ServerStream
    private let store: Store
    private let shares: StreamShares
    /// Tells the account for the file; nil for a caller without a limit.
    private let registrant: @Sendable () -> Registrant?
    private let state = Guarded(State())

    private static let chunkByteLimit = 256 * 1024

    init(
        _ stream: ServerStream,
        _ store: Store,
        _ shares: StreamShares,
        registrant: @escaping @Sendable () -> Registrant?
    ) {
        self.stream = stream
        self.store = store
        self.shares = shares
        self.registrant = registrant
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {
        let bytes = [UInt8](message)
        do throws(Refusal) {
            try Belfry_V1_UploadAttachmentRequest.checkParts(of: bytes)
            let request = try Belfry_V1_UploadAttachmentRequest(wire: bytes)
            switch (state.withLock { $0.upload }, request.part) {
            case (nil, .metadata(let metadata)): try begin(request, metadata, bytes)
            case (let upload?, .chunk(let chunk)):
                guard request.appID.isEmpty, request.idempotencyKey.isEmpty else {
                    throw Refusal.uploadOrder("app_id", "is only in the first message")
                }
                try write([UInt8](chunk), to: upload)
            case (nil, _): throw Refusal.uploadOrder("metadata", "is the first message")
            case (_, _): throw Refusal.uploadOrder("chunk", "is every message but the first")
            }
        } catch {
            stream.finish(Status(error.ofData(in: "chunk")))
        }
    }

    func receivedEnd() {
        let (upload, key) = state.withLock { ($0.upload, $0.key) }
        guard let upload else {
            return stream.finish(Status(.uploadOrder("metadata", "is the first message")))
        }
        upload.finish(once: key) { [stream] result in
            switch result {
            case .success(let stored):
                let response = Belfry_V1_UploadAttachmentResponse.with {
                    $0.attachment = .init(stored)
                }
                stream.send(response)
                stream.finish(.ok)
            case .failure(let refusal):
                stream.finish(Status(refusal.ofData(in: "chunk")))
            }
        }
    }

    func sent() {}

    func ended(cancelled: Bool) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.upload?.cancel()
    }

    // MARK: The parts

    private func begin(
        _ request: Belfry_V1_UploadAttachmentRequest,
        _ metadata: Belfry_V1_AttachmentMetadata,
        _ bytes: [UInt8]
    ) throws(Refusal) {
        let app = try appName(request.appID)
        let key =
            request.idempotencyKey.isEmpty
            ? nil
            : try OnceKey(
                request.idempotencyKey,
                method: "AttachmentService/UploadAttachment",
                request: bytes,
                by: registrant()
            )
        let place = try shares.place(for: stream, of: app)
        let upload = try store.storeAttachment(
            try AttachmentMetadata(metadata),
            of: app,
            by: registrant()
        ) { [stream] refusal in stream.end(refusal) }
        state.withLock { state in
            state.place = place
            state.upload = upload
            state.key = key
        }
    }

    private func write(_ chunk: [UInt8], to upload: AttachmentUpload) throws(Refusal) {
        guard chunk.count <= Self.chunkByteLimit else {
            throw .invalid(
                "chunk",
                "has at most \(Self.chunkByteLimit) bytes",
                reason: .chunkTooLarge
            )
        }
        stream.pauseReading()
        upload.append(chunk) { [stream] result in
            switch result {
            case .success: stream.resumeReading()
            case .failure(let refusal):
                stream.finish(Status(refusal.ofData(in: "chunk")))
            }
        }
    }
}

extension Belfry_V1_UploadAttachmentRequest {
    /// Judges a message by its bytes: a polling thread reads it, so all but a chunk has to be
    /// small.
    static func checkParts(of bytes: [UInt8]) throws(Refusal) {
        guard bytes.count > Router.largestSmallByteCount else { return }
        try checkLength(of: bytes)
        var otherByteCount = bytes.count
        var fields = WireFields(bytes[...])
        while let field = try? fields.next() {
            if field.number == 4, case .bytes(let chunk) = field.value {
                otherByteCount -= chunk.count
            }
        }
        guard otherByteCount <= Router.largestSmallByteCount else {
            throw .invalid(
                "metadata",
                "a message has at most \(Router.largestSmallByteCount) bytes beside a chunk"
            )
        }
    }
}

extension Refusal {
    /// The same refusal of a file's bytes, which the request has in another field.
    func ofData(in field: String) -> Refusal {
        var refusal = self
        for index in fields.indices where fields[index].path == [.data] {
            refusal.fields[index].path = .written(field)
        }
        return refusal
    }

    /// The refusal of an upload whose messages are in the wrong order.
    fileprivate static func uploadOrder(_ path: String, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .uploadOrderInvalid)
    }
}

extension ServerStream {
    func send(_ message: some Message) {
        do {
            send(try message.serializedBytes() as [UInt8])
        } catch {
            finish(Status(code: .internalError, message: "the reply does not serialize"))
        }
    }
}
