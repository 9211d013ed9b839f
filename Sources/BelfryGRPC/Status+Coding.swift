// google.rpc.Status and the details inside, as bytes of grpc-status-details-bin.

private let typePrefix = "type.googleapis.com/google.rpc."
private let nanosecondsInSecond: Int64 = 1_000_000_000

extension Status {
    /// The bytes of `grpc-status-details-bin`; empty without details.
    func encodedDetails() -> [UInt8] {
        guard !details.isEmpty else { return [] }
        var writer = ProtoWriter()
        writer.integer(1, Int64(code.rawValue))
        writer.string(2, message)
        for detail in details {
            writer.message(3) { any in
                any.string(1, typePrefix + detail.typeName)
                any.message(2) { detail.encode(into: &$0) }
            }
        }
        return writer.bytes
    }

    /// Reads the details out of `grpc-status-details-bin`.
    ///
    /// Details of unknown types are left out, and bytes that are not a `google.rpc.Status` give
    /// none: the code and message still count.
    static func decodeDetails(_ bytes: [UInt8]) -> [ErrorDetail] {
        var details: [ErrorDetail] = []
        var reader = ProtoReader(bytes)
        do {
            while let field = try reader.next() {
                guard field.number == 3, let any = field.message else { continue }
                if let detail = try ErrorDetail(any: any) { details.append(detail) }
            }
        } catch {
            return []
        }
        return details
    }
}

extension ErrorDetail {
    fileprivate var typeName: String {
        switch self {
        case .errorInfo: "ErrorInfo"
        case .badRequest: "BadRequest"
        case .retryInfo: "RetryInfo"
        }
    }

    fileprivate func encode(into writer: inout ProtoWriter) {
        switch self {
        case .errorInfo(let reason, let domain, let metadata):
            writer.string(1, reason)
            writer.string(2, domain)
            // In the order of the keys, so that equal details have equal bytes.
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                writer.message(3) { entry in
                    entry.string(1, key)
                    entry.string(2, value)
                }
            }
        case .badRequest(let violations):
            for violation in violations {
                writer.message(1) { entry in
                    entry.string(1, violation.field)
                    entry.string(2, violation.description)
                }
            }
        case .retryInfo(let delay):
            writer.message(1) { duration in
                duration.integer(1, delay / nanosecondsInSecond)
                duration.integer(2, delay % nanosecondsInSecond)
            }
        }
    }

    /// Reads a `google.protobuf.Any`; nil if its type is none of ours.
    fileprivate init?(any: ProtoReader) throws(ProtoError) {
        var type = ""
        var value = ProtoReader([])
        var any = any
        while let field = try any.next() {
            if field.number == 1 { type = try field.text ?? type }
            if field.number == 2, let message = field.message { value = message }
        }
        guard let slash = type.lastIndex(of: "/") else { return nil }
        switch type[type.index(after: slash)...] {
        case "google.rpc.ErrorInfo": self = try .decodeErrorInfo(value)
        case "google.rpc.BadRequest": self = try .decodeBadRequest(value)
        case "google.rpc.RetryInfo": self = try .decodeRetryInfo(value)
        default: return nil
        }
    }

    private static func decodeErrorInfo(_ message: ProtoReader) throws(ProtoError) -> Self {
        var message = message
        var (reason, domain) = ("", "")
        // Bounded: the names in it are those of a server that the client chose.
        var metadata: [String: String] = [:]
        while let field = try message.next() {
            switch field.number {
            case 1: reason = try field.text ?? reason
            case 2: domain = try field.text ?? domain
            case 3:
                guard let entry = field.message else { continue }
                let (key, value) = try entry.stringPair()
                metadata[key] = value
            default: continue
            }
        }
        return .errorInfo(reason: reason, domain: domain, metadata: metadata)
    }

    private static func decodeBadRequest(_ message: ProtoReader) throws(ProtoError) -> Self {
        var message = message
        var violations: [FieldViolation] = []
        while let field = try message.next() {
            guard field.number == 1, let entry = field.message else { continue }
            let (path, description) = try entry.stringPair()
            violations.append(FieldViolation(field: path, description: description))
        }
        return .badRequest(violations)
    }

    private static func decodeRetryInfo(_ message: ProtoReader) throws(ProtoError) -> Self {
        var message = message
        var delay: Int64 = 0
        while let field = try message.next() {
            guard field.number == 1, var duration = field.message else { continue }
            while let part = try duration.next() {
                let unit = part.number == 1 ? nanosecondsInSecond : 1
                guard part.number <= 2 else { continue }
                let (product, overflow) = part.integer.multipliedReportingOverflow(by: unit)
                delay = overflow ? (part.integer < 0 ? .min : .max) : delay &+ product
            }
        }
        return .retryInfo(delayNanoseconds: delay)
    }
}

extension ProtoReader {
    /// Reads fields 1 and 2 as strings: a map entry, or a message of that form.
    fileprivate consuming func stringPair() throws(ProtoError) -> (String, String) {
        var (first, second) = ("", "")
        while let field = try next() {
            if field.number == 1 { first = try field.text ?? first }
            if field.number == 2 { second = try field.text ?? second }
        }
        return (first, second)
    }
}
