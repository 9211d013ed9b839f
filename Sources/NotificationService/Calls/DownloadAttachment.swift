internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerDownloadAttachment(in router: inout Router) {
        router.serverStream(
            "/belfry.v1.AttachmentService/DownloadAttachment",
            role: Role.app.rawValue
        ) { bytes, stream in
            let bytes = [UInt8](bytes)
            let downloader = Downloader(stream)
            do throws(Refusal) {
                let request = try Belfry_V1_DownloadAttachmentRequest(wire: bytes)
                let app = try appName(request.appID)
                let place = try transferShares.place(for: stream, of: app)
                let download = try store.download(
                    request.attachmentID,
                    of: app,
                    from: request.offset
                ) { refusal in stream.end(refusal) }
                downloader.begin(download, place)
            } catch {
                stream.finish(Status(error))
            }
            return downloader
        }
    }
}

/// One open `DownloadAttachment` stream: the next part is read when the last part was sent.
private final class Downloader: ServerStreamDelegate {
    private struct State {
        /// The stream's place, until the stream ends.
        var place: StreamPlace?
        var download: AttachmentDownload?
    }

    private let stream: ServerStream
    private let state = Guarded(State())

    init(_ stream: ServerStream) {
        self.stream = stream
    }

    /// Sends the description of the file; its parts follow.
    func begin(_ download: AttachmentDownload, _ place: StreamPlace) {
        state.withLock { $0 = State(place: place, download: download) }
        stream.send(
            Belfry_V1_DownloadAttachmentResponse.with { $0.attachment = .init(download.attachment) }
        )
    }

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        guard let download = state.withLock({ $0.download }) else { return }
        download.next { [stream] result in
            switch result {
            case .success(let bytes) where bytes.isEmpty: stream.finish(.ok)
            case .success(let bytes):
                stream.send(
                    Belfry_V1_DownloadAttachmentResponse.with { response in
                        response.chunk.append(contentsOf: bytes)
                    }
                )
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
