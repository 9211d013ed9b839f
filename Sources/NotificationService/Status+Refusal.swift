internal import BelfryGRPC
internal import NotificationCore
internal import StandardServices

extension Status {
    /// The wire's form of a refusal: code, message and details (W-10).
    init(_ refusal: Refusal) {
        var details: [ErrorDetail] = [
            .errorInfo(
                reason: refusal.reason,
                domain: refusal.domain,
                metadata: refusal.wireMetadata
            )
        ]
        if !refusal.fields.isEmpty {
            details.append(
                .badRequest(
                    refusal.fields.map { FieldViolation(field: $0.path, description: $0.problem) }
                )
            )
        }
        if let delay = refusal.retryAfterNanoseconds {
            details.append(.retryInfo(delayNanoseconds: delay))
        }
        self.init(code: refusal.kind.code, message: refusal.message, details: details)
    }
}

extension ServerStream {
    /// Ends a stream that goes on until then.
    ///
    /// A reader that takes nothing would never be told by an orderly end; the details do not travel
    /// then, so the message begins with the reason.
    func end(_ refusal: Refusal) {
        if refusal.kind == .resourceExhausted {
            abort(Status(code: refusal.kind.code, message: "\(refusal.reason): \(refusal.message)"))
        } else {
            finish(Status(refusal))
        }
    }
}

extension Refusal {
    /// `UNErrorDomain` for the twelve that Apple numbers (§2.9), else our own.
    var domain: String { unErrorCode == nil ? "belfry" : "UNErrorDomain" }

    /// The metadata with Apple's number.
    ///
    /// Bounded: its names are the server's own.
    var wireMetadata: [String: String] {
        guard let unErrorCode else { return metadata }
        return metadata.merging(["code": "\(unErrorCode)"]) { mine, _ in mine }
    }
}

extension Refusal.Kind {
    /// The canonical code, whose number is the kind's.
    var code: StatusCode { StatusCode(rawValue: Int32(rawValue)) ?? .unknown }
}
