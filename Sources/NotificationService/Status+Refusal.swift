internal import BelfryGRPC
internal import NotificationCore
internal import StandardServices

extension Status {
    /// Makes the status of a refusal: code, message and details (W-10).
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
    /// Ends an open stream with a refusal.
    ///
    /// RESOURCE_EXHAUSTED aborts the stream, because a client that reads nothing would never
    /// receive an orderly end. An abort has no details, so the message begins with the reason.
    func end(_ refusal: Refusal) {
        if refusal.kind == .resourceExhausted {
            abort(Status(code: refusal.kind.code, message: "\(refusal.reason): \(refusal.message)"))
        } else {
            finish(Status(refusal))
        }
    }
}

extension Refusal {
    /// `UNErrorDomain` for the twelve reasons that have a number of Apple's (§2.9), else `belfry`.
    var domain: String { unErrorCode == nil ? "belfry" : "UNErrorDomain" }

    /// The metadata of the reason, which holds Apple's number.
    ///
    /// Bounded: the keys are the server's own names.
    var wireMetadata: [String: String] {
        guard let unErrorCode else { return metadata }
        return metadata.merging(["code": "\(unErrorCode)"]) { mine, _ in mine }
    }
}

extension Refusal.Kind {
    /// The canonical code, which has the same number as the kind.
    var code: StatusCode { StatusCode(rawValue: Int32(rawValue)) ?? .unknown }
}
