internal import Foundation

/// A token in the place of a password, as `curl --user` and clients with passwords alone send it.
enum BasicCredentials {
    /// Longer credentials hold no token.
    private static let byteCount = 512

    /// The same credentials as a bearer's; nil where they are of another kind.
    static func bearer(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        // Bounded: a longer text holds no token.
        guard authorization.utf8.count <= byteCount, parts.count == 2,
            parts[0].lowercased() == "basic",
            let bytes = Data(base64Encoded: String(parts[1])),
            let text = String(validating: bytes, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return "Bearer " + text[text.index(after: colon)...]
    }
}
