internal import BelfryHashing

/// The server as push services know it: a key, and an address for their questions (RFC 8292).
package struct PushSender: Sendable {
    private let key: CurveKey
    private let contact: String

    /// Push services take no authorization that counts for longer than a day.
    package static let secondsLimit = 86_400
    private static let contactByteLimit = 255
    private static let topicByteCount = 24

    /// The server with a key and a contact; nil where the contact is no `mailto:` or `https:` URI,
    /// is longer than 255 bytes, or has a character that a URI has not.
    package init?(key: CurveKey, contact: String) {
        let bytes = Array(contact.utf8)
        guard bytes.count <= Self.contactByteLimit,
            ["mailto:", "https://"].contains(where: {
                bytes.starts(with: $0.utf8) && bytes.count > $0.utf8.count
            }),
            bytes.allSatisfy(PushEndpoint.isOfURI)
        else { return nil }
        self.key = key
        self.contact = contact
    }

    /// The public key that a page gives to its browser as `applicationServerKey`, as text.
    package var publicKey: String { Base64URL.text(key.point) }

    /// The header `Authorization` of a message; it counts until a number of seconds since 1970.
    package func authorization(for endpoint: PushEndpoint, until end: Int) -> String {
        let signed = claims(for: endpoint, until: end)
        let signature = Base64URL.text(key.signature(of: Array(signed.utf8)))
        return "vapid t=\(signed).\(signature), k=\(publicKey)"
    }

    /// The header `Topic`, by which a push service replaces the message of the same subject.
    ///
    /// The push service cannot tell what the subject is.
    func topic(of subject: [UInt8]) -> String {
        let code = AuthenticationCode.code(of: subject, key: key.scalar)
        return Base64URL.text(Array(code.prefix(Self.topicByteCount)))
    }

    /// The head and the claims of a JSON Web Token: none of their texts has a character that JSON
    /// escapes.
    func claims(for endpoint: PushEndpoint, until end: Int) -> String {
        let head = #"{"typ":"JWT","alg":"ES256"}"#
        let body = #"{"aud":"\#(endpoint.origin)","exp":\#(end),"sub":"\#(contact)"}"#
        return [head, body].map { Base64URL.text(Array($0.utf8)) }.joined(separator: ".")
    }
}
