internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static let app = "org.example.app"
    private static let push = TagPushKey(1, of: app)
    private static let rich = RichPushKey(1, of: app)
    private static let instant = ElapsedInstant(nanoseconds: 5)

    /// Plants a push that goes on, with one outcome, and its app's counts, with a change to it.
    private static func plant(
        in file: StoreFile,
        _ change: (inout TagPushRecord) -> Void = { _ in }
    ) throws {
        var record = TagPushRecord(.alert("a"), to: "a", createdAt: .newYear)
        record.state = .running
        record.beganAt = .newYear
        record.workAt = instant
        record.counts[0] = 1
        change(&record)
        try file.put(record.bytes, forKey: push.bytes, in: .tagPushes)
        let outcome = TagPushOutcomeRecord(
            device: "phone",
            apnsIdentifier: Array(repeating: 1, count: 16),
            outcome: .delivered
        )
        let first = TagPushOutcomeKey(1, of: push).bytes
        try file.put(outcome.bytes, forKey: first, in: .tagPushOutcomes)
        let work = PushWorkKey(instant, .push, 1, of: app).bytes
        try file.put([], forKey: work, in: .pushWork)
        var owner = PushOwnerRecord()
        owner.openPushes = 1
        try file.put(owner.bytes, forKey: NameKey(app).bytes, in: .pushOwners)
    }

    /// Plants a rich push that is being removed, which needs no file.
    private static func plantRichPush(in file: StoreFile) throws {
        var record = RichPushRecord(
            createdAt: .newYear,
            message: "",
            richType: "img",
            mediaType: "image/png",
            byteCount: 1,
            attachment: AttachmentIdentifier(bytes: Array(1...16)),
            push: 1,
            removalAt: instant
        )
        record.attachment = nil
        try file.put(record.bytes, forKey: rich.bytes, in: .richPushes)
        let work = PushWorkKey(instant, .removeRichPush, 1, of: app).bytes
        try file.put([], forKey: work, in: .pushWork)
        var owner = PushOwnerRecord()
        owner.lastRichPush = 1
        try file.put(owner.bytes, forKey: NameKey(app).bytes, in: .pushOwners)
        try file.put(
            RichInboxRecord().bytes,
            forKey: RichInboxKey(1, of: 1).bytes,
            in: .richInbox
        )
        try file.put([], forKey: RichAddresseeKey(1, of: rich).bytes, in: .richAddressees)
    }

    static let tagPushDamages = [
        Damage("a push and a rich push that are whole, which is no damage", []) { file in
            try plant(in: file)
        },
        Damage("a rich push that is being removed, which is no damage", []) { file in
            try plantRichPush(in: file)
        },
        Damage(
            "a tag that no registration has",
            ["tags a of org.example.app on local: is of no registration that has it"]
        ) { file in
            let key = TagKey("a", of: .local(app)).bytes
            try file.put([], forKey: key, in: .tags)
        },
        Damage(
            "a push for nobody, in no index, that counts other outcomes and has no end",
            [
                "tag_pushes push 1 of org.example.app: is for nobody",
                "tag_pushes push 1 of org.example.app: does not say whether it has ended",
                "tag_pushes push 1 of org.example.app: never goes on",
                "tag_pushes push 1 of org.example.app: counts 2 outcomes, and has others",
                "push_work instant 5, push 1 of org.example.app: is awaited by nothing",
            ]
        ) { file in
            try plant(in: file) { record in
                record.expression = "a &&"
                record.endedAt = .newYear
                record.workAt = ElapsedInstant(nanoseconds: 6)
                record.counts[0] = 2
            }
        },
        Damage(
            "an outcome without the one before, and one of no push",
            [
                "tag_pushes push 1 of org.example.app: counts 1 outcomes, and has others",
                "tag_push_outcomes push 1, outcome 3: the outcome before it is gone",
                "tag_push_outcomes push 2, outcome 1: its push is gone",
            ]
        ) { file in
            try plant(in: file)
            let value = try file.value(
                forKey: TagPushOutcomeKey(1, of: push).bytes,
                in: .tagPushOutcomes
            )
            for key in [
                TagPushOutcomeKey(3, of: push),
                TagPushOutcomeKey(1, of: TagPushKey(2, of: app)),
            ] {
                try file.put(value, forKey: key.bytes, in: .tagPushOutcomes)
            }
        },
        Damage(
            "counts of pushes that are others, and a date that nothing awaits",
            [
                "push_dates instant 5, push 7 of org.example.app: is awaited by nothing",
                "push_owners org.example.app: does not say what its pushes add up to",
            ]
        ) { file in
            try plant(in: file)
            let date = PushWorkKey(WallInstant(nanoseconds: 5), .push, 7, of: app).bytes
            try file.put([], forKey: date, in: .pushDates)
            var owner = PushOwnerRecord()
            owner.openPushes = 2
            try file.put(owner.bytes, forKey: NameKey(app).bytes, in: .pushOwners)
        },
        Damage(
            "a rich push of which no device and no index knows",
            [
                "rich_inbox center 1, rich push 1: was not sent to this device",
                "rich rich push 1 of org.example.app: never goes",
                "rich rich push 1 of org.example.app: its app has no row of what its pushes "
                    + "add up to",
            ]
        ) { file in
            try plantRichPush(in: file)
            try file.delete(RichAddresseeKey(1, of: rich).bytes, in: .richAddressees)
            let work = PushWorkKey(instant, .removeRichPush, 1, of: app).bytes
            try file.delete(work, in: .pushWork)
            try file.delete(NameKey(app).bytes, in: .pushOwners)
        },
        Damage(
            "an addressee that has no rich push",
            [
                "rich_addressees rich push 2 of org.example.app, center 1: its rich push is gone",
                "rich_addressees rich push 2 of org.example.app, center 1: its device does not "
                    + "have it",
            ]
        ) { file in
            let key = RichAddresseeKey(1, of: RichPushKey(2, of: app)).bytes
            try file.put([], forKey: key, in: .richAddressees)
        },
    ]
}
