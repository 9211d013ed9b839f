internal import Foundation
internal import Testing

extension [UInt8] {
    /// The bytes of Base64 with the alphabet of URLs, which a test wrote.
    init(base64URL text: String) throws {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        self = Array(try #require(Data(base64Encoded: usual + padding)))
    }
}
