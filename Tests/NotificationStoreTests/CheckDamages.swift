internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

extension CheckTests {
    private static let a = Key.identifier("a", center: 1)
    private static let minute = ElapsedInstant(nanoseconds: 60_000_000_000)

    private static func pending(_ sequence: UInt64) -> [UInt8] {
        let pending = IdentifierRecord.Pending(sequence: sequence, due: .elapsed(minute))
        return IdentifierRecord(pending: pending).bytes
    }

    private static func delivered(_ sequence: UInt64) -> [UInt8] {
        DeliveredRecord(sequence: sequence, date: WallInstant(nanoseconds: 0), event: 2).bytes
    }

    private static func missed(_ sequence: UInt64) -> [UInt8] {
        let fired = EventRecord.Fired(sequence: sequence, lateByNanoseconds: 0, collapsedCount: 0)
        return EventRecord(date: WallInstant(nanoseconds: 0), byteCount: 0, kind: .missed(fired))
            .bytes
    }

    /// What can be wrong with each table.
    static let damages =
        metaDamages + identifierDamages + dueDamages + deliveredDamages + eventDamages
        + centerDamages + recordDamages + keyDamages + appDamages + promptDamages
        + categoryDamages + stringDamages + deviceDamages + summaryDamages + attachmentDamages

    private static let metaDamages = [
        Damage("an unknown row of the store's own", ["meta extra: is unknown"]) { file in
            try file.put([1], forKey: Array("extra".utf8), in: file.tables.meta)
        }
    ]

