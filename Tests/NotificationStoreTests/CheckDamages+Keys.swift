internal import NotificationCore

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    /// Damages of replacement keys, of which two rows tell (ADD-12).
    static let replacementDamages = [
        Damage(
            "a replacement key that its identifier does not know",
            [#"identifiers center 1, identifier "b": has another replacement key than it says"#]
        ) { file in
            var record = IdentifierRecord(delivered: 1)
            record.keys.ofDelivered = "k"
            try file.put(record.bytes, forKey: IdentifierKey("b", of: 1).bytes, in: .identifiers)
        },
        Damage(
            "an identifier that is no replacement key",
            [#"identifiers center 1, identifier "k": has another replacement key than it says"#]
        ) { file in
            var record = IdentifierRecord()
            record.keys.arriving = "b"
            record.keys.delivered = "b"
            try file.put(record.bytes, forKey: IdentifierKey("k", of: 1).bytes, in: .identifiers)
        },
    ]
}
