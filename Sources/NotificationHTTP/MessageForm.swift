internal import BelfryGRPC
internal import NotificationProtocol
internal import StandardServices
internal import SwiftProtobuf

/// How messages are written in the bodies of requests and responses.
enum MessageForm: Sendable {
    /// Protobuf's JSON.
    case json
    /// Protobuf's own bytes.
    case proto

    /// A request message in protobuf's own bytes.
    ///
    /// - Throws: INVALID_ARGUMENT for a body that is no such message.
    func request(_ body: [UInt8], of method: ContractMethod) throws(Status) -> [UInt8] {
        guard self == .json else { return body }
        let message: any Message
        do throws(JSONFault) {
            // Take an empty body for a message without fields, as clients mean it.
            let text = body.isEmpty ? Array("{}".utf8) : body
            message = try method.request.init(checkedJSON: text)
        } catch {
            let fields = FieldViolation(field: error.path, description: error.problem)
            throw Status(
                code: .invalidArgument,
                message: """
                    the body is not the JSON of a \(method.request.protoMessageName): \(error)
                    """,
                details: [.malformedMessage] + (error.path.isEmpty ? [] : [.badRequest([fields])])
            )
        }
        do {
            return try message.serializedBytes()
        } catch {
            throw Status(code: .internalError, message: "the request does not serialize")
        }
    }

    func response(_ message: [UInt8], of method: ContractMethod) throws(Status) -> [UInt8] {
        guard self == .json else { return message }
        do {
            return try method.response.init(serializedBytes: message).jsonUTF8Bytes()
        } catch {
            throw Status(code: .internalError, message: "the answer has no JSON")
        }
    }
}

extension ErrorDetail {
    /// The same detail as in every call whose request is not a message of its type.
    fileprivate static let malformedMessage = ErrorDetail.errorInfo(
        reason: "MALFORMED_MESSAGE",
        domain: "belfry",
        metadata: [:]
    )
}
