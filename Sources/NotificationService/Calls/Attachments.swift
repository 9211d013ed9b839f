internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    /// The size of the largest file that one call stores, in bytes.
    private static let putByteLimit = 768 * 1024

    func registerAttachments(in router: inout Router) {
        mutation("AttachmentService/PutAttachment", in: &router) {
            (
                request: Belfry_V1_PutAttachmentRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_PutAttachmentResponse>
            )
                throws(Refusal) in
            let app = try appName(request.appID)
            guard request.hasMetadata else { throw .invalid("metadata", "is required") }
            let metadata = try AttachmentMetadata(request.metadata)
            guard request.data.count <= Self.putByteLimit else {
                throw .attachmentTooLarge([.data], Self.putByteLimit)
            }
            let upload = try store.storeAttachment(
                metadata,
                of: app,
                by: reply.registrant
            )
            upload.append([UInt8](request.data)) { result in
                if case .failure(let refusal) = result { return reply.finish(.failure(refusal)) }
                upload.finish(once: key) { result in
                    reply.finish(
                        result.map { stored in .with { $0.attachment = .init(stored) } }
                    )
                }
            }
        }
        reading("AttachmentService/GetAttachment", in: &router) {
            (
                request: Belfry_V1_GetAttachmentRequest,
                reply: Reply<Belfry_V1_GetAttachmentResponse>
            )
                throws(Refusal) in
            let app = try appName(request.appID)
            let stored = try store.attachment(request.attachmentID, of: app)
            reply.finish(.success(.with { $0.attachment = .init(stored) }))
        }
    }
}
