internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    static let snoozeDamages = [
        Damage("a snooze of garbage", ["snoozed center 1, delivery 1: does not decode"]) { file in
            try file.put([7], forKey: DeliveryKey(1, of: 1).bytes, in: .snoozed)
        },
        Damage(
            "a snooze that never comes back, of what is in the list",
            [
                "snoozed center 1, delivery 1: is snoozed and never comes back",
                "snoozed center 1, delivery 1: its identifier is not snoozed so",
                "centers center 1: counts 0 snoozed of 1",
            ]
        ) { file in
            let row = SnoozedRecord(
                sequence: 2,
                due: .elapsed(ElapsedInstant(nanoseconds: 5)),
                date: WallInstant(nanoseconds: 0),
                event: 2
            )
            try file.put(row.bytes, forKey: DeliveryKey(1, of: 1).bytes, in: .snoozed)
        },
        Damage(
            "an identifier that is in the list and snoozed as nothing",
            [
                #"identifiers center 1, identifier "b": is in the list and snoozed"#,
                #"identifiers center 1, identifier "b": is snoozed as 1, and nothing comes back"#,
            ]
        ) { file in
            let record = IdentifierRecord(delivered: 1, snoozed: 1)
            let key = IdentifierKey("b", of: 1).bytes
            try file.put(record.bytes, forKey: key, in: .identifiers)
        },
        Damage(
            "a due row that brings back nothing",
            ["due_elapsed instant 5, snooze of request 2: its notification is not snoozed"]
        ) { file in
            let key = DueKey(ElapsedInstant(nanoseconds: 5), snoozed: 2).bytes
            try file.put(CenterNumber(rawValue: 1).bytes, forKey: key, in: .dueElapsed)
        },
    ]
}
