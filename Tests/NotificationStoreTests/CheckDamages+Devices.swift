internal import NotificationCore

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
