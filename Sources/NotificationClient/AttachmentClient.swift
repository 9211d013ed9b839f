public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Stores the files that an app's notifications show and play, and fetches them.
///
/// It is a value over a channel, which it does not close. Safe on any thread.
public struct AttachmentClient: Sendable {
    /// The app whose files they are.
    public let app: String
    private let caller: Caller

    /// Bytes of one message.
    public static let chunkByteCount = 256 * 1024

    /// Makes a client; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - app: The app whose files they are.
    ///   - options: How calls are made.
    public init(channel: Channel, app: String, options: CallOptions = CallOptions()) {
        self.app = app
        caller = Caller(channel: channel, options: options)
    }

    /// Stores a file of at most 768 KiB in one call.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - metadata: What it is.
    ///   - key: The idempotency key, if any.
    /// - Returns: The file as it is stored.
    /// - Throws: ``ClientError`` with the server's refusal, which stored nothing.
    public func put(
        _ bytes: [UInt8],
        _ metadata: Belfry_V1_AttachmentMetadata,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_Attachment {
        var request = Belfry_V1_PutAttachmentRequest()
        request.appID = app
        request.idempotencyKey = key
        request.metadata = metadata
        request.data.append(contentsOf: bytes)
        let response: Belfry_V1_PutAttachmentResponse = try await caller.call(
            Self.path("PutAttachment"),
            request
        )
        return response.attachment
    }

    /// Stores a file that is read in parts, as fast as the server takes them.
    ///
    /// It takes as long as the file needs: the options' time limit is not for it. Cancelling the
    /// task, and an error of `nextChunk`, end it, and nothing is stored.
    ///
    /// - Parameters:
    ///   - metadata: What it is.
    ///   - key: The idempotency key, if any.
    ///   - nextChunk: Gives the next bytes, at most ``chunkByteCount``; none at the end.
    /// - Returns: The file as it is stored.
    /// - Throws: ``ClientError`` with the server's refusal, or what `nextChunk` throws.
    public func upload(
        _ metadata: Belfry_V1_AttachmentMetadata,
        key: String = "",
        nextChunk: () throws -> [UInt8]
    ) async throws -> Belfry_V1_Attachment {
        let stream = caller.channel.stream(
            Self.path("UploadAttachment"),
            metadata: caller.options.metadata
        )
        // Where it is left before its end, the stream is let go, and so the call cancelled.
        var request = Belfry_V1_UploadAttachmentRequest()
        request.appID = app
        request.idempotencyKey = key
        request.metadata = metadata
        while true {
            let bytes = try encode(request)
            do throws(Status) {
                try await stream.send(bytes)
            } catch {
                // The server ended the call; reading tells why.
                break
            }
            let chunk = try nextChunk()
            if chunk.isEmpty { break }
            request = Belfry_V1_UploadAttachmentRequest()
            request.chunk.append(contentsOf: chunk)
        }
        await stream.finishSending()
        guard let bytes = try await Self.next(stream) else {
            throw ClientError(code: .internalError, message: "the server gave no result")
        }
        let response: Belfry_V1_UploadAttachmentResponse = try decode(bytes)
        return response.attachment
    }

    /// Tells what a stored file is.
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

    /// Fetches a stored file.
    ///
    /// It takes as long as the file needs: the options' time limit is not for it.
    ///
    /// - Parameters:
    ///   - identifier: Which file.
    ///   - offset: Where in the file to begin.
    ///   - onChunk: Told the file, and its next bytes; those of the first call are none.
    /// - Throws: ``ClientError`` with the server's refusal, or what `onChunk` throws, its end.
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
        while let bytes = try await Self.next(stream) {
            let response: Belfry_V1_DownloadAttachmentResponse = try decode(bytes)
            if case .attachment(let told) = response.part { attachment = told }
            try onChunk(attachment, [UInt8](response.chunk))
        }
    }

    private static func next(_ stream: ClientStream) async throws(ClientError) -> [UInt8]? {
        do throws(Status) {
            return try await stream.next()
        } catch {
            throw ClientError(error)
        }
    }

    private static func path(_ rpc: String) -> String { "/belfry.v1.AttachmentService/\(rpc)" }
}
