internal import Testing

@testable internal import BelfryWebPush

/// The headers that a push service gets with a message.
@Suite("Requests of Web Push")
struct PushRequestTests {
    private static let now = 1_800_000_000
    private let key = CurveKey()

    private func request(
        _ text: String = "a",
        subject: String = "app/1",
        urgency: PushRequest.Urgency = .normal,
        end: Int? = nil
    ) throws -> PushRequest? {
        let sender = try #require(PushSender(key: key, contact: "mailto:push@example.com"))
        let receiver = try #require(
            PushReceiver(point: CurveKey().point, secret: [UInt8](repeating: 1, count: 16))
        )
        return try sender.request(
            Array(text.utf8),
            to: receiver,
            at: PushEndpoint("https://fcm.googleapis.com/a", of: #require(PushServices())),
            delivery: .init(subject: Array(subject.utf8), urgency: urgency, end: end),
            now: Self.now
        )
    }

    private func header(_ name: String, of request: PushRequest?) throws -> String {
        let values = try #require(request).headers.filter { $0.name == name }
        try #require(values.count == 1)
        return values[0].value
    }

    @Test("A request has the headers of RFC 8030, RFC 8188 and RFC 8292, each once")
    func headers() throws {
        let request = try request()
        #expect(
            request?.headers.map(\.name).sorted() == [
                "Authorization", "Content-Encoding", "Content-Type", "TTL", "Topic", "Urgency",
            ]
        )
        #expect(try header("Content-Encoding", of: request) == "aes128gcm")
        #expect(try header("Content-Type", of: request) == "application/octet-stream")
        for urgency in PushRequest.Urgency.allCases {
            let written = try header("Urgency", of: self.request(urgency: urgency))
            #expect(["very-low", "low", "normal", "high"].contains(written))
        }
    }

    @Test("An authorization counts for half a day, of which services take a whole one")
    func authorizationEnd() throws {
        let token = try header("Authorization", of: request()).split(separator: ".")[1]
        let claims = String(decoding: try [UInt8](base64URL: String(token)), as: UTF8.self)
        #expect(claims.contains(#""exp":\#(Self.now + 43_200),"#))
    }

    @Test(
        "A message lives until nobody needs it, and at most four weeks",
        arguments: [
            (nil, "2419200"), (now + 90, "90"), (now, "0"), (now - 1, "0"), (.min, "0"),
            (.max, "2419200"), (now + 2_419_201, "2419200"),
        ] as [(Int?, String)]
    )
    func life(end: Int?, written: String) throws {
        #expect(try header("TTL", of: request(end: end)) == written)
    }

    @Test("A subject has one topic, which is not read from it, and no server has another's")
    func topic() throws {
        let first = try header("Topic", of: request("one"))
        #expect(try first == header("Topic", of: request("two")))
        #expect(try first != header("Topic", of: request(subject: "app/2")))
        let other = try #require(PushSender(key: CurveKey(), contact: "mailto:a@example.com"))
        #expect(other.topic(of: Array("app/1".utf8)) != first)
        #expect(
            first.utf8.count == 32
                && first.utf8.allSatisfy { byte in
                    Character(UnicodeScalar(byte)).isLetter
                        || Character(UnicodeScalar(byte)).isNumber
                        || "-_".utf8.contains(byte)
                }
        )
    }

    @Test("A text that no record holds makes no request")
    func tooLong() throws {
        let limit = PushReceiver.textByteLimit
        #expect(try request(String(repeating: "a", count: limit))?.body.count == 4_096)
        #expect(try request(String(repeating: "a", count: limit + 1)) == nil)
    }
}
