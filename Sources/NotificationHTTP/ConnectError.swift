internal import BelfryGRPC
internal import Foundation
internal import StandardServices

/// A status as the JSON of the Connect protocol.
struct ConnectError: Encodable {
    /// A detail: the bytes of its message, and for people the same as JSON.
    struct Detail: Encodable {
        let type: String
        let value: String
        let debug: Debug
    }

    /// The message of a detail as JSON, for people and for scripts without protobuf.
    struct Debug: Encodable {
        var reason: String?
        var domain: String?
        var metadata: [String: String]?
        var fieldViolations: [Violation]?
        var retryDelay: String?
    }

    struct Violation: Encodable {
        let field: String
        let description: String
    }

    let code: String
    let message: String?
    let details: [Detail]?

    init(_ status: Status) {
        code = status.code.connectName
        message = status.message.isEmpty ? nil : status.message
        let details = status.packedDetails.map { packed in
            // The protocol's base64 has no padding.
            let value = Data(packed.bytes).base64EncodedString().prefix { $0 != "=" }
            return Detail(
                type: packed.typeName,
                value: String(value),
                debug: Debug(packed.detail)
            )
        }
        self.details = details.isEmpty ? nil : details
    }

    /// The JSON, in UTF-8.
    var bytes: [UInt8] { Self.encode(self) }

    /// The end of a Connect stream: an error, or an empty object.
    static func end(_ status: Status) -> [UInt8] {
        encode(End(error: status.code == .ok ? nil : ConnectError(status)))
    }

    private struct End: Encodable {
        let error: ConnectError?
    }

    private static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and arrays of texts always encode.
        let data = try? encoder.encode(value)
        return data.map { [UInt8]($0) } ?? Array(#"{"code":"internal"}"#.utf8)
    }
}

extension ConnectError.Debug {
    fileprivate init(_ detail: ErrorDetail) {
        switch detail {
        case .errorInfo(let reason, let domain, let metadata):
            self.reason = reason
            self.domain = domain
            if !metadata.isEmpty { self.metadata = metadata }
        case .badRequest(let violations):
            fieldViolations = violations.map {
                ConnectError.Violation(field: $0.field, description: $0.description)
            }
        case .retryInfo(let delay):
            let seconds = Double(delay) / 1_000_000_000
            retryDelay = "\(seconds)s"
        }
    }
}
