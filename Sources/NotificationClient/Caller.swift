internal import BelfryGRPC
internal import SwiftProtobuf

/// Makes unary calls with messages instead of bytes.
struct Caller: Sendable {
    let channel: Channel
    let options: CallOptions

    /// Calls `path` with `message` and gives the decoded answer.
    ///
    /// - Throws: The server's refusal, or `UNAVAILABLE` or `DEADLINE_EXCEEDED` when the server does
    ///   not answer. After `DEADLINE_EXCEEDED` it is unknown whether a change was made.
    func call<Answer: Message>(
        _ path: String,
        _ message: some Message,
        answer: Answer.Type = Answer.self,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Answer {
        let request = try encode(message)
        let bytes: [UInt8]
        do throws(Status) {
            bytes = try await channel.unary(
                path,
                request,
                metadata: options.metadata,
                timeout: timeout ?? options.timeout
            )
        } catch {
            throw ClientError(error)
        }
        return try decode(bytes)
    }

    /// Opens a server stream at `path` with `message`; the caller reads the stream.
    ///
    /// - Throws: An error when the message cannot be encoded; the first read gives a refusal.
    func open(_ path: String, _ message: some Message) async throws(ClientError) -> ClientStream {
        let request = try encode(message)
        let stream = channel.stream(path, metadata: options.metadata)
        do throws(Status) {
            try await stream.send(request)
        } catch {
            // The call has already ended; the next read gives the reason.
        }
        await stream.finishSending()
        return stream
    }

    /// Calls a server stream at `path` with `message`, and reads it until `body` finds its result.
    ///
    /// - Throws: The server's refusal, or an error when the stream ends without a result.
    func follow<Answer: Message, R>(
        _ path: String,
        _ message: some Message,
        _ body: (Answer) -> R?
    ) async throws(ClientError) -> R {
        let stream = try await open(path, message)
        while true {
            guard let bytes = try await stream.nextMessage() else {
                throw ClientError(code: .internalError, message: "the server gave no result")
            }
            if let result = body(try decode(bytes)) { return result }
        }
    }
}

extension ClientStream {
    /// Gives the bytes of the next message; nil at the end.
    ///
    /// - Throws: The server's refusal.
    func nextMessage() async throws(ClientError) -> [UInt8]? {
        do throws(Status) {
            return try await next()
        } catch {
            throw ClientError(error)
        }
    }
}

/// Encodes a message that is about to be sent.
func encode(_ message: some Message) throws(ClientError) -> [UInt8] {
    do {
        return try message.serializedBytes()
    } catch {
        throw ClientError(
            code: .invalidArgument,
            message: "the request cannot be encoded: \(error)"
        )
    }
}

/// Decodes a message that came from a server.
func decode<Answer: Message>(_ bytes: [UInt8]) throws(ClientError) -> Answer {
    do {
        return try Answer(serializedBytes: bytes)
    } catch {
        throw ClientError(
            code: .internalError,
            message: "the server's answer cannot be decoded: \(error)"
        )
    }
}
