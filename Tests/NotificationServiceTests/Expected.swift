internal import BelfryGRPC
internal import NotificationClient
internal import Testing

/// The refusal that a table expects.
struct Expected: Sendable {
    let code: StatusCode
    let reason: String
    var fields: [String] = []
    /// Apple's number; nil for the domain `belfry`.
    var unCode: Int?

    init(_ code: StatusCode, _ reason: String, _ fields: String..., unCode: Int? = nil) {
        self.code = code
        self.reason = reason
        self.fields = fields
        self.unCode = unCode
    }

    /// An argument that is wrong without a reason of its own.
    static func invalid(_ field: String) -> Self { Self(.invalidArgument, "INVALID_FIELD", field) }

    /// Fails where a refusal says anything else; `prefix` stands before each field.
    func check(
        _ error: ClientError,
        prefix: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(error.reason == reason, sourceLocation: sourceLocation)
        let domain = unCode == nil ? "belfry" : "UNErrorDomain"
        #expect(error.domain == domain, sourceLocation: sourceLocation)
        #expect(error.metadata["code"] == unCode.map(String.init), sourceLocation: sourceLocation)
        #expect(
            error.fields.map(\.path) == fields.map { prefix + $0 },
            sourceLocation: sourceLocation
        )
        #expect(error.fields.allSatisfy { !$0.explanation.isEmpty }, sourceLocation: sourceLocation)
        #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
    }
}

/// Runs a call that has to be refused, and gives the refusal.
func refusal(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Void
) async throws -> ClientError {
    do {
        try await call()
    } catch let error as ClientError {
        return error
    } catch let status as Status {
        return ClientError(status)
    }
    Issue.record("the call was not refused", sourceLocation: sourceLocation)
    throw NotRefused()
}

struct NotRefused: Error {}
