/// A browser that is told of a device's alerts while no page is open (RFC 8030).
package struct WebPushSubscription: Hashable, Sendable {
    /// The address at the browser's push service; who knows it may be able to send.
    package var endpoint: String
    /// The browser's public key, a point of P-256 without compression.
    package var point: [UInt8]
    /// The secret that the browser and the server share.
    package var secret: [UInt8]
    /// The SHA-256 of the token that subscribed it, with which it ends; nil where a caller without
    /// one did.
    package var token: [UInt8]?
    package var createdAt: WallInstant

    package static let endpointByteLimit = 2_048
    package static let identifierByteCount = 16
    package static let pointByteCount = 65
    package static let secretByteCount = 16
    package static let tokenByteCount = 32

    package init(
        endpoint: String,
        point: [UInt8],
        secret: [UInt8],
        token: [UInt8]? = nil,
        createdAt: WallInstant
    ) {
        self.endpoint = endpoint
        self.point = point
        self.secret = secret
        self.token = token
        self.createdAt = createdAt
    }

    /// Whether its parts have the sizes that the store keeps.
    package var isKept: Bool {
        (1...Self.endpointByteLimit).contains(endpoint.utf8.count)
            && point.count == Self.pointByteCount && secret.count == Self.secretByteCount
            && (token.map { $0.count == Self.tokenByteCount } ?? true)
    }
}
