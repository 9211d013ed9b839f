internal import Testing

@testable internal import BelfryWebPush

/// The authorization of messages, with the example of RFC 8292, section 2.4.
@Suite("Authorization of Web Push")
struct PushSenderTests {
    private static let signed =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAi"
        + "OjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0"
    private static let signature =
        "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
    private static let point =
        "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    private static let end = 1_453_523_768

    private func endpoint(_ text: String = "https://push.example.net/p/1") throws -> PushEndpoint {
        let services = try #require(
            PushServices(["push.example.net"], loopback: "localhost:8443")
        )
        return try PushEndpoint(text, of: services)
    }

    private func sender(_ key: CurveKey = CurveKey()) throws -> PushSender {
        try #require(PushSender(key: key, contact: "mailto:push@example.com"))
    }

    @Test("The example's claims are written as the example has them")
    func claims() throws {
        #expect(try sender().claims(for: endpoint(), until: Self.end) == Self.signed)
    }

    @Test("The tests' reading of a signature accepts the example, and nothing near it")
    func exampleSignature() throws {
        var numbers = try [UInt8](base64URL: Self.signature)
        let (message, point) = (Array(Self.signed.utf8), try [UInt8](base64URL: Self.point))
        #expect(Signature(numbers: numbers).isOf(message, by: point))
        #expect(!Signature(numbers: numbers).isOf(message + [0x61], by: point))
        #expect(!Signature(numbers: numbers).isOf(message, by: CurveKey().point))
        numbers[63] ^= 1
        #expect(!Signature(numbers: numbers).isOf(message, by: point))
    }

    // A number of a signature begins with a zero byte once in 128 signatures.
    @Test("Each authorization is signed by the key that it names")
    func authorization() throws {
        let (key, endpoint) = (CurveKey(), try endpoint())
        let sender = try sender(key)
        for _ in 0..<600 {
            let text = sender.authorization(for: endpoint, until: Self.end)
            let words = text.split(separator: " ")
            try #require(words.count == 3 && words[0] == "vapid")
            let token = words[1].dropFirst(2).dropLast().split(separator: ".")
            try #require(words[1].hasPrefix("t=") && words[1].hasSuffix(",") && token.count == 3)
            #expect(
                try words[2] == "k=" + sender.publicKey
                    && [UInt8](base64URL: sender.publicKey) == key.point
            )
            let numbers = try [UInt8](base64URL: String(token[2]))
            try #require(numbers.count == 64)
            let message = Array("\(token[0]).\(token[1])".utf8)
            #expect(Signature(numbers: numbers).isOf(message, by: key.point))
        }
    }

    @Test("The audience is the origin, with a port that is not the usual one")
    func audience() throws {
        let texts = [
            "https://push.example.net": "https://push.example.net",
            "https://push.example.net:443/a": "https://push.example.net",
            "https://PUSH.example.net/A?b=c": "https://push.example.net",
            "https://localhost:8443/a": "https://localhost:8443",
        ]
        for (text, origin) in texts { #expect(try endpoint(text).origin == origin) }
    }

    @Test(
        "A contact is a URI for mail or the web, and cannot leave its text",
        arguments: [
            "", "mailto:", "push@example.com", "http://a.example", #"mailto:a"b@example.com"#,
            "mailto:a b@example.com", #"mailto:a\b@example.com"#, "mailto:a\u{7}@example.com",
            "mailto:é@example.com", "mailto:" + String(repeating: "a", count: 249),
        ]
    )
    func contact(text: String) {
        #expect(PushSender(key: CurveKey(), contact: text) == nil)
    }

    @Test("Base64 has no padding, at each length")
    func base64() throws {
        let texts = ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"]
        for (count, text) in texts.enumerated() {
            #expect(Base64URL.text(Array("foobar".utf8.prefix(count))) == text)
        }
        #expect(Base64URL.text([0xfb, 0xff, 0xfe]) == "-__-")
    }
}
