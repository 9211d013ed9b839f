internal import Testing

@testable internal import BelfryWebPush

/// To whom messages may go.
@Suite("Addresses of Web Push")
struct PushEndpointTests {
    @Test(
        "The push services of the browsers are allowed",
        arguments: [
            "https://fcm.googleapis.com/fcm/send/abc:def_-",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://web.push.apple.com/QAbc",
            "https://wns2-par02p.notify.windows.com/w/?token=B%2b",
        ]
    )
    func browsers(text: String) throws {
        let endpoint = try PushEndpoint(text, of: try #require(PushServices()))
        #expect(endpoint.text == text && endpoint.port == 443 && !endpoint.isOnLoopback)
    }

    @Test(
        "A request names the host and what follows it",
        arguments: [
            ("https://fcm.googleapis.com/send/a:b", "fcm.googleapis.com", "/send/a:b"),
            ("https://fcm.googleapis.com:443/a//b?c=/d", "fcm.googleapis.com", "/a//b?c=/d"),
            ("https://fcm.googleapis.com?a=b", "fcm.googleapis.com", "/?a=b"),
            ("https://fcm.googleapis.com", "fcm.googleapis.com", "/"),
        ]
    )
    func request(text: String, authority: String, target: String) throws {
        let endpoint = try PushEndpoint(text, of: try #require(PushServices()))
        #expect(endpoint.authority == authority && endpoint.target == target)
        #expect(endpoint.origin == "https://" + authority)
        let local = try PushEndpoint(
            "https://localhost:1234/a",
            of: try #require(PushServices(loopback: "localhost:1234"))
        )
        #expect(local.authority == "localhost:1234" && local.target == "/a")
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let text: String
        let problem: PushEndpoint.Problem
        var testDescription: String { text }

        init(_ text: String, _ problem: PushEndpoint.Problem) {
            self.text = text
            self.problem = problem
        }
    }

    @Test(
        "What is no address of an allowed service is refused, and why",
        arguments: [
            Refused("", .notHTTPS), Refused("fcm.googleapis.com", .notHTTPS),
            Refused("http://fcm.googleapis.com/a", .notHTTPS),
            Refused("ws://fcm.googleapis.com/a", .notHTTPS),
            Refused("file:///etc/passwd", .notHTTPS),
            Refused("https:/fcm.googleapis.com", .notHTTPS),
            Refused("https://", .host), Refused("https:///a", .host),
            Refused("https://a@fcm.googleapis.com/", .userInformation),
            Refused("https://fcm.googleapis.com:a@127.0.0.1/", .userInformation),
            Refused("https://fcm.googleapis.com:8443/a", .otherService),
            Refused("https://fcm.googleapis.com:/a", .port),
            Refused("https://fcm.googleapis.com:0443/a", .port),
            Refused("https://fcm.googleapis.com:65979/a", .port),
            Refused("https://fcm.googleapis.com:443:443/a", .port),
            Refused("https://fcm.googleapis.com./a", .host),
            Refused("https://127.0.0.1/", .host), Refused("https://127.1/", .host),
            Refused("https://2130706433/", .host), Refused("https://0x7f.0x1/", .host),
            Refused("https://[::1]/", .host), Refused("https://10.0.0.1/", .host),
            Refused("https://localhost/", .otherService),
            Refused("https://localhost:8443/", .otherService),
            Refused("https://example.com/", .otherService),
            Refused("https://evilpush.apple.com/", .otherService),
            Refused("https://push.apple.com/", .otherService),
            Refused("https://web.push.apple.com.evil.example/", .otherService),
            Refused("https://fcm.googleapis.com.evil.example/", .otherService),
            Refused("https://a.fcm.googleapis.com/", .otherService),
            Refused("https://fcm.googleapis.com\\@evil.example/", .character),
            Refused("https://fcm.googleapis.com/a#b", .character),
            Refused("https://fcm.googleapis.com/a b", .character),
            Refused("https://fcm.googleapis.com/\r\nHost: a", .character),
            Refused("https://fcm.googleapis.com/\"", .character),
            Refused("https://fcm.googleapis.com/\u{0}", .character),
            Refused("https://fcm。googleapis.com/", .character),
            Refused("https://fcm_googleapis.com/", .host), Refused("https://-a.example/", .host),
            Refused("https://a..example/", .host), Refused("https://%66cm.googleapis.com/", .host),
            Refused("https://" + String(repeating: "a", count: 64) + ".example/", .host),
            Refused("https://fcm.googleapis.com/" + String(repeating: "a", count: 2_022), .tooLong),
        ]
    )
    func refused(row: Refused) throws {
        let services = try #require(PushServices())
        #expect(throws: row.problem) { try PushEndpoint(row.text, of: services) }
    }

    @Test("A service on loopback is allowed by its name and port alone")
    func loopback() throws {
        let services = try #require(PushServices(loopback: "localhost:8443"))
        let endpoint = try PushEndpoint("https://localhost:8443/a", of: services)
        #expect(endpoint.isOnLoopback && endpoint.port == 8_443)
        for text in [
            "https://localhost/a", "https://localhost:8444/a", "https://a.localhost:8443/",
        ] {
            #expect(throws: PushEndpoint.Problem.otherService) {
                try PushEndpoint(text, of: services)
            }
        }
        #expect(try !PushEndpoint("https://fcm.googleapis.com/a", of: services).isOnLoopback)
    }

    @Test(
        "A service is a name with a dot, and one on loopback a name with a port",
        arguments: [
            "", "*", "*.", "*.com", "com", "localhost", "127.0.0.1", "*.*.example.com",
            "a b.example",
            "https://a.example", "a.example:443", "a.example/", "[::1]",
        ]
    )
    func services(name: String) {
        #expect(PushServices([name]) == nil)
        #expect(PushServices(loopback: name) == nil || name == "a.example:443")
    }

    /// An address of version 4 by itself, as Linux writes it in version 6, and as NAT64 does.
    private static func written(_ address: [UInt8]) -> [[UInt8]] {
        let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
        let translated: [UInt8] = [0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8)
        return [address, mapped + address, translated + address]
    }

    @Test(
        "An address of this machine, of a private network or of a special purpose is not public",
        arguments: [
            [0, 0, 0, 0], [10, 1, 2, 3], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1],
            [127, 255, 255, 255], [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255],
            [192, 0, 0, 8], [192, 0, 2, 1], [192, 168, 0, 1], [198, 19, 255, 255],
            [198, 51, 100, 1], [203, 0, 113, 1], [224, 0, 0, 1], [255, 255, 255, 255],
        ]
    )
    func special(address: [UInt8]) throws {
        for bytes in Self.written(address) {
            #expect(try !#require(NetworkAddress(bytes)).isPublic, "\(bytes)")
        }
    }

