internal import HTTPTypes
internal import NotificationProtocol

/// How a request asks for the answer of an rpc.
enum RPCForm {
    case unary(MessageForm)
    case stream(StreamForm)

    /// What a request has wrong before its body is read.
    struct Problem: Error {
        let status: Int
        let text: String
        var fields: HTTPFields = [:]
    }

    /// Reads the form from a request's method and its types.
    static func of(
        _ exchange: Exchange,
        _ method: ContractMethod
    ) -> Result<RPCForm, Problem> {
        let wantsEvents = exchange.field(.accept)?.hasPrefix("text/event-stream") == true
        if exchange.method == .get, wantsEvents, method.isServerStream {
            return .success(.stream(.events))
        }
        guard exchange.method == .post else {
            return .failure(
                Problem(status: 405, text: "call it with POST\n", fields: [.allow: "POST"])
            )
        }
        // A page may send JSON to another origin only if the server allows it, other types always.
        let type = (exchange.field(.contentType) ?? "").prefix { $0 != ";" }
        switch (type.lowercased(), method.isServerStream) {
        case ("application/json", false): return .success(.unary(.json))
        case ("application/proto", false): return .success(.unary(.proto))
        case ("application/json", true) where wantsEvents: return .success(.stream(.events))
        case ("application/connect+json", true): return .success(.stream(.connect(.json)))
        case ("application/connect+proto", true): return .success(.stream(.connect(.proto)))
        default: return .failure(wrongType(method))
        }
    }

    private static func wrongType(_ method: ContractMethod) -> Problem {
        let types =
            method.isServerStream
            ? "application/connect+json, application/connect+proto"
            : "application/json, application/proto"
        let events =
            method.isServerStream
            ? ", or application/json with 'Accept: text/event-stream'" : ""
        return Problem(
            status: 415,
            text: "the content type has to be one of \(types)\(events)\n",
            fields: [.acceptPost: types]
        )
    }
}
