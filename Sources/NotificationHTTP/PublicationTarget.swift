internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// The object of a publishing request, by its method and its path.
enum PublicationTarget: Equatable {
    /// A publication as JSON, which names its app.
    case json
    /// A publication to an app, which replaces the earlier one with its sequence.
    case publication(topic: String, sequence: String?)
    /// A notification is read, and leaves the list.
    case clearing(topic: String, sequence: String)
    /// A notification is removed, also where it waits for its time.
    case deletion(topic: String, sequence: String)

    /// No path of a publication is longer.
    private static let pathBytes = 1_024

    /// The target of a request; nil where it is about something else.
    init?(_ method: HTTPRequest.Method, _ path: String) {
        // Bounded: a longer path is none of these.
        guard path.utf8.count <= Self.pathBytes else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        let publishes = method == .post || method == .put
        switch (parts.count, parts.last) {
        case (1, "") where publishes: self = .json
        case (1, _) where publishes: self = .publication(topic: parts[0], sequence: nil)
        case (2, "publish"), (2, "send"), (2, "trigger"):
            guard method == .get else { return nil }
            self = .publication(topic: parts[0], sequence: nil)
        case (2, _) where publishes: self = .publication(topic: parts[0], sequence: parts[1])
        case (2, _) where method == .delete: self = .deletion(topic: parts[0], sequence: parts[1])
        case (3, "clear"), (3, "read"):
            guard method == .get || method == .put else { return nil }
            self = .clearing(topic: parts[0], sequence: parts[1])
        case (3, "delete") where method == .get:
            self = .deletion(topic: parts[0], sequence: parts[1])
        default: return nil
        }
    }

    /// The rpc that its caller has to be allowed to make.
    var rpc: String {
        switch self {
        case .json, .publication: "NotificationCenterService/Add"
        case .clearing, .deletion: "NotificationCenterService/RemoveDelivered"
        }
    }
}

extension Exchange {
    /// The same request with the credentials of its query, as clients send them that have no
    /// headers: base64 of what `Authorization` has.
    ///
    /// - Throws: INVALID_ARGUMENT where they do not decode.
    func authorizedByQuery() throws(Status) -> Exchange {
        guard field(.authorization) == nil, let text = queryValue("auth") else { return self }
        // Take a space for a plus, which a query has to encode.
        let digits = text.replacing(" ", with: "+").replacing("-", with: "+")
            .replacing("_", with: "/").prefix { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
        guard let bytes = Data(base64Encoded: digits + padding),
            let credentials = String(validating: bytes, as: UTF8.self)
        else {
            throw .refused("auth: it has to be base64 of what the header Authorization has")
        }
        return authorized(credentials)
    }

    /// The same request with credentials.
    func authorized(_ credentials: String) -> Exchange {
        var head = request.head
        head.headerFields[.authorization] = credentials
        return Exchange(
            request: Request(head: head, body: request.body),
            channel: channel,
            isEncrypted: isEncrypted,
            peer: peer,
            connection: connection,
            origin: origin,
            options: options,
            session: session
        )
    }
}
