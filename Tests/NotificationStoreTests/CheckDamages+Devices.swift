internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static func wait(of center: CenterNumber) -> [UInt8] {
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
            var row = DeliveredRecord(sequence: 2, identifier: "b", at: start, event: 2)
            row.isHeld = true
            try file.put(row.bytes, forKey: DeliveryKey(1, of: 1).bytes, in: .delivered)
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
            for center in [1, 9] as [CenterNumber] {
                let key = DueKey(WallInstant(nanoseconds: 5), summaryOf: center).bytes
                try file.put(CenterNumber(rawValue: 1).bytes, forKey: key, in: .dueWall)
            }
            let key = ZoneKey("", of: 1, .summary).bytes
            try file.put([], forKey: key, in: .zones)
        },
    ]

    static let deviceDamages = [
        Damage("a device of garbage", ["devices device local: does not decode"]) { file in
            try file.put([7], forKey: NameKey("local").bytes, in: .devices)
        },
        Damage("a device without a name", ["devices device a/b: does not decode"]) { file in
            let bytes = DeviceRecord(DeviceState()).bytes
            try file.put(bytes, forKey: NameKey("a/b").bytes, in: .devices)
        },
        Damage(
            "a device in a state that none has",
            ["devices device local: is in a state that no device has"]
        ) { file in
            var device = DeviceState()
            device.summary.isEnabled = true
            let bytes = DeviceRecord(device).bytes
            try file.put(bytes, forKey: NameKey("local").bytes, in: .devices)
        },
        Damage(
            "browsers of garbage, of no device, and none",
            [
                "web_pushes device a: does not decode", "web_pushes device a/b: does not decode",
                "web_pushes device local: does not decode",
            ]
        ) { file in
            let browser = WebPushSubscription(
                endpoint: "https://push.example.org/a",
                point: Array(repeating: 4, count: WebPushSubscription.pointByteCount),
                secret: Array(repeating: 1, count: WebPushSubscription.secretByteCount),
                createdAt: WallInstant(nanoseconds: 0)
            )
            let bytes = WebPushRecord([browser]).bytes
            try file.put([7], forKey: NameKey("a").bytes, in: .webPushes)
            try file.put(bytes, forKey: NameKey("a/b").bytes, in: .webPushes)
            try file.put(WebPushRecord().bytes, forKey: NameKey("local").bytes, in: .webPushes)
        },
        Damage(
            "an action that waits, of garbage",
            ["unlock_waits device local, action 1: does not decode"]
        ) { file in
            let key = UnlockWaitKey(1, on: "local").bytes
            try file.put([7], forKey: key, in: .unlockWaits)
        },
        Damage(
            "an action that waits and has no number yet, of no center",
            [
                "unlock_waits device local, action 99: its number is still to be given",
                "unlock_waits device local, action 99: is of center 9, which is not there",
            ]
        ) { file in
            let key = UnlockWaitKey(99, on: "local").bytes
            try file.put(wait(of: 9), forKey: key, in: .unlockWaits)
        },
        Damage("an action that waits for nobody", ["unlock_waits 0x0102: does not decode"]) {
            file in
            try file.put(wait(of: 1), forKey: [1, 2], in: .unlockWaits)
        },
    ]
}
