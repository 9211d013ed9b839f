internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static let key = Array("org.example.app".utf8) + [0] + (1...16)
    private static let owner = NameKey("org.example.app").bytes
    private static let name = "01020304-0506-0708-090a-0b0c0d0e0f10"
    private static let row = "attachments \(name) of org.example.app"
    private static let end = ElapsedInstant(nanoseconds: 5)
    private static let expiry = Array("\0\0\0\0\0\0\0\u{5}".utf8) + key

    private static let record = {
        var record = AttachmentRecord(
            file: AttachmentFile(),
            fileName: "a",
            type: "public.png",
            mediaType: "image/png",
            purpose: .notification,
            byteCount: 3,
            sha256: [UInt8](repeating: 0, count: 32),
            createdAt: .newYear,
            sound: nil
        )
        record.unreferencedUntil = end
        return record
    }()

    private static let isMiscounted =
        "attachment_owners org.example.app: does not say what its attachments add up to"
    private static let isGone = "\(row): its file \(record.file.name) is gone"

    /// Plants an attachment, whose file is gone, with a change to its row.
    private static func plant(
        in file: StoreFile,
        count: Int = 1,
        _ change: (inout AttachmentRecord) -> Void = { _ in }
    ) throws {
        var record = record
        change(&record)
        try file.put(record.bytes, forKey: key, in: .attachments)
        var sum = AttachmentOwnerRecord()
        sum.count = count
        sum.byteCount = 3
        try file.put(sum.bytes, forKey: owner, in: .attachmentOwners)
        try file.put([], forKey: expiry, in: .attachmentExpiry)
    }

    static let attachmentDamages = [
        Damage("an attachment of garbage", ["\(row): does not decode"]) { file in
            try file.put([9], forKey: key, in: .attachments)
        },
        Damage("an attachment of no app", ["attachments 0x0102: does not decode"]) { file in
            try file.put(record.bytes, forKey: [1, 2], in: .attachments)
        },
        Damage("an attachment whose file is gone", [isGone]) { file in try plant(in: file) },
        Damage(
            "an attachment that nothing refers to and that stays",
            [
                "\(row): does not say whether something refers to it", isGone,
                "attachment_expiry instant 5, \(name) of org.example.app: its attachment goes at "
                    + "another instant",
            ]
        ) { file in try plant(in: file) { $0.unreferencedUntil = nil } },
        Damage(
            "an attachment that goes and is in no index",
            ["\(row): nothing refers to it, and it never goes", isGone]
        ) { file in
            try plant(in: file)
            try file.delete(expiry, in: .attachmentExpiry)
        },
        Damage(
            "attachments that add up to something else",
            [isGone, isMiscounted]
        ) { file in try plant(in: file, count: 2) },
        Damage(
            "attachments that nobody added up",
            ["\(row): its app has no row of what its attachments add up to", isGone]
        ) { file in
            try plant(in: file)
            try file.delete(owner, in: .attachmentOwners)
        },
        Damage(
            "an attachment whose caller has no row",
            [isGone, "\(row): its caller has no row of its counts"]
        ) { file in try plant(in: file) { $0.registrant = "user 7" } },
        Damage(
            "a caller that stored other bytes",
            [isGone, "registrants user 7: does not say what its caller registered and stored"]
        ) { file in
            try plant(in: file) { $0.registrant = "user 7" }
            var count = RegistrantRecord()
            count.fileBytes = 4
            try file.put(count.bytes, forKey: Array("user 7".utf8), in: .registrants)
        },
        Damage(
            "an app that has no attachments and a row about them",
            [isMiscounted]
        ) { file in
            let none = AttachmentOwnerRecord()
            try file.put(none.bytes, forKey: owner, in: .attachmentOwners)
        },
        Damage(
            "an attachment that counts what refers to it and is wrong",
            [
                "\(row): counts 1 that refer to it, of 0",
                "\(row): does not say whether something refers to it", isGone,
            ]
        ) { file in try plant(in: file) { $0.referenceCount = 1 } },
        Damage(
            "a request that is gone and holds an attachment that is gone",
            [
                "attachment_uses request 99: is neither pending nor arriving nor delivered, and "
                    + "holds attachments",
                "attachment_uses request 99: its attachment \(name) is gone",
            ]
        ) { file in
            let use = AttachmentUseRecord(
                app: "org.example.app",
                identifiers: [AttachmentIdentifier(bytes: Array(1...16))]
            )
            let key = RequestNumber(rawValue: 99).bytes
            try file.put(use.bytes, forKey: key, in: .attachmentUses)
        },
        Damage(
            "a sound that is gone",
            [#"sounds sound "a" of org.example.app: its attachment \#(name) is gone"#]
        ) { file in
            let record = SoundRecord(attachment: AttachmentIdentifier(bytes: Array(1...16)))
            let key = SoundKey("a", of: "org.example.app").bytes
            try file.put(record.bytes, forKey: key, in: .sounds)
        },
        Damage(
            "a sound that is a picture",
            [
                #"sounds sound "a" of org.example.app: its attachment \#(name) is no sound"#,
                "\(row): counts 0 that refer to it, of 1", isGone,
            ]
        ) { file in
            try plant(in: file)
            let record = SoundRecord(attachment: AttachmentIdentifier(bytes: Array(1...16)))
            let key = SoundKey("a", of: "org.example.app").bytes
            try file.put(record.bytes, forKey: key, in: .sounds)
        },
        Damage(
            "a request that does not hold its attachments",
            [
                "centers center 1: counts 258 bytes of pending requests of 295",
                "records request 1: does not hold its attachments",
            ]
        ) { file in
            let key = RequestNumber(rawValue: 1).bytes
            var record = try RequestRecord(try file.value(forKey: key, in: .records))
            record.request.content.attachments = [
                NotificationAttachment(identifier: "a", file: name)
            ]
            try file.put(record.bytes, forKey: key, in: .records)
        },
        Damage(
            "an app whose icon is gone",
            ["apps center 1: its attachment \(name) is gone"]
        ) { file in
            var app = AppRecord(registeredAt: .newYear)
            app.registration.icon = name
            let key = CenterNumber(rawValue: 1).bytes
            try file.put(app.bytes, forKey: key, in: .apps)
        },
        Damage(
            "an end of an attachment that is gone",
            ["attachment_expiry instant 5, \(name) of org.example.app: its attachment is gone"]
        ) { file in try file.put([], forKey: expiry, in: .attachmentExpiry) },
    ]
}
