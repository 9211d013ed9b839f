internal import GRPC
internal import NotificationCore
internal import SwiftProtobuf
internal import Synchronization

/// A unary call that is answered once, on whatever thread the answer is known.
final class Reply<Response: Message>: Sendable {
    private let call: Mutex<ServerCall?>

    init(_ call: consuming ServerCall) {
        self.call = Mutex(call)
    }

    /// Answers the call; the second answer would be a programmer error.
    func finish(_ result: Result<Response, Refusal>) {
        guard let call = call.withLock({ $0.take() }) else {
            preconditionFailure("a call was answered twice")
        }
        switch result {
        case .success(let response):
            guard let bytes = try? response.serializedBytes() as [UInt8] else {
                call.finish(Status(code: .internalError, message: "the reply does not serialize"))
                return
            }
            call.finish(bytes)
        case .failure(let refusal):
            call.finish(Status(refusal))
        }
    }
}

extension Router {
    /// Registers a unary rpc of the contract: its request is decoded, its refusals become statuses.
    ///
    /// - Parameters:
    ///   - method: The rpc as `Service/Method`, without the package.
    ///   - role: Who may call it.
    ///   - handler: Answers through the reply, or throws why not.
    mutating func unary<Request: Message, Response: Message>(
        _ method: String, role: Role,
        _ handler: @escaping @Sendable (Request, Reply<Response>) throws(Refusal) -> Void
    ) {
        unary("/belfry.v1.\(method)", role: role.rawValue) { bytes, call in
            if let remaining = call.remainingTime, remaining <= .zero {
                call.finish(Status(code: .deadlineExceeded, message: "the deadline has passed"))
                return
            }
            let reply = Reply<Response>(call)
            do throws(Refusal) {
                try handler(try Request(wire: bytes), reply)
            } catch {
                reply.finish(.failure(error))
            }
        }
    }
}

extension Message {
    /// Decodes a request.
    init(wire bytes: RawSpan) throws(Refusal) {
        do {
            try self.init(serializedBytes: [UInt8](bytes))
        } catch {
            throw Refusal(
                .invalidArgument, reason: "MALFORMED_MESSAGE",
                message: "the request is not a \(Self.protoMessageName)")
        }
    }
}
