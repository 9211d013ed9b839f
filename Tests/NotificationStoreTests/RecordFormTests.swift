internal import Foundation
internal import NotificationCore
internal import NotificationLog
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// The forms of the rows, each as the checksum of some rows that follow from a fixed seed.
///
/// A change of a form changes its line. Documentation/StoreFormat.md says what else has to change.
@Suite("ST-5: The forms of the rows")
struct RecordFormTests {
    /// By the type of the row.
    private static let forms: [String: UInt64] = [
        "AccountRecord": 0x2f98eeb83c4ade90,
        "ActionMeaningRow": 0xacd429c4f5066089,
        "AppRecord": 0xdad62cd91688cc20,
        "AttachmentOwnerRecord": 0x46ac1149d54119fd,
        "AttachmentRecord": 0x1a75b066d679bb0f,
        "AttachmentUseRecord": 0xcc726177801e8b3b,
        "BackgroundPushRecord": 0x4e3482f117a52aa2,
        "BackgroundWorkRecord": 0xf1ea9009c0a665e5,
        "CallbackRecord": 0xb7bbaf4c28d276cb,
        "CategoryRecord": 0x30afdf27406d80e8,
        "CenterRecord": 0x136ad46c09b326bb,
        "ChangeFrame": 0x69bdeaea6eeac588,
        "DeliveredRecord": 0xab2a30f450a36cd,
        "DeviceRecord": 0xfc7af0d3ea15b864,
        "DeviceTokenRecord": 0x6ab873cc1f51a655,
        "DueRow": 0xdaa66d2ca7791913,
        "EndedCallbackRecord": 0x4046c32fccf31c08,
        "EndedNumbersRecord": 0x8d76049f79bb4f4e,
        "EventRun": 0xe46d31f74e49b065,
        "ExtensionQuestionRecord": 0x65cfbb5046f75896,
        "FormatRow": 0x7b058646c151d8ac,
        "IdentifierRecord": 0xfb90ba14eaaa7536,
        "LocationAccessRecord": 0x8b8f7c0a242b5d58,
        "LogRow": 0xe9ae49da4cfa1ad9,
        "MergedRow": 0xf1522574d19fb0a7,
        "OnceRecord": 0xd1b7e5ad3d89543e,
        "OpenCommandRecord": 0x62f1f0b37b1b059d,
        "PromptRecord": 0x281c272a275386a6,
        "PushOwnerRecord": 0x988c6453efc59c1d,
        "PushReceiptRecord": 0xa7f91a734d61e860,
        "RegionRecord": 0xf77a07e9f664752b,
        "RegionStateRecord": 0xf5c9031abc70a22e,
        "RegistrantRecord": 0xc21b7bad8f35c83d,
        "RegistrationRecord": 0x979200b9052f5b69,
        "ReleasedRow": 0x8c3c15474167d941,
        "RequestRecord": 0xce26232f34632a63,
        "RichInboxRecord": 0xb75899ebf8baf4b2,
        "RichPushRecord": 0xe1f965af7077401b,
        "SensorWorkRecord": 0x735f69c3d9790dfb,
        "SensorsRecord": 0xf41c9079e78e6cc2,
        "ServiceArrivalRecord": 0x9af17dfd8e6710bb,
        "SnoozedRecord": 0x7e2df836571ad2c6,
        "SoundRecord": 0x1cab7178d315f42b,
        "StoreState": 0x36f7a8afada281d2,
        "StringTableRecord": 0x46da6f380ffc769f,
        "TableName": 0x9e14da239a818fe6,
        "TagPushOutcomeRecord": 0xcda8f3cdadafd2ee,
        "TagPushRecord": 0xec5cc1aee689326d,
        "UnlockWaitRecord": 0xb25f8c70a4e95be1,
        "WebPushRecord": 0x6c05a1801848e6d4,
        "ZoneVersionRow": 0x532e4c5cc1025eed,
    ]

    /// Rows of the types that ``Codec`` has not: they have no version, or one reader that is not
    /// their type's.
    private static func otherRows() -> [String: [[UInt8]]] {
        var log = ChangeFrame()
        for table in TableName.allCases {
            log.append([1, 2], [3, 4, 5], in: table.index)
            log.append([6], nil, in: table.index)
            if !TableName.isCounted[table.index] {
                log.append(front: [7, 8], 9, in: table.index)
            }
        }
        let mark = LogMark(generation: 1, offset: 2, byteCount: 3, number: 4, checksum: 5)
        let once = OnceRecord(
            storedAt: .newYear,
            fingerprint: 7,
            registrant: "user 7",
            isReply: true,
            content: [1, 2, 3]
        )
        let action = NotificationAction(identifier: "a", title: "A", options: .foreground)
        return [
            "ActionMeaningRow": [ActionMeaningRow(action).bytes],
            "ChangeFrame": [log.payload],
            "DueRow": [DueRow().bytes, DueRow(center: 7).bytes],
            "FormatRow": [FormatRow(version: StoreState.format).bytes],
            "LogRow": [LogRow(LogID(high: 1, low: 2)).bytes],
            "MergedRow": [MergedRow(upTo: mark).bytes],
            "OnceRecord": [once.bytes],
            "TableName": TableName.allCases.map { Array($0.rawValue.utf8) },
            "ZoneVersionRow": [ZoneVersionRow(fingerprint: 7).bytes],
        ]
    }

    private static func rows() throws -> [String: [[UInt8]]] {
        var rows = otherRows()
        for codec in Codec.all {
            var random = RandomRecords(generator: SeededGenerator(seed: 1))
            let samples = try (0..<64).map { _ in try codec.sample(&random).bytes }
            rows[codec.testDescription] = samples
            #expect(samples.allSatisfy { $0[0] == samples[0][0] })
        }
        return rows
    }

    @Test("A row has the form that is noted")
    func noted() throws {
        for (name, rows) in try Self.rows() {
            let all = rows.flatMap(\.self)
            let sum = RowChecksum.of(all, count: all.count)
            #expect(
                Self.forms[name] == sum,
                """
                the form of \(name) is another than noted: do what Documentation/StoreFormat.md \
                says of a change, then note 0x\(String(sum, radix: 16)) here
                """
            )
        }
    }

    @Test("The form of each type of row is noted")
    func complete() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sources = root.appending(path: "Sources/NotificationRecords")
        var types: Set<String> = []
        let row = /struct (\w+): (?:Table|Sealed)Row\b/
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for type in text.matches(of: row) { types.insert("\(type.1)") }
        }
        // One has no bytes, and the other is a secret as it is.
        types.subtract(["NoRow", "SecretRow"])
        #expect(types.count > 40)
        // A frame of the log has six bits for the table of a change.
        #expect(TableName.allCases.count <= 64)
        #expect(types.union(["ChangeFrame", "TableName"]) == Set(Self.forms.keys))
    }
}
