internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    static let start = Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear)
    private static let a = IdentifierKey("a", of: 1).bytes
    private static let minute = ElapsedInstant(nanoseconds: 60_000_000_000)

    private static func pending(_ sequence: RequestNumber) -> [UInt8] {
        let pending = IdentifierRecord.Pending(sequence: sequence, due: .elapsed(minute))
        return IdentifierRecord(pending: pending).bytes
    }

    private static func delivered(_ sequence: RequestNumber, as name: String) -> [UInt8] {
        DeliveredRecord(sequence: sequence, identifier: name, at: start, event: 2).bytes
    }

    private static func missed(_ sequence: RequestNumber) -> [UInt8] {
        let fired = EventRecord.Fired(sequence: sequence, lateByNanoseconds: 0, collapsedCount: 0)
        return EventRun([
            EventRecord(date: WallInstant(nanoseconds: 0), byteCount: 0, kind: .missed(fired))
        ]).bytes
    }

    /// Damages of each table.
    static let damages =
        metaDamages + identifierDamages + dueDamages + deliveredDamages + eventDamages
        + centerDamages + recordDamages + keyDamages + appDamages + promptDamages
        + replacementDamages + categoryDamages + stringDamages + deviceDamages + summaryDamages
        + attachmentDamages + pushDamages + placeDamages + tagPushDamages + snoozeDamages
        + extensionDamages + releasedDamages

    private static let metaDamages = [
        Damage("an unknown row of the store's own", ["meta extra: is unknown"]) { file in
            try file.put([1], forKey: Array("extra".utf8), in: .meta)
        }
    ]

    private static let identifierDamages = [
        Damage(
            "an identifier of garbage",
            [
                #"identifiers center 1, identifier "a": does not decode"#,
                "centers center 1: counts 1 pending requests of 0",
            ]
        ) { file in try file.put([9], forKey: a, in: .identifiers) },
        Damage(
            "no identifier",
            [
                "due_elapsed instant 60000000000, request 1: its identifier is not pending so",
                "centers center 1: counts 1 pending requests of 0",
                "records request 1: is kept for nothing",
            ]
        ) { file in try file.delete(a, in: .identifiers) },
        Damage("an identifier's key that is too short", ["identifiers 0x0001: does not decode"]) {
            file in
            try file.put(pending(1), forKey: [0, 1], in: .identifiers)
        },
        Damage(
            "an identifier that stands for nothing",
            [#"identifiers center 1, identifier "z": stands for nothing"#]
        ) { file in
            let key = IdentifierKey("z", of: 1).bytes
            try file.put(IdentifierRecord().bytes, forKey: key, in: .identifiers)
        },
        Damage(
            "an identifier of a center that is not there",
            [
                #"identifiers center 9, identifier "z": is of center 9, which is not there"#,
                #"identifiers center 9, identifier "z": stands for nothing"#,
            ]
        ) { file in
            let key = IdentifierKey("z", of: 9).bytes
            try file.put(IdentifierRecord().bytes, forKey: key, in: .identifiers)
        },
        Damage(
            "an identifier of a request that is not there",
            [
                #"identifiers center 1, identifier "a": stands for request 99, which is gone"#,
                #"identifiers center 1, identifier "a": is pending and not in the due index"#,
                "due_elapsed instant 60000000000, request 1: its identifier is not pending so",
                "records request 1: is kept for nothing",
            ]
        ) { file in try file.put(pending(99), forKey: a, in: .identifiers) },
        Damage(
            "two identifiers of one request",
            [
                #"identifiers center 1, identifier "c": stands for request 1, of another one"#,
                "centers center 1: counts 1 pending requests of 2",
            ]
        ) { file in
            let key = IdentifierKey("c", of: 1).bytes
            try file.put(pending(1), forKey: key, in: .identifiers)
        },
        Damage(
            "an identifier that is delivered and not in the list",
            [
                #"identifiers center 1, identifier "b": is delivered as 7 and not in the list"#,
                "delivered center 1, delivery 1: its identifier is not delivered so",
            ]
        ) { file in
            let key = IdentifierKey("b", of: 1).bytes
            let record = IdentifierRecord(delivered: 7)
            try file.put(record.bytes, forKey: key, in: .identifiers)
        },
    ]

    private static let dueDamages = [
        Damage(
            "no row in the due index",
            [#"identifiers center 1, identifier "a": is pending and not in the due index"#]
        ) { file in
            let key = DueKey(minute, RequestNumber(rawValue: 1)).bytes
            try file.delete(key, in: .dueElapsed)
        },
        Damage("a due row of garbage", ["due_elapsed 0x00: does not decode"]) { file in
            try file.put([], forKey: [0], in: .dueElapsed)
        },
        Damage(
            "a second due row",
            ["due_elapsed instant 5, request 1: its identifier is not pending so"]
        ) { file in
            let key = DueKey(ElapsedInstant(nanoseconds: 5), RequestNumber(rawValue: 1)).bytes
            try file.put([], forKey: key, in: .dueElapsed)
        },
        Damage(
            "a due row of a request that is not there",
            ["due_elapsed instant 5, request 99: stands for request 99, which is gone"]
        ) { file in
            let key = DueKey(ElapsedInstant(nanoseconds: 5), RequestNumber(rawValue: 99)).bytes
            try file.put([], forKey: key, in: .dueElapsed)
        },
        Damage(
            "a due row of a callback that is gone",
            ["due_elapsed instant 60000000000, request 1: its callback is gone"]
        ) { file in
            let key = DueKey(minute, RequestNumber(rawValue: 1)).bytes
            try file.put(CenterNumber(rawValue: 1).bytes, forKey: key, in: .dueElapsed)
        },
    ]

    private static let deliveredDamages = [
        Damage("a delivered row of garbage", ["delivered center 1, delivery 1: does not decode"]) {
            file in
            try file.put([7], forKey: DeliveryKey(1, of: 1).bytes, in: .delivered)
        },
        Damage(
            "a delivered row of a request that is not there",
            ["delivered center 1, delivery 9: stands for request 99, which is gone"]
        ) { file in
            let key = EventKey(9, of: 1).bytes
            try file.put(delivered(99, as: "x"), forKey: key, in: .delivered)
        },
        Damage(
            "a delivered row of a request that is pending",
            ["delivered center 1, delivery 9: its identifier is not delivered so"]
        ) { file in
            let key = EventKey(9, of: 1).bytes
            try file.put(delivered(1, as: "a"), forKey: key, in: .delivered)
        },
        Damage(
            "a delivered row under the identifier of another request",
            ["delivered center 1, delivery 1: stands for request 2, of another one"]
        ) { file in
            let key = EventKey(1, of: 1).bytes
            try file.put(delivered(2, as: "a"), forKey: key, in: .delivered)
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
            try file.put(missed(2), forKey: EventKey(4, of: 1).bytes, in: .events)
        },
        Damage(
            "no oldest event",
            [
                "centers center 1: its oldest event is 1, in the log 2",
                "centers center 1: counts 130 bytes of events of 66",
                "centers center 1: counts 64 bytes of settings of 0",
            ]
        ) { file in try file.delete(EventKey(1, of: 1).bytes, in: .events) },
        Damage(
            "no newest event",
            [
                "centers center 1: its newest event is 2, in the log 1",
                "centers center 1: counts 130 bytes of events of 64",
            ]
        ) { file in try file.delete(EventKey(2, of: 1).bytes, in: .events) },
        Damage("no event about what is in the delivered list, which is no damage", []) { file in
            try file.delete(EventKey(2, of: 1).bytes, in: .events)
            var (number, center) = try file.center(.local("org.example.app"))
            center.lastEvent = 1
            center.eventBytes = 64
            try file.set(center, number: number)
        },
        Damage(
            "no event at all, which is no damage where the center says so",
            []
        ) { file in
            for number in [1, 2] as [EventNumber] {
                try file.delete(EventKey(number, of: 1).bytes, in: .events)
            }
            var (number, center) = try file.center(.local("org.example.app"))
            center.firstEvent = 3
            center.eventBytes = 0
            center.settingsBytes = 0
            try file.set(center, number: number)
        },
        Damage(
            "an event after the last one of its request",
            ["events center 1, event 2: comes after event 1, the last one of request 2"]
        ) { file in
            var record = try RequestRecord(
                try file.value(forKey: RequestNumber(rawValue: 2).bytes, in: .records)
            )
            record.lastEvent = 1
            try file.put(
                record.bytes,
                forKey: RequestNumber(rawValue: 2).bytes,
                in: .records
            )
        },
        Damage(
            "an event that counts other bytes of its request",
            ["events center 1, event 2: counts 44 bytes of request 2 of 43"]
        ) { file in
            let key = EventKey(2, of: 1).bytes
            var run = try EventRun(try file.value(forKey: key, in: .events))
            guard case .delivered(var delivered) = run.events[0].kind else { return }
            delivered.fired.recordByteCount = 44
            run = EventRun([
                EventRecord(
                    date: run.events[0].date,
                    byteCount: run.events[0].byteCount,
                    kind: .delivered(delivered)
                )
            ])
            try file.put(run.bytes, forKey: key, in: .events)
        },
        Damage(
            "an event of garbage",
            [
                "events center 1, event 2: does not decode",
                "centers center 1: counts 130 bytes of events of 64",
            ]
        ) { file in
            try file.put([7], forKey: EventKey(2, of: 1).bytes, in: .events)
        },
        Damage(
            "a row of events of garbage, of which nobody knows how many it had",
            [
                "events center 1, event 2: does not decode",
                "centers center 1: its newest event is 2, in the log 5",
                "centers center 1: counts 130 bytes of events of 64",
            ]
        ) { file in
            try file.put([7], forKey: EventKey(2, of: 1).bytes, in: .events)
            try file.put(missed(2), forKey: EventKey(5, of: 1).bytes, in: .events)
        },
        Damage(
            "an event about a request that is not there",
            [
                "events center 1, event 3: is about request 99, which is gone",
                "centers center 1: its newest event is 2, in the log 3",
            ]
        ) { file in
            try file.put(missed(99), forKey: EventKey(3, of: 1).bytes, in: .events)
        },
        Damage(
            "an event of a center that is not there",
            ["events center 9, event 1: is of center 9, which is not there"]
        ) { file in
            try file.put(missed(2), forKey: EventKey(1, of: 9).bytes, in: .events)
        },
    ]

    private static let centerDamages = [
        Damage("a center of garbage", ["centers center 1: does not decode"]) { file in
            try file.put([1, 2], forKey: CenterNumber(rawValue: 1).bytes, in: .centers)
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
        ) { file in try file.delete(CenterNumber(rawValue: 1).bytes, in: .centers) },
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
            try file.delete(ExpiryKey(expiry, number).bytes, in: .expiry)
        },
        Damage(
            "no row in the index of expiry",
            ["centers center 1: keeps something and is not in the index of expiry"]
        ) { file in
            let (number, center) = try file.center(.local("org.example.app"))
            let key = ExpiryKey(center.expiry ?? minute, number).bytes
            try file.delete(key, in: .expiry)
        },
        Damage(
            "a second row in the index of expiry",
            ["expiry instant 60000000000, center 1: is not what center 1 says"]
        ) { file in
            try file.put([], forKey: ExpiryKey(minute, 1).bytes, in: .expiry)
        },
        Damage(
            "a request that fires again and again and ended without a word",
            ["records request 2: does not say whether it ended"]
        ) { file in
            let row = RequestNumber(rawValue: 2).bytes
            var record = try RequestRecord(try file.value(forKey: row, in: .records))
            let trigger = try TimeIntervalTrigger(
                intervalNanoseconds: 60 * .nanosecondsPerSecond,
                repeats: true
            )
            record.request.trigger = .timeInterval(trigger)
            try file.put(record.bytes, forKey: row, in: .records)
        },
        Damage(
            "a center without a name",
            ["centers center 1: its name leads elsewhere"]
        ) { file in
            let key = CenterName.local("org.example.app").bytes
            try file.delete(key, in: .centerNumbers)
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
            let key = CenterName.local("org.example.z").bytes
            try file.put(CenterNumber(rawValue: 1).bytes, forKey: key, in: .centerNumbers)
        },
        Damage("a name that leads nowhere", ["center_numbers 0x6162: does not decode"]) { file in
            try file.put([1], forKey: Array("ab".utf8), in: .centerNumbers)
        },
    ]

    private static let recordDamages = [
        Damage("a record of garbage", ["records request 1: does not decode"]) { file in
            try file.put([7], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
        },
        Damage(
            "no record",
            [
                #"identifiers center 1, identifier "a": stands for request 1, which is gone"#,
                "due_elapsed instant 60000000000, request 1: stands for request 1, which is gone",
            ]
        ) { file in try file.delete(RequestNumber(rawValue: 1).bytes, in: .records) },
        Damage("a record that nothing refers to", ["records request 3: is kept for nothing"]) {
            file in
            var state = try file.state()
            state.nextSequence = 4
            try file.set(state)
            let key = RequestNumber(rawValue: 1).bytes
            let record = try file.value(forKey: key, in: .records)
            try file.put(record, forKey: RequestNumber(rawValue: 3).bytes, in: .records)
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
            try file.put([1], forKey: [1, 2], in: .idempotency)
        },
        Damage(
            "an idempotency key's reply of garbage",
            ["idempotency 00000000-0000-0000-0000-000000000000: does not decode"]
        ) { file in
            let key = [UInt8](repeating: 0, count: 16)
            try file.put([7], forKey: key, in: .idempotency)
        },
    ]
}
