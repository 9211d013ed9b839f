internal import BelfryGRPC
internal import NotificationProtocol
internal import SwiftProtobuf

/// How a stream of messages is written in the body of a response.
enum StreamForm: Sendable {
    /// Each message in an envelope of the Connect protocol.
    case connect(MessageForm)
    /// Server-Sent Events, each with the JSON of a message.
    case events

    /// The type of the response's body.
    var contentType: String {
        switch self {
        case .connect(.json): "application/connect+json"
        case .connect(.proto): "application/connect+proto"
        case .events: "text/event-stream"
        }
    }

    /// A message as a part of the body.
    func part(_ message: [UInt8], of method: ContractMethod) throws(Status) -> [UInt8] {
        switch self {
        case .connect(let form):
            return Envelope.wrap(try form.response(message, of: method), flags: 0)
        case .events:
            // JSON has no line break outside its texts, and escapes those in them.
            let json = try MessageForm.json.response(message, of: method)
            let identifier = Self.bookmark(message, of: method).map { "id: \($0)\n" } ?? ""
            return Array("\(identifier)data: ".utf8) + json + Array("\n\n".utf8)
        }
    }

    func end(_ status: Status) -> [UInt8] {
        switch self {
        case .connect: return Envelope.wrap(ConnectError.end(status), flags: Envelope.endFlag)
        case .events:
            guard status.code != .ok else { return Array("event: end\ndata: {}\n\n".utf8) }
            return Array("event: error\ndata: ".utf8) + ConnectError(status).bytes
                + Array("\n\n".utf8)
        }
    }

    /// A part that only shows that the server is there; nil where the form has none.
    var keepAlive: [UInt8]? {
        switch self {
        case .connect: nil
        case .events: Array(":\n\n".utf8)
        }
    }

    /// The position after a message: an `EventSource` that connects again sends it as
    /// `Last-Event-ID`.
    private static func bookmark(_ message: [UInt8], of method: ContractMethod) -> UInt64? {
        guard method.response == Belfry_V1_SubscribeResponse.self,
            let response = try? Belfry_V1_SubscribeResponse(serializedBytes: message),
            response.hasBookmark
        else { return nil }
        return response.bookmark
    }
}

/// The envelope of a message in a stream of the Connect protocol: a byte of flags, and the length
/// in four bytes, the highest first.
enum Envelope {
    static let headByteCount = 5
    static let compressedFlag: UInt8 = 1
    static let endFlag: UInt8 = 2

    static func wrap(_ message: [UInt8], flags: UInt8) -> [UInt8] {
        let length = UInt32(message.count)
        var bytes = [flags]
        bytes.reserveCapacity(headByteCount + message.count)
        for shift in [24, 16, 8, 0] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        return bytes + message
    }

    /// The one message of a request body.
    ///
    /// - Throws: INVALID_ARGUMENT for a body that is not one whole envelope.
    static func unwrap(_ body: [UInt8]) throws(Status) -> [UInt8] {
        guard body.count >= headByteCount else { throw refusal("it is shorter than an envelope") }
        guard body[0] & compressedFlag == 0 else {
            throw Status(code: .unimplemented, message: "the server takes no compressed messages")
        }
        guard body[0] == 0 else { throw refusal("its flags are unknown") }
        let length = body[1..<headByteCount].reduce(0) { $0 << 8 | Int($1) }
        guard body.count - headByteCount == length else {
            throw refusal("it is not one message of the length that its envelope says")
        }
        return Array(body[headByteCount...])
    }

    private static func refusal(_ reason: String) -> Status {
        Status(
            code: .invalidArgument,
            message: "the body is not one enveloped message: \(reason)"
        )
    }
}
