package import NotificationCore
package import NotificationProtocol

/// Keeps the tokens of a server for the calls of an admin; the methods may block.
package protocol TokenKeeper: Sendable {
    /// The tokens in the order in which they were made.
    func list() throws(Refusal) -> [Belfry_V1_AccessToken]

    /// Makes a token that counts for `seconds`, or until it is revoked.
    func create(
        _ name: String,
        _ roles: [AccessGrant],
        seconds: Int64?
    ) throws(Refusal) -> Belfry_V1_CreateTokenResponse

    /// Revokes the token that has this identifier or name.
    func revoke(_ token: String) throws(Refusal) -> Belfry_V1_AccessToken
}
