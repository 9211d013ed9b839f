internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerDownloadAttachment(in router: inout Router) {
        router.serverStream(
            "/belfry.v1.AttachmentService/DownloadAttachment"
        ) { bytes, stream in
            let bytes = [UInt8](bytes)
            let downloader = Downloader<Belfry_V1_DownloadAttachmentResponse>(stream) { part in
                .with { $0.chunk = .init(copying: part) }
            }
            do throws(Refusal) {
                let request = try Belfry_V1_DownloadAttachmentRequest(wire: bytes)
                let app = try appName(request.appID)
                let place = try transferShares.place(for: stream, of: app)
                let download = try store.download(
                    request.attachmentID,
                    of: app,
                    from: request.offset
                ) { refusal in stream.end(refusal) }
                downloader.begin(
                    with: .with { $0.attachment = .init(download.attachment) },
                    download,
                    place
                )
            } catch {
                stream.finish(Status(error))
            }
            return downloader
        }
    }
}

/// One open stream of a file's bytes: the next part is read when the last part was sent.
final class Downloader<Response: Message>: ServerStreamDelegate {
    private struct State {
        var place: StreamPlace?
        var download: AttachmentDownload?
    }

    private let stream: ServerStream
    private let chunk: @Sendable ([UInt8]) -> Response
    private let state = Guarded(State())

    /// The stream of a call; `chunk` makes the message of a part.
    init(_ stream: ServerStream, chunk: @escaping @Sendable ([UInt8]) -> Response) {
        self.stream = stream
        self.chunk = chunk
    }

    /// Sends the description of the file; its parts follow.
    func begin(with first: Response, _ download: AttachmentDownload, _ place: StreamPlace) {
        state.withLock { $0 = State(place: place, download: download) }
        stream.send(first)
    }

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        guard let download = state.withLock({ $0.download }) else { return }
        download.next { [stream, chunk] result in
            switch result {
            case .success(let bytes) where bytes.isEmpty: stream.finish(.ok)
            case .success(let bytes): stream.send(chunk(bytes))
            case .failure(let refusal): stream.finish(Status(refusal))
            }
        }
    }

    func ended(cancelled: Bool) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.download?.cancel()
    }
}
