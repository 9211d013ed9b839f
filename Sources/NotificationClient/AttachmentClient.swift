public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Stores and fetches the files that an app's notifications show and play.
///
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct AttachmentClient: Sendable {
    /// The app that owns the files.
    public let app: String
    private let caller: Caller

    /// The size of one message of an upload, in bytes.
    public static let chunkByteCount = 256 * 1024

    /// Makes a client for an app's files; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - app: The app that owns the files.
    ///   - options: How calls are made.
    public init(channel: Channel, app: String, options: CallOptions = CallOptions()) {
        self.app = app
        caller = Caller(channel: channel, options: options)
    }

    /// Stores a file of at most 768 KiB in one call.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - metadata: The file's name, type and purpose.
    ///   - key: The idempotency key, if any.
    /// - Returns: The stored file.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was stored.
    public func put(
        _ bytes: [UInt8],
        _ metadata: Belfry_V1_AttachmentMetadata,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_Attachment {
        var request = Belfry_V1_PutAttachmentRequest()
        request.appID = app
        request.idempotencyKey = key
        request.metadata = metadata
        request.data = .init(copying: bytes)
        let response: Belfry_V1_PutAttachmentResponse = try await caller.call(
            Self.path("PutAttachment"),
            request
        )
        return response.attachment
    }

    /// Stores a file that is read in chunks, as fast as the server takes the chunks.
    ///
    /// The upload lasts as long as the file needs: the time limit of the options does not apply.
    /// Cancelling the task, or an error of `nextChunk`, ends the upload, and nothing is stored.
    ///
    /// - Parameters:
    ///   - metadata: The file's name, type and purpose.
    ///   - key: The idempotency key, if any.
    ///   - nextChunk: Gives the next bytes of the file, at most ``chunkByteCount``; an empty array
    ///     at the end.
    /// - Returns: The stored file.
    /// - Throws: ``ClientError`` with the server's refusal, or the error of `nextChunk`.
    public func upload(
        _ metadata: Belfry_V1_AttachmentMetadata,
        key: String = "",
        nextChunk: () throws -> [UInt8]
    ) async throws -> Belfry_V1_Attachment {
        let stream = caller.channel.stream(
            Self.path("UploadAttachment"),
            metadata: caller.options.metadata
        )
        // Leaving this function early releases the stream, which cancels the call.
        var request = Belfry_V1_UploadAttachmentRequest()
        request.appID = app
        request.idempotencyKey = key
        request.metadata = metadata
        while true {
            let bytes = try encode(request)
            do throws(Status) {
                try await stream.send(bytes)
            } catch {
                // The server ended the call; the next read gives the reason.
                break
            }
            let chunk = try nextChunk()
            if chunk.isEmpty { break }
            request = Belfry_V1_UploadAttachmentRequest()
            request.chunk = .init(copying: chunk)
        }
        await stream.finishSending()
        guard let bytes = try await stream.nextMessage() else {
            throw ClientError(code: .internalError, message: "the server gave no result")
        }
        let response: Belfry_V1_UploadAttachmentResponse = try decode(bytes)
        return response.attachment
    }

    /// Gets a stored file's name, type and size.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func get(_ identifier: String) async throws(ClientError) -> Belfry_V1_Attachment {
        var request = Belfry_V1_GetAttachmentRequest()
        request.appID = app
        request.attachmentID = identifier
        let response: Belfry_V1_GetAttachmentResponse = try await caller.call(
            Self.path("GetAttachment"),
            request
        )
        return response.attachment
    }

    /// Gets one page of the app's stored files, by identifier.
    ///
    /// - Parameters:
    ///   - pageSize: The largest number, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func list(
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListAttachmentsResponse {
        var request = Belfry_V1_ListAttachmentsRequest()
        request.appID = app
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await caller.call(Self.path("ListAttachments"), request)
    }

    /// Fetches a stored file, from an offset on.
    ///
    /// The download lasts as long as the file needs: the time limit of the options does not apply.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the file.
    ///   - offset: The first byte to fetch.
    ///   - onChunk: Called with the file's description and its next bytes; the first call has no
    ///     bytes.
    /// - Throws: ``ClientError`` with the server's refusal, or the error of `onChunk`, which ends
    ///   the download.
    public func download(
        _ identifier: String,
        from offset: UInt64 = 0,
        onChunk: (Belfry_V1_Attachment, [UInt8]) throws -> Void
    ) async throws {
        var request = Belfry_V1_DownloadAttachmentRequest()
        request.appID = app
        request.attachmentID = identifier
        request.offset = offset
        let stream = try await caller.open(Self.path("DownloadAttachment"), request)
        var attachment = Belfry_V1_Attachment()
        while let bytes = try await stream.nextMessage() {
            let response: Belfry_V1_DownloadAttachmentResponse = try decode(bytes)
            if case .attachment(let told) = response.part { attachment = told }
            try onChunk(attachment, [UInt8](response.chunk))
        }
    }

    private static func path(_ rpc: String) -> String { "/belfry.v1.AttachmentService/\(rpc)" }
}
