package import BelfryGRPC
internal import SwiftProtobuf

// The details of a status: a google.rpc.Status that repeats its code and message.

private let nanosecondsInSecond: Int64 = 1_000_000_000

extension Status {
    package init(code: StatusCode, message: String, details: [ErrorDetail]) {
        self.init(code: code, message: message)
        guard !details.isEmpty else { return }
        var wire = Google_Rpc_Status()
        wire.code = code.rawValue
        wire.message = message
        wire.details = details.map { Google_Protobuf_Any(packing: $0.message) }
        detailBytes = wire.encoded()
    }

    /// A detail, and how it is written.
    package struct PackedDetail: Sendable {
        /// The name of the message, such as `google.rpc.ErrorInfo`.
        package let typeName: String
        /// The serialized message.
        package let bytes: [UInt8]
        package let detail: ErrorDetail
    }

    /// The machine-readable details, in order.
    ///
    /// Details of unknown types are left out. Bytes that are not a `google.rpc.Status` give no
    /// details; the code and the message are valid all the same.
    package var details: [ErrorDetail] { packedDetails.map(\.detail) }

    /// The details and their messages, in order, as ``details``.
    package var packedDetails: [PackedDetail] {
        guard !detailBytes.isEmpty else { return [] }
        do {
            return try Google_Rpc_Status(serializedBytes: detailBytes).details.compactMap {
                packed in
                try ErrorDetail(packed).map { detail in
                    // The type follows the last slash of its address.
                    let name = packed.typeURL.split(separator: "/").last ?? ""
                    return PackedDetail(
                        typeName: String(name),
                        bytes: [UInt8](packed.value),
                        detail: detail
                    )
                }
            }
        } catch {
            return []
        }
    }
}

extension ErrorDetail {
    fileprivate var message: any Message {
        switch self {
        case .errorInfo(let reason, let domain, let metadata):
            Google_Rpc_ErrorInfo.with {
                $0.reason = reason
                $0.domain = domain
                $0.metadata = metadata
            }
        case .badRequest(let violations):
            Google_Rpc_BadRequest.with {
                $0.fieldViolations = violations.map { violation in
                    .with {
                        $0.field = violation.field
                        $0.description_p = violation.description
                    }
                }
            }
        case .retryInfo(let delay):
            Google_Rpc_RetryInfo.with {
                $0.retryDelay.seconds = delay / nanosecondsInSecond
                $0.retryDelay.nanos = Int32(delay % nanosecondsInSecond)
            }
        }
    }

    /// Reads a detail; nil if its type is unknown to ``ErrorDetail``.
    fileprivate init?(_ wire: Google_Protobuf_Any) throws {
        if wire.isA(Google_Rpc_ErrorInfo.self) {
            let info = try Google_Rpc_ErrorInfo(serializedBytes: wire.value)
            self = .errorInfo(reason: info.reason, domain: info.domain, metadata: info.metadata)
        } else if wire.isA(Google_Rpc_BadRequest.self) {
            let request = try Google_Rpc_BadRequest(serializedBytes: wire.value)
            self = .badRequest(
                request.fieldViolations.map {
                    FieldViolation(field: $0.field, description: $0.description_p)
                }
            )
        } else if wire.isA(Google_Rpc_RetryInfo.self) {
            let info = try Google_Rpc_RetryInfo(serializedBytes: wire.value)
            self = .retryInfo(delayNanoseconds: info.retryDelay.nanoseconds)
        } else {
            return nil
        }
    }
}

extension Google_Protobuf_Any {
    fileprivate init(packing message: any Message) {
        self.init()
        typeURL = "type.googleapis.com/\(type(of: message).protoMessageName)"
        value = message.encoded()
    }
}

extension Google_Protobuf_Duration {
    /// The duration in nanoseconds, or the nearest that an `Int64` holds.
    fileprivate var nanoseconds: Int64 {
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: nanosecondsInSecond)
        let (sum, carry) = scaled.addingReportingOverflow(Int64(nanos))
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