    @Test("The addresses beside those are public")
    func beside() throws {
        let addresses: [[UInt8]] = [
            [1, 0, 0, 0], [9, 255, 255, 255], [11, 0, 0, 0], [100, 63, 255, 255], [100, 128, 0, 0],
            [126, 255, 255, 255], [128, 0, 0, 0], [169, 253, 0, 0], [172, 15, 255, 255],
            [172, 32, 0, 0], [192, 167, 255, 255], [192, 169, 0, 0], [198, 17, 255, 255],
            [198, 20, 0, 0], [223, 255, 255, 255],
        ]
        for bytes in addresses.flatMap(Self.written) {
            #expect(try #require(NetworkAddress(bytes)).isPublic, "\(bytes)")
        }
    }

    @Test("Of version 6, what is allocated for the public is public")
    func version6() throws {
        func isPublic(_ words: UInt16...) throws -> Bool {
            let all = words + [UInt16](repeating: 1, count: 8 - words.count)
            return try #require(
                NetworkAddress(all.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
            ).isPublic
        }
        for words: UInt16 in [0x2a00, 0x2606, 0x2400, 0x2003] { #expect(try isPublic(words)) }
        #expect(try isPublic(0x2001, 0x0200) && isPublic(0x2001, 0x0db9))
        for words: UInt16 in [0, 0x2002, 0x4000, 0xfc00, 0xfd00, 0xfe80, 0xfec0, 0xff02, 0x1fff] {
            #expect(try !isPublic(words), "\(words)")
        }
        #expect(try !isPublic(0x2001, 0) && !isPublic(0x2001, 0x01ff) && !isPublic(0x2001, 0x0db8))
        #expect(try !isPublic(0x3fff, 0x0fff) && !isPublic(0, 0, 0, 0, 0, 0, 0, 1))
    }

    @Test("An address has 4 or 16 bytes", arguments: [0, 3, 5, 15, 17])
    func counts(count: Int) {
        #expect(NetworkAddress([UInt8](repeating: 8, count: count)) == nil)
    }
}
