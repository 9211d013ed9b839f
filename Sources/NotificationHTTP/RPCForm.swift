internal import Foundation
internal import HTTPTypes
internal import NotificationProtocol

/// How a request asks for the answer of an rpc.
enum RPCForm {
    case unary(MessageForm)
    case stream(StreamForm)

    /// A problem of a request that is found before its body is read.
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
        if exchange.method == .get, method.isServerStream { return events(for: exchange) }
        guard exchange.method == .post else {
            let told = "call it with POST\n"
            return .failure(Problem(status: 405, text: told, fields: [.allow: method.allowed]))
        }
        // Require a type that a page may send to another origin only if the server allows it, such
        // as JSON.
        let type = (exchange.field(.contentType) ?? "").prefix { $0 != ";" }
        switch (type.lowercased(), method.isServerStream) {
        case ("application/json", false): return .success(.unary(.json))
        case ("application/proto", false): return .success(.unary(.proto))
        case ("application/json", true): return events(for: exchange)
        case ("application/connect+json", true): return .success(.stream(.connect(.json)))
        case ("application/connect+proto", true): return .success(.stream(.connect(.proto)))
        default: return .failure(wrongType(method))
        }
    }

    /// A stream of events, unless the client says that it takes none.
    private static func events(for exchange: Exchange) -> Result<RPCForm, Problem> {
        let accepted = (exchange.field(.accept) ?? "*/*").split(separator: ",").map { range in
            range.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
        guard accepted.contains(where: ["*/*", "text/*", "text/event-stream"].contains) else {
            return .failure(Problem(status: 406, text: "the answer is text/event-stream\n"))
        }
        return .success(.stream(.events))
    }

    private static func wrongType(_ method: ContractMethod) -> Problem {
        let types =
            method.isServerStream
            ? "application/json, application/connect+json, application/connect+proto"
            : "application/json, application/proto"
        return Problem(
            status: 415,
            text: "the content type has to be one of \(types)\n",
            fields: [.acceptPost: types]
        )
    }
}

extension ContractMethod {
    /// The methods of HTTP that its path answers, as `Allow` lists them.
    var allowed: String { isServerStream ? "GET, POST, OPTIONS" : "POST, OPTIONS" }
}
