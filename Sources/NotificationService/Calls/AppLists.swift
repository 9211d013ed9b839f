internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    /// Registers the lists of apps' stored files, sounds and texts.
    func registerAppLists(in router: inout Router) {
        listing("AttachmentService/ListAttachments", in: &router) {
            (
                request: Belfry_V1_ListAttachmentsRequest,
                reply: Reply<Belfry_V1_ListAttachmentsResponse>
            ) throws(Refusal) in
            let tokens = try tokens("ListAttachments", of: request.appID)
            let query = try query(request.appID, request.pageSize, request.pageToken, tokens)
            store.listAttachments(query, for: reply.caller) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.attachments = page.entries.map { .init($0) }
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
        listing("InstallationService/ListSounds", in: &router) {
            (
                request: Belfry_V1_ListSoundsRequest,
                reply: Reply<Belfry_V1_ListSoundsResponse>
            ) throws(Refusal) in
            let tokens = try tokens("ListSounds", of: request.appID)
            let query = try query(request.appID, request.pageSize, request.pageToken, tokens)
            store.listSounds(query, for: reply.caller) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.sounds = page.entries.map { .init($0) }
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
        listing("InstallationService/ListStringTables", in: &router) {
            (
                request: Belfry_V1_ListStringTablesRequest,
                reply: Reply<Belfry_V1_ListStringTablesResponse>
            ) throws(Refusal) in
            let tokens = try tokens("ListStringTables", of: request.appID)
            let query = try query(request.appID, request.pageSize, request.pageToken, tokens)
            store.listStringTables(query, for: reply.caller) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.tables = page.entries.map { .init($0) }
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
    }

    private func tokens(_ rpc: String, of app: String) throws(Refusal) -> PageTokens {
        PageTokens(rpc: rpc, app: try appName(app), store.pageTokenKey)
    }

    private func query(
        _ app: String,
        _ pageSize: Int32,
        _ pageToken: String,
        _ tokens: PageTokens
    ) throws(Refusal) -> AppPageQuery {
        AppPageQuery(
            app: app,
            pageSize: try RequestLimits.pageSize(pageSize),
            token: try tokens.position(pageToken)
        )
    }
}

extension Belfry_V1_ListedAttachment {
    fileprivate init(_ listed: ListedAttachment) {
        self.init()
        attachment = .init(listed.attachment)
        referenceCount = UInt64(listed.referenceCount)
    }
}

extension Belfry_V1_ListedSound {
    fileprivate init(_ listed: ListedSound) {
        self.init()
        sound = .init(listed.sound)
        sizeBytes = UInt64(listed.byteCount)
    }
}

extension Belfry_V1_ListedStringTable {
    fileprivate init(_ listed: ListedStringTable) {
        self.init()
        language = listed.language
        count = UInt64(listed.count)
        sizeBytes = UInt64(listed.byteCount)
    }
}
