internal import BelfryGRPC
internal import NotificationCore
internal import StandardServices

extension Status {
    /// Makes the status of a refusal: code, message and details (W-10).
    init(_ refusal: Refusal) {
        var details: [ErrorDetail] = [
            .errorInfo(
                reason: refusal.reason.wireName,
                domain: refusal.domain,
                metadata: refusal.wireMetadata
            )
        ]
        if !refusal.fields.isEmpty {
            details.append(.badRequest(refusal.violations))
        }
        if let delay = refusal.retryAfterNanoseconds {
            details.append(.retryInfo(delayNanoseconds: delay))
        }
        self.init(code: refusal.kind.code, message: refusal.wireMessage, details: details)
    }
}

extension ServerStream {
    /// Ends an open stream with a refusal.
    ///
    /// RESOURCE_EXHAUSTED aborts the stream, because a client that reads nothing would never
    /// receive an orderly end. An abort has no details, so the message begins with the reason.
    func end(_ refusal: Refusal) {
        if refusal.kind == .resourceExhausted {
            let message = "\(refusal.reason.wireName): \(refusal.wireMessage)"
            abort(Status(code: refusal.kind.code, message: message))
        } else {
            finish(Status(refusal))
        }
    }
}

extension Refusal.Kind {
    /// The canonical code, which has the same number as the kind.
    var code: StatusCode { StatusCode(rawValue: Int32(rawValue)) ?? .unknown }
}
