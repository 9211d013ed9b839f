internal import Testing

@testable internal import BelfryWebPush

/// The encryption of messages, with the example of RFC 8291: section 5 and appendix A.
@Suite("Encryption of Web Push")
struct PushReceiverTests {
    private let text = Array("When I grow up, I want to be a watermelon".utf8)
    private let senderScalar = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private let senderPoint =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private let receiverScalar = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    private let receiverPoint =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    private let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    private let shared = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"
    private let message =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        + "gSxsj_Qulcy4a-fN"

    private func receiver() throws -> PushReceiver {
        try #require(
            PushReceiver(
                point: [UInt8](base64URL: receiverPoint),
                secret: [UInt8](base64URL: secret)
            )
        )
    }

    @Test("A key's point is that of its scalar, and both owners find one secret")
    func keys() throws {
        let sender = try #require(CurveKey(scalar: [UInt8](base64URL: senderScalar)))
        let receiver = try #require(CurveKey(scalar: [UInt8](base64URL: receiverScalar)))
        let expected = try [UInt8](base64URL: shared)
        #expect(try sender.point == [UInt8](base64URL: senderPoint))
        #expect(try receiver.point == [UInt8](base64URL: receiverPoint))
        #expect(sender.secret(with: receiver.point) == expected)
        #expect(receiver.secret(with: sender.point) == expected)
    }

    @Test("The example's text is encrypted to the example's message")
    func example() throws {
        let key = try #require(CurveKey(scalar: [UInt8](base64URL: senderScalar)))
        let made = try receiver().message(text, key: key, salt: [UInt8](base64URL: salt))
        #expect(try made == [UInt8](base64URL: message))
    }

    @Test("Each message has a key and a salt of its own")
    func fresh() throws {
        let receiver = try receiver()
        let messages = try (0..<2).map { _ in try #require(receiver.message(text)) }
        #expect(messages[0].prefix(16) != messages[1].prefix(16))
        #expect(messages[0][21..<86] != messages[1][21..<86])
        #expect(messages.allSatisfy { $0.count == 86 + text.count + 1 + 16 })
    }

    @Test("The longest text makes a message of 4,096 bytes, and a longer one makes none")
    func longest() throws {
        let receiver = try receiver()
        let most = [UInt8](repeating: 0x61, count: PushReceiver.textByteLimit)
        #expect(receiver.message(most)?.count == 4_096)
        #expect(receiver.message(most + [0x61]) == nil)
        #expect(receiver.message([])?.count == 86 + 1 + 16)
    }

    @Test(
        "Keys that no browser has are refused",
        arguments: [
            "not on the curve", "at infinity", "compressed", "hybrid", "short", "long", "no bytes",
        ]
    )
    func foreignPoint(name: String) throws {
        let point = try [UInt8](base64URL: receiverPoint)
        var other = point
        switch name {
        case "not on the curve": other[64] ^= 1
        case "at infinity": other = [0]
        case "compressed": other = [2 + point[64] % 2] + point[1..<33]
        case "hybrid": other[0] = 6 + point[64] % 2
        case "short": other.removeLast()
        case "long": other.append(0)
        default: other = []
        }
        #expect(PushReceiver(point: other, secret: try [UInt8](base64URL: secret)) == nil)
        #expect(CurveKey().secret(with: other) == nil)
    }

    @Test("A secret has 16 bytes", arguments: [0, 15, 17, 32])
    func foreignSecret(count: Int) throws {
        let point = try [UInt8](base64URL: receiverPoint)
        #expect(PushReceiver(point: point, secret: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test("A scalar is neither zero nor as large as the curve's order")
    func scalars() throws {
        let order: [UInt8] = [
            0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2,
            0xfc, 0x63, 0x25, 0x51,
        ]
        let most = Array(order.dropLast()) + [0x50]
        let one = [UInt8](repeating: 0, count: 31) + [1]
        for scalar in [one, most] {
            let key = try #require(CurveKey(scalar: scalar))
            #expect(CurveKey.isPoint(key.point))
        }
        let wrong: [[UInt8]] = [[], [1], [0] + one, [UInt8](repeating: 0, count: 32), order]
        for scalar in wrong { #expect(CurveKey(scalar: scalar) == nil) }
    }
}