    private static let identifierDamages = [
        Damage(
            "an identifier of garbage",
            [
                #"identifiers center 1, identifier "a": does not decode"#,
                "centers center 1: counts 1 pending requests of 0",
            ]
        ) { file in try file.put([9], forKey: a, in: file.tables.identifiers) },
        Damage(
            "no identifier",
            [
                "due_elapsed instant 60000000000, request 1: its identifier is not pending so",
                "centers center 1: counts 1 pending requests of 0",
                "records request 1: is kept for nothing",
            ]
        ) { file in try file.delete(a, in: file.tables.identifiers) },
        Damage("an identifier's key that is too short", ["identifiers 0x0001: does not decode"]) {
            file in
            try file.put(pending(1), forKey: [0, 1], in: file.tables.identifiers)
        },
        Damage(
            "an identifier that stands for nothing",
            [#"identifiers center 1, identifier "z": stands for nothing"#]
        ) { file in
            let key = Key.identifier("z", center: 1)
            try file.put(IdentifierRecord().bytes, forKey: key, in: file.tables.identifiers)
        },
        Damage(
            "an identifier of a center that is not there",
            [
                #"identifiers center 9, identifier "z": is of center 9, which is not there"#,
                #"identifiers center 9, identifier "z": stands for nothing"#,
            ]
        ) { file in
            let key = Key.identifier("z", center: 9)
            try file.put(IdentifierRecord().bytes, forKey: key, in: file.tables.identifiers)
        },
        Damage(
            "an identifier of a request that is not there",
            [
                #"identifiers center 1, identifier "a": stands for request 99, which is gone"#,
                #"identifiers center 1, identifier "a": is pending and not in the due index"#,
                "due_elapsed instant 60000000000, request 1: its identifier is not pending so",
                "records request 1: is kept for nothing",
            ]
        ) { file in try file.put(pending(99), forKey: a, in: file.tables.identifiers) },
        Damage(
            "two identifiers of one request",
            [
                #"identifiers center 1, identifier "c": stands for request 1, of another one"#,
                "centers center 1: counts 1 pending requests of 2",
            ]
        ) { file in
            let key = Key.identifier("c", center: 1)
            try file.put(pending(1), forKey: key, in: file.tables.identifiers)
        },
        Damage(
            "an identifier that is delivered and not in the list",
            [
                #"identifiers center 1, identifier "b": is delivered as 7 and not in the list"#,
                "delivered center 1, delivery 1: its identifier is not delivered so",
            ]
        ) { file in
            let key = Key.identifier("b", center: 1)
            let record = IdentifierRecord(delivered: 7)
            try file.put(record.bytes, forKey: key, in: file.tables.identifiers)
        },
    ]

    private static let dueDamages = [
        Damage(
            "no row in the due index",
            [#"identifiers center 1, identifier "a": is pending and not in the due index"#]
        ) { file in
            let key = Key.due(minute.nanoseconds, number: 1)
            try file.delete(key, in: file.tables.dueElapsed)
        },
        Damage("a due row of garbage", ["due_elapsed 0x00: does not decode"]) { file in
            try file.put([], forKey: [0], in: file.tables.dueElapsed)
        },
        Damage(
            "a second due row",
            ["due_elapsed instant 5, request 1: its identifier is not pending so"]
        ) { file in
            let key = Key.due(5, number: 1)
            try file.put([], forKey: key, in: file.tables.dueElapsed)
        },
        Damage(
            "a due row of a request that is not there",
            ["due_elapsed instant 5, request 99: stands for request 99, which is gone"]
        ) { file in
            let key = Key.due(5, number: 99)
            try file.put([], forKey: key, in: file.tables.dueElapsed)
        },
        Damage(
            "a due row of a callback that is gone",
            ["due_elapsed instant 60000000000, request 1: its callback is gone"]
        ) { file in
            let key = Key.due(minute.nanoseconds, number: 1)
            try file.put(Key.number(UInt32(1)), forKey: key, in: file.tables.dueElapsed)
        },
    ]

    private static let deliveredDamages = [
        Damage("a delivered row of garbage", ["delivered center 1, delivery 1: does not decode"]) {
            file in
            try file.put([7], forKey: Key.numbered(1, center: 1), in: file.tables.delivered)
        },
        Damage(
            "a delivered row of a request that is not there",
            ["delivered center 1, delivery 9: stands for request 99, which is gone"]
        ) { file in
            let key = Key.numbered(9, center: 1)
            try file.put(delivered(99), forKey: key, in: file.tables.delivered)
        },
        Damage(
            "a delivered row of a request that is pending",
            ["delivered center 1, delivery 9: its identifier is not delivered so"]
        ) { file in
            let key = Key.numbered(9, center: 1)
            try file.put(delivered(1), forKey: key, in: file.tables.delivered)
        },
    ]

    private static let eventDamages = [
        Damage(
            "a gap in the log",
            [
                "events center 1, event 4: follows event 2",
                "centers center 1: its newest event is 2, in the log 4",
            ]
        ) { file in
            try file.put(missed(2), forKey: Key.numbered(4, center: 1), in: file.tables.events)
        },
        Damage(
            "no oldest event",
            [
                "centers center 1: its oldest event is 1, in the log 2",
                "centers center 1: counts 130 bytes of events of 66",
            ]
        ) { file in try file.delete(Key.numbered(1, center: 1), in: file.tables.events) },
        Damage(
            "no newest event",
            [
                "centers center 1: its newest event is 2, in the log 1",
                "centers center 1: counts 130 bytes of events of 64",
            ]
        ) { file in try file.delete(Key.numbered(2, center: 1), in: file.tables.events) },
        Damage("no event about what is in the delivered list, which is no damage", []) { file in
            try file.delete(Key.numbered(2, center: 1), in: file.tables.events)
            var (number, center) = try file.center(.local("org.example.app"))
            center.lastEvent = 1
            center.eventBytes = 64
            try file.set(center, number: number)
        },
        Damage(
            "no event at all, which is no damage where the center says so",
            []
        ) { file in
            for number in [1, 2] as [UInt64] {
                try file.delete(Key.numbered(number, center: 1), in: file.tables.events)
            }
            var (number, center) = try file.center(.local("org.example.app"))
            center.firstEvent = 3
            center.eventBytes = 0
            try file.set(center, number: number)
        },
        Damage(
            "an event after the last one of its request",
            ["events center 1, event 2: comes after event 1, the last one of request 2"]
        ) { file in
            var record = try RequestRecord(
                try file.value(forKey: Key.number(UInt64(2)), in: file.tables.records)
            )
            record.lastEvent = 1
            try file.put(
                record.bytes,
                forKey: Key.number(UInt64(2)),
                in: file.tables.records
            )
        },
        Damage(
            "an event of garbage",
            [
                "events center 1, event 2: does not decode",
                "centers center 1: counts 130 bytes of events of 64",
            ]
        ) { file in
            try file.put([7], forKey: Key.numbered(2, center: 1), in: file.tables.events)
        },
        Damage(
            "an event about a request that is not there",
            [
                "events center 1, event 3: is about request 99, which is gone",
                "centers center 1: its newest event is 2, in the log 3",
            ]
        ) { file in
            try file.put(missed(99), forKey: Key.numbered(3, center: 1), in: file.tables.events)
        },
        Damage(
            "an event of a center that is not there",
            ["events center 9, event 1: is of center 9, which is not there"]
        ) { file in
            try file.put(missed(2), forKey: Key.numbered(1, center: 9), in: file.tables.events)
        },
    ]

    private static let centerDamages = [
        Damage("a center of garbage", ["centers center 1: does not decode"]) { file in
            try file.put([1, 2], forKey: Key.number(UInt32(1)), in: file.tables.centers)
        },
        Damage(
            "no center",
            [
                #"identifiers center 1, identifier "a": is of center 1, which is not there"#,
                #"identifiers center 1, identifier "b": is of center 1, which is not there"#,
                "events center 1, event 1: is of center 1, which is not there",
                "events center 1, event 2: is of center 1, which is not there",
                "apps center 1: is of center 1, which is not there",
                "expiry instant 604800000000000, center 1: is not what center 1 says",
                "center_numbers org.example.app on local: leads to center 1, which is not its own",
                "records request 1: is of center 1, which is not there",
                "records request 2: is of center 1, which is not there",
            ]
        ) { file in try file.delete(Key.number(UInt32(1)), in: file.tables.centers) },
        Damage(
            "a center with other counts",
            [
                "centers center 1: counts 5 pending requests of 1",
                "centers center 1: counts 0 notifications of 1",
                "centers center 1: its newest event is 8, in the log 2",
            ]
        ) { file in
            var (number, center) = try file.center(.local("org.example.app"))
            center.pendingCount = 5
            center.deliveredCount = 0
            center.lastEvent = 8
            try file.set(center, number: number)
        },
        Damage("a center that is not looked at again", ["centers center 1: is not looked at again"])
        {
            file in
            var (number, center) = try file.center(.local("org.example.app"))
            let expiry = center.expiry.take() ?? minute
            try file.set(center, number: number)
            try file.delete(Key.expiry(expiry, center: number), in: file.tables.expiry)
        },
        Damage(
            "no row in the index of expiry",
            ["centers center 1: keeps something and is not in the index of expiry"]
        ) { file in
            let (number, center) = try file.center(.local("org.example.app"))
            let key = Key.expiry(center.expiry ?? minute, center: number)
            try file.delete(key, in: file.tables.expiry)
        },
        Damage(
            "a second row in the index of expiry",
            ["expiry instant 60000000000, center 1: is not what center 1 says"]
        ) { file in
            try file.put([], forKey: Key.expiry(minute, center: 1), in: file.tables.expiry)
        },
        Damage(
            "a request that fires again and again and ended without a word",
            ["records request 2: does not say whether it ended"]
        ) { file in
            let row = Key.number(UInt64(2))
            var record = try RequestRecord(try file.value(forKey: row, in: file.tables.records))
            let trigger = try TimeIntervalTrigger(
                intervalNanoseconds: 60 * .nanosecondsPerSecond,
                repeats: true
            )
            record.request.trigger = .timeInterval(trigger)
            try file.put(record.bytes, forKey: row, in: file.tables.records)
        },
        Damage(
            "a center without a name",
            ["centers center 1: its name leads elsewhere"]
        ) { file in
            let key = Key.centerNumber(.local("org.example.app"))
            try file.delete(key, in: file.tables.centerNumbers)
        },
        Damage(
            "a center whose number is still to be given",
            ["centers center 1: its number is still to be given"]
        ) { file in
            var state = try file.state()
            state.nextCenter = 1
            try file.set(state)
        },
        Damage(
            "a name that leads to another's center",
            ["center_numbers org.example.z on local: leads to center 1, which is not its own"]
        ) { file in
            let key = Key.centerNumber(.local("org.example.z"))
            try file.put(Key.number(UInt32(1)), forKey: key, in: file.tables.centerNumbers)
        },
        Damage("a name that leads nowhere", ["center_numbers 0x6162: does not decode"]) { file in
            try file.put([1], forKey: Array("ab".utf8), in: file.tables.centerNumbers)
        },
    ]

    private static let recordDamages = [
        Damage("a record of garbage", ["records request 1: does not decode"]) { file in
            try file.put([7], forKey: Key.number(UInt64(1)), in: file.tables.records)
        },
        Damage(
            "no record",
            [
                #"identifiers center 1, identifier "a": stands for request 1, which is gone"#,
                "due_elapsed instant 60000000000, request 1: stands for request 1, which is gone",
            ]
        ) { file in try file.delete(Key.number(UInt64(1)), in: file.tables.records) },
        Damage("a record that nothing refers to", ["records request 3: is kept for nothing"]) {
            file in
            var state = try file.state()
            state.nextSequence = 4
            try file.set(state)
            let key = Key.number(UInt64(1))
            let record = try file.value(forKey: key, in: file.tables.records)
            try file.put(record, forKey: Key.number(UInt64(3)), in: file.tables.records)
        },
        Damage(
            "a record whose number is still to be given",
            ["records request 2: its number is still to be given"]
        ) { file in
            var state = try file.state()
            state.nextSequence = 2
            try file.set(state)
        },
    ]

    private static let keyDamages = [
        Damage("an idempotency key that is too short", ["idempotency 0x0102: does not decode"]) {
            file in
            try file.put([1], forKey: [1, 2], in: file.tables.idempotency)
        },
        Damage(
            "an idempotency key's reply of garbage",
            ["idempotency 00000000-0000-0000-0000-000000000000: does not decode"]
        ) { file in
            let key = [UInt8](repeating: 0, count: 16)
            try file.put([7], forKey: key, in: file.tables.idempotency)
        },
    ]
}
