internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static let token = token(of: 1)
    private static let name = CenterName.local("org.example.app")
    private static let key = RegistrationKey(name).bytes

    private static func token(of byte: UInt8) -> DeviceToken {
        guard let token = DeviceToken(bytes: Array(repeating: byte, count: 32)) else {
            preconditionFailure("a token has 32 bytes")
        }
        return token
    }

    private static func registration(
        of number: CenterNumber = 1,
        tags: [String] = []
    ) -> [UInt8] {
        var record = RegistrationRecord(
            number: number,
            token: token,
            environment: .production,
            registeredAt: .newYear
        )
        record.tags = tags
        return record.bytes
    }

    private static func token(endedAs number: UInt64?) -> [UInt8] {
        var record = DeviceTokenRecord(center: name)
        record.end = number.map { .init(reason: .expired, date: .newYear, number: $0) }
        return record.bytes
    }

    static let pushDamages = [
        Damage(
            "registrations and tokens that agree, which is no damage",
            []
        ) { file in
            try file.put(registration(tags: ["a", "b"]), forKey: key, in: .registrations)
            try file.put(token(endedAs: nil), forKey: token.bytes, in: .deviceTokens)
            let ended = token(of: 2)
            try file.put(token(endedAs: 1), forKey: ended.bytes, in: .deviceTokens)
            try file.put(ended.bytes, forKey: EndedTokenKey(1).bytes, in: .endedTokens)
        },
        Damage(
            "registrations, tokens and ends of garbage",
            [
                "registrations 0x0102: does not decode",
                "device_tokens token 01020000…: does not decode",
                "ended_tokens 0x0102: does not decode",
            ]
        ) { file in
            try file.put([7], forKey: [1, 2], in: .registrations)
            try file.put([7], forKey: [1, 2, 0, 0], in: .deviceTokens)
            try file.put([7], forKey: [1, 2], in: .endedTokens)
        },
        Damage(
            "a registration of another center, without its token, with tags that none has",
            [
                "registrations org.example.app on local: is of center 9, which is not there",
                "registrations org.example.app on local: its token is gone",
                "registrations org.example.app on local: has tags that cannot be set",
            ]
        ) { file in
            try file.put(registration(of: 9, tags: ["b", "a"]), forKey: key, in: .registrations)
        },
        Damage(
            "a registration whose token has ended, and nobody knows when",
            [
                "registrations org.example.app on local: its token has ended, or is another one's",
                "device_tokens token 01010101…: the number of its end is still to be given",
                "device_tokens token 01010101…: has ended, and is not among the ended tokens",
            ]
        ) { file in
            try file.put(registration(), forKey: key, in: .registrations)
            try file.put(token(endedAs: 99), forKey: token.bytes, in: .deviceTokens)
        },
        Damage(
            "a token of no registration, and an end of no token",
            [
                "device_tokens token 01010101…: is of no registration",
                "ended_tokens end 1: its token has not ended so",
            ]
        ) { file in
            try file.put(token(endedAs: nil), forKey: token.bytes, in: .deviceTokens)
            try file.put(token(of: 2).bytes, forKey: EndedTokenKey(1).bytes, in: .endedTokens)
        },
    ]
}
