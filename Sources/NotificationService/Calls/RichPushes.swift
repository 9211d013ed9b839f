internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    /// The size of the largest payload that the call itself brings, in bytes.
    private static let payloadBytes = 768 * 1024

    func registerRichPushes(in router: inout Router) {
        registerCreateRichPush(in: &router)
        registerRichPushReads(in: &router)
        mutation("RichPushService/MarkRichPushRead", in: &router) {
            (
                request: Belfry_V1_MarkRichPushReadRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_MarkRichPushReadResponse>
            ) throws(Refusal) in
            store.markRichPushRead(
                RichPushNumber(rawValue: request.richID),
                on: try CenterName(request.center),
                once: key
            ) { result in
                reply.finish(result.map { readAt in .with { $0.readAt = .init(readAt) } })
            }
        }
        router.serverStream(
            "/belfry.v1.RichPushService/DownloadRichPayload"
        ) { bytes, stream in
            let bytes = [UInt8](bytes)
            let downloader = Downloader<Belfry_V1_DownloadRichPayloadResponse>(stream) { part in
                .with { $0.chunk = .init(copying: part) }
            }
            do throws(Refusal) {
                let request = try Belfry_V1_DownloadRichPayloadRequest(wire: bytes)
                let center = try CenterName(request.center)
                let place = try transferShares.place(for: stream, of: center.app)
                let found = try store.downloadRichPush(
                    RichPushNumber(rawValue: request.richID),
                    on: center,
                    from: request.offset
                ) { refusal in stream.end(refusal) }
                downloader.begin(
                    with: .with { $0.richPush = .init(found.richPush) },
                    found.download,
                    place
                )
            } catch {
                stream.finish(Status(error))
            }
            return downloader
        }
    }

    private func registerCreateRichPush(in router: inout Router) {
        mutation("RichPushService/CreateRichPush", in: &router) {
            (
                request: Belfry_V1_CreateRichPushRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CreateRichPushResponse>
            ) throws(Refusal) in
            var new = NewRichPush(
                app: try appName(request.appID),
                expression: try TagExpression(refusing: request.tagExpression),
                message: request.message,
                richType: request.richType,
                attachment: ""
            )
            new.trace = reply.trace
            let registrant = reply.registrant
            let create = { @Sendable (new: NewRichPush) in
                store.createRichPush(new, by: registrant, once: key) { result in
                    reply.finish(result.map { created in .init(created) })
                }
            }
            switch request.content {
            case nil:
                throw .invalid(
                    "payload",
                    "needs a payload or an attachment_id",
                    reason: .richPayloadInvalid
                )
            case .attachmentID(let identifier)?:
                new.attachment = identifier
                create(new)
            case .payload(let payload)?:
                let upload = try upload(
                    payload.count,
                    request.mediaType,
                    of: new.app,
                    by: registrant
                )
                upload.append([UInt8](payload)) { [new] result in
                    if case .failure(let refusal) = result {
                        return reply.finish(.failure(refusal.ofData(in: "payload")))
                    }
                    // Store without a key: equal bytes of an app are one file, so a retry stores
                    // nothing more.
                    upload.finish(once: nil) { result in
                        switch result {
                        case .success(let stored):
                            var new = new
                            new.attachment = stored.identifier
                            create(new)
                        case .failure(let refusal):
                            reply.finish(.failure(refusal.ofData(in: "payload")))
                        }
                    }
                }
            }
        }
    }

    private func upload(
        _ byteCount: Int,
        _ mediaType: String,
        of app: String,
        by registrant: Registrant?
    ) throws(Refusal) -> AttachmentUpload {
        guard (1...Self.payloadBytes).contains(byteCount) else {
            throw .invalid(
                "payload",
                "is 1-\(Self.payloadBytes) bytes; a larger one is stored first",
                reason: .richPayloadInvalid
            )
        }
        var metadata = AttachmentMetadata(fileName: "payload", purpose: .richPush)
        metadata.byteCount = UInt64(byteCount)
        metadata.mediaType = mediaType
        do throws(Refusal) {
            return try store.storeAttachment(metadata, of: app, by: registrant)
        } catch {
            // Name the caller's own field: it knows no metadata.
            guard error.reason == .invalidField else { throw error.ofData(in: "payload") }
            throw .invalid("media_type", "is a media type, such as image/png")
        }
    }

    private func registerRichPushReads(in router: inout Router) {
        reading("RichPushService/GetRichPush", in: &router) {
            (
                request: Belfry_V1_GetRichPushRequest,
                reply: Reply<Belfry_V1_GetRichPushResponse>
            ) throws(Refusal) in
            noteCall(request)
            let richPush = try store.richPush(
                RichPushNumber(rawValue: request.richID),
                on: try CenterName(request.center)
            )
            reply.finish(.success(.with { $0.richPush = .init(richPush) }))
        }
        listing("RichPushService/ListRichPushes", in: &router) {
            (
                request: Belfry_V1_ListRichPushesRequest,
                reply: Reply<Belfry_V1_ListRichPushesResponse>
            ) throws(Refusal) in
            noteCall(request)
            let center = try CenterName(request.center)
            let tokens = PageTokens(
                rpc: "ListRichPushes",
                center,
                unreadOnly: request.unreadOnly,
                store.pageTokenKey
            )
            store.listRichPushes(
                on: center,
                unreadOnly: request.unreadOnly,
                pageSize: try RequestLimits.pageSize(request.pageSize),
                token: try tokens.position(request.pageToken),
                for: reply.caller
            ) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.richPushes = page.entries.map { .init($0) }
                            response.nextPageToken = tokens.text(page.nextToken)
                            response.asOfEvent = page.asOfEvent.rawValue
                        }
                    }
                )
            }
        }
    }
}

extension Belfry_V1_CreateRichPushResponse {
    init(_ reply: RichPushReply) {
        self.init()
        richID = reply.number.rawValue
        pushID = "\(reply.push)"
    }
}
