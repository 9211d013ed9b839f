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
        record.end = number.map {
            let now = Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear)
            return .init(reason: .expired, at: now, number: $0, of: "")
        }
        return record.bytes
    }

    private static let pushed = PushReceiptKey(Array(repeating: 7, count: 16), of: 1)

    private static let waiting = BackgroundPushRecord(
        apnsID: "a",
        collapseIdentifier: "",
        end: .wall(.newYear),
        payload: "{}"
    ).bytes

    private static func receipt(_ number: UInt64, of registrant: String = "") -> [UInt8] {
        PushReceiptRecord(
            number: number,
            instant: ElapsedInstant(nanoseconds: 0),
            registrant: registrant,
            outcome: .stored,
            identifier: ""
        ).bytes
    }

    private static let first = OwnedOrderKey(1, of: Registrant.digest(of: "")).bytes

    static let pushDamages = [
        Damage(
            "registrations and tokens that agree, which is no damage",
            []
        ) { file in
            try file.put(registration(tags: ["a", "b"]), forKey: key, in: .registrations)
            for tag in ["a", "b"] {
                try file.put([], forKey: TagKey(tag, of: name).bytes, in: .tags)
            }
            try file.put(token(endedAs: nil), forKey: token.bytes, in: .deviceTokens)
            let ended = token(of: 2)
            try file.put(token(endedAs: 1), forKey: ended.bytes, in: .deviceTokens)
            try file.put(ended.bytes, forKey: first, in: .endedTokens)
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
                "registrations org.example.app on local: its tag b leads nowhere",
                "registrations org.example.app on local: its tag a leads nowhere",
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
            try file.put(token(of: 2).bytes, forKey: first, in: .endedTokens)
        },
        Damage(
            "a push that waits, and one that came, which is no damage",
            []
        ) { file in
            try file.put(waiting, forKey: BackgroundPushKey(1, of: 1).bytes, in: .backgroundPushes)
            let work = BackgroundWorkRecord().bytes
            try file.put(work, forKey: CenterNumber(rawValue: 1).bytes, in: .backgroundWork)
            try file.put(receipt(1), forKey: pushed.bytes, in: .pushReceipts)
            try file.put(pushed.bytes, forKey: first, in: .pushOrder)
        },
        Damage(
            "pushes of garbage",
            [
                "background_pushes 0x0102: does not decode",
                "background_work 0x0102: does not decode",
                "push_receipts 0x0102: does not decode",
                "push_order 0x0102: does not decode",
            ]
        ) { file in
            for table in [.backgroundPushes, .backgroundWork, .pushReceipts, .pushOrder]
                as [TableName]
            {
                try file.put([7], forKey: [1, 2], in: table)
            }
        },
        Damage(
            "a push that waits for no center, and has no number yet",
            [
                "background_pushes center 9, push 99: is of center 9, which is not there",
                "background_pushes center 9, push 99: its number is still to be given",
            ]
        ) { file in
            try file.put(waiting, forKey: BackgroundPushKey(99, of: 9).bytes, in: .backgroundPushes)
        },
        Damage(
            "an app that works on a push without being asked",
            ["background_work center 1: works on a push, and was not asked to"]
        ) { file in
            var work = BackgroundWorkRecord()
            work.open = .init(callback: 1, push: 1)
            try file.put(
                work.bytes,
                forKey: CenterNumber(rawValue: 1).bytes,
                in: .backgroundWork
            )
        },
        Damage(
            "a question about a push that is gone",
            [
                "callbacks center 1, callback 1: its push is gone",
                "callbacks center 1, callback 1: its app works on another push",
            ]
        ) { file in
            let deadline = ElapsedInstant(nanoseconds: 5)
            let callback = CallbackRecord(
                openedAt: .newYear,
                deadline: deadline,
                question: .backgroundPush(1)
            )
            let key = CallbackKey(1, of: 1)
            try file.put(callback.bytes, forKey: key.bytes, in: .callbacks)
            let due = DueKey(deadline, key.number).bytes
            try file.put(CenterNumber(rawValue: 1).bytes, forKey: due, in: .dueElapsed)
        },
        Damage(
            "a push that came, without a place in the order, and a place of no push",
            [
                "push_receipts center 1, push 07070707-0707-0707-0707-070707070707: its number is"
                    + " still to be given",
                "push_receipts center 1, push 07070707-0707-0707-0707-070707070707: is not in the"
                    + " order of pushes",
                "push_order push 1: its push has another place",
            ]
        ) { file in
            try file.put(receipt(99), forKey: pushed.bytes, in: .pushReceipts)
            try file.put(pushed.bytes, forKey: first, in: .pushOrder)
        },
        Damage(
            "a push that came, in the order of another caller, and whose own has no row",
            [
                "push_receipts center 1, push 07070707-0707-0707-0707-070707070707: is not in the"
                    + " order of pushes",
                "push_receipts center 1, push 07070707-0707-0707-0707-070707070707: its caller has"
                    + " no row of its counts",
                "push_order push 1: its push has another place",
            ]
        ) { file in
            try file.put(receipt(1, of: "user 7"), forKey: pushed.bytes, in: .pushReceipts)
            try file.put(pushed.bytes, forKey: first, in: .pushOrder)
        },
    ]
}
