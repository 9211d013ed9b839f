internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationService
internal import SwiftProtobuf

/// Makes, lists and revokes the tokens of a file for an admin's calls, as `belfry token` does.
struct FileTokenKeeper: TokenKeeper {
    let file: TokenFile

    func list() throws(Refusal) -> [Belfry_V1_AccessToken] {
        try refusing { try file.entries().map { Belfry_V1_AccessToken($0) } }
    }

    func create(
        _ name: String,
        _ roles: [AccessGrant],
        seconds: Int64?
    ) throws(Refusal) -> Belfry_V1_CreateTokenResponse {
        guard TokenFile.isName(name) else {
            let path = FieldPath([.written("name")])
            throw .invalid(path, "must be 1 to 64 bytes that a terminal can show")
        }
        return try refusing(.resourceExhausted, .tokenLimit) {
            let (text, entry) = try file.create(name, roles, seconds: seconds)
            return .with {
                $0.text = text
                $0.token = Belfry_V1_AccessToken(entry)
            }
        }
    }

    func revoke(_ token: String) throws(Refusal) -> Belfry_V1_AccessToken {
        try refusing(.failedPrecondition, .tokenAmbiguous, "id") {
            Belfry_V1_AccessToken(try file.revoke(token))
        }
    }

    /// Gives what `body` gives, and its problem as a refusal, of `kind` and for `reason` where the
    /// tokens of the file do not allow the change; `field` names the token in the request.
    private func refusing<R>(
        _ kind: Refusal.Kind = .failedPrecondition,
        _ reason: Reason = .tokensUnavailable,
        _ field: String? = nil,
        _ body: () throws -> R
    ) throws(Refusal) -> R {
        do {
            return try body()
        } catch {
            let problem = error as? TokenFile.Problem
            let message = problem?.description ?? "\(error)"
            let path = field.map { FieldPath([.written($0)]) }
            let fields = path.map { [Refusal.WrongField($0, message)] } ?? []
            switch problem?.exitReason {
            case .notFound:
                throw Refusal(
                    .notFound,
                    reason: .tokenNotFound,
                    message: message,
                    fields: fields,
                    namesFields: false
                )
            case .refused:
                throw Refusal(
                    kind,
                    reason: reason,
                    message: message,
                    fields: fields,
                    namesFields: false
                )
            default:
                throw Refusal(
                    .failedPrecondition,
                    reason: .tokensUnavailable,
                    message: message
                )
            }
        }
    }
}

extension Belfry_V1_AccessToken {
    fileprivate init(_ entry: TokenFile.Entry) {
        self.init()
        id = entry.identifier
        name = entry.name
        roles = entry.roles
        createdAt = .init(date: entry.created)
        if let expires = entry.expires { expiresAt = .init(date: expires) }
    }
}
