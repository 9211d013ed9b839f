internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

extension CheckTests {
    private static func wait(of center: UInt32) -> [UInt8] {
        UnlockWaitRecord(
            center: center,
            deadline: ElapsedInstant(nanoseconds: 60_000_000_000),
            identifier: "b",
            delivery: 1,
            action: .init(identifier: "reply", text: nil)
        ).bytes
    }

    static let summaryDamages = [
        Damage(
            "a summary for nothing",
            [
                "centers center 1: its summary is due for 0 notifications",
                "centers center 1: its summary is not in the indexes",
            ]
        ) { file in
            var (number, center) = try file.center(.local("org.example.app"))
            center.summaryDue = WallInstant(nanoseconds: 5)
            try file.set(center, number: number)
        },
        Damage(
            "a notification that waits for no summary",
            ["centers center 1: counts 0 held notifications of 1"]
        ) { file in
            let date = WallInstant(nanoseconds: 0)
            var row = DeliveredRecord(sequence: 2, date: date, event: 2)
            row.isHeld = true
            try file.put(row.bytes, forKey: Key.numbered(1, center: 1), in: file.tables.delivered)
        },
        Damage(
            "rows of summaries that are not due",
            [
                "due_wall instant 5, summary of center 1: its center's summary is due at another"
                    + " instant",
                "due_wall instant 5, summary of center 9: is of center 1 and has another's number",
                "due_wall instant 5, summary of center 9: its center's summary is due at another"
                    + " instant",
                #"zones zone "", summary of center 1: its center has no summary"#,
            ]
        ) { file in
            for center in [UInt32(1), 9] {
                let key = Key.due(5, number: Key.summaryNumber(center))
                try file.put(Key.number(UInt32(1)), forKey: key, in: file.tables.dueWall)
            }
            let key = Key.zone("", center: 1, sequence: Key.summaryNumber(1))
            try file.put([], forKey: key, in: file.tables.zones)
        },
    ]

    static let deviceDamages = [
        Damage("a device of garbage", ["devices device local: does not decode"]) { file in
            try file.put([7], forKey: Key.device("local"), in: file.tables.devices)
        },
        Damage("a device without a name", ["devices device a/b: does not decode"]) { file in
            let bytes = DeviceRecord.bytes(of: DeviceState())
            try file.put(bytes, forKey: Key.device("a/b"), in: file.tables.devices)
        },
        Damage(
            "a device in a state that none has",
            ["devices device local: is in a state that no device has"]
        ) { file in
            var device = DeviceState()
            device.summary.isEnabled = true
            let bytes = DeviceRecord.bytes(of: device)
            try file.put(bytes, forKey: Key.device("local"), in: file.tables.devices)
        },
        Damage(
            "an action that waits, of garbage",
            ["unlock_waits device local, action 1: does not decode"]
        ) { file in
            let key = Key.unlockWait(1, device: "local")
            try file.put([7], forKey: key, in: file.tables.unlockWaits)
        },
        Damage(
            "an action that waits and has no number yet, of no center",
            [
                "unlock_waits device local, action 99: its number is still to be given",
                "unlock_waits device local, action 99: is of center 9, which is not there",
            ]
        ) { file in
            let key = Key.unlockWait(99, device: "local")
            try file.put(wait(of: 9), forKey: key, in: file.tables.unlockWaits)
        },
        Damage("an action that waits for nobody", ["unlock_waits 0x0102: does not decode"]) {
            file in
            try file.put(wait(of: 1), forKey: [1, 2], in: file.tables.unlockWaits)
        },
    ]
}
