internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// A persisted record: how random ones are written, and whether bytes are read back as what they
/// were.
struct Codec: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A random record's bytes, and a check that reads bytes and compares.
    let sample: @Sendable (inout RandomRecords) throws -> Sample

    struct Sample {
        let bytes: [UInt8]
        let isReadBack: ([UInt8]) throws(RowProblem) -> Bool

        /// The record as it was before there were checksums.
        var unsealed: [UInt8] {
            [bytes[0] & ~RowChecksum.mark]
                + bytes[1..<bytes.count - RowChecksum.byteCount]
        }
    }

    static let all: [Codec] = [
        Codec(testDescription: "RequestRecord") { random in
            let record = try random.request()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                // Text is compared by its bytes, which equality of strings does not.
                let read = try RequestRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "CenterRecord") { random in
            let center = try random.center()
            return Sample(bytes: CenterRecord(center).bytes) { bytes throws(RowProblem) in
                try CenterRecord(bytes).center == center
            }
        },
        Codec(testDescription: "IdentifierRecord") { random in
            let record = random.identifier()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try IdentifierRecord(bytes) == record
            }
        },
        Codec(testDescription: "RegionRecord") { random in
            let record = try random.regionRecord()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try RegionRecord(bytes) == record
            }
        },
        Codec(testDescription: "RegionStateRecord") { random in
            let record = random.regionState()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try RegionStateRecord(bytes) == record
            }
        },
        Codec(testDescription: "LocationAccessRecord") { random in
            let record = random.locationAccess()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try LocationAccessRecord(bytes) == record
            }
        },
        Codec(testDescription: "SensorsRecord") { random in
            let record = random.sensors()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try SensorsRecord(bytes) == record
            }
        },
        Codec(testDescription: "SensorWorkRecord") { random in
            let record = random.sensorWork()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try SensorWorkRecord(bytes) == record
            }
        },
        Codec(testDescription: "OpenCommandRecord") { random in
            let record = try random.openCommand()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try OpenCommandRecord(bytes) == record
            }
        },
        Codec(testDescription: "DeliveredRecord") { random in
            let record = random.delivered()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try DeliveredRecord(bytes) == record
            }
        },
        Codec(testDescription: "EventRecord") { random in
            let record = random.event()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try EventRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "CallbackRecord") { random in
            let record = try random.callback()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try CallbackRecord(bytes).bytes == record.bytes
            }
        },
        Codec(testDescription: "EndedCallbackRecord") { random in
            let record = random.endedCallback()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try EndedCallbackRecord(bytes) == record
            }
        },
        Codec(testDescription: "ServiceArrivalRecord") { random in
            let record = random.serviceArrival()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try ServiceArrivalRecord(bytes) == record
            }
        },
        Codec(testDescription: "ExtensionQuestionRecord") { random in
            let record = random.extensionQuestion()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try ExtensionQuestionRecord(bytes) == record
            }
        },
        Codec(testDescription: "PromptRecord") { random in
            let record = random.prompt()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try PromptRecord(bytes) == record
            }
        },
        Codec(testDescription: "RegistrationRecord") { random in
            let record = random.registration()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try RegistrationRecord(bytes) == record
            }
        },
        Codec(testDescription: "BackgroundPushRecord") { random in
            let record = random.backgroundPush()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try BackgroundPushRecord(bytes) == record
            }
        },
        Codec(testDescription: "BackgroundWorkRecord") { random in
            let record = random.backgroundWork()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try BackgroundWorkRecord(bytes) == record
            }
        },
        Codec(testDescription: "PushReceiptRecord") { random in
            let record = random.pushReceipt()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try PushReceiptRecord(bytes) == record
            }
        },
        Codec(testDescription: "TagPushRecord") { random in
            let record = random.tagPush()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try TagPushRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "TagPushOutcomeRecord") { random in
            let record = random.tagPushOutcome()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try TagPushOutcomeRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "PushOwnerRecord") { random in
            let record = random.pushOwner()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try PushOwnerRecord(bytes) == record
            }
        },
        Codec(testDescription: "RichPushRecord") { random in
            let record = random.richPush()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try RichPushRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "RichInboxRecord") { random in
            let record = RichInboxRecord(
                readAt: random.maybe { WallInstant(nanoseconds: $0.number()) }
            )
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try RichInboxRecord(bytes) == record
            }
        },
        Codec(testDescription: "DeviceTokenRecord") { random in
            let record = random.deviceToken()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try DeviceTokenRecord(bytes) == record
            }
        },
        Codec(testDescription: "EndedNumbersRecord") { random in
            let greatest: UInt64 = random.choice([0, 1, 1 << 62])
            let record = EndedNumbersRecord(greatest: greatest)
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try EndedNumbersRecord(bytes) == record
            }
        },
        Codec(testDescription: "AccountRecord") { random in
            var record = AccountRecord()
            record.registrant = random.choice(["", "user 7"])
            record.byteCount = random.choice([0, 1, 1 << 40])
            return Sample(bytes: record.bytes) { [record] bytes throws(RowProblem) in
                try AccountRecord(bytes) == record
            }
        },
        Codec(testDescription: "RegistrantRecord") { random in
            var record = RegistrantRecord()
            record.apps = Int(random.number() as Int64)
            record.fileBytes = Int(random.number() as Int64)
            record.storeBytes = Int(random.number() as Int64)
            record.keyBytes = Int(random.number() as Int64)
            record.keyFloorMilliseconds = random.number()
            return Sample(bytes: record.bytes) { [record] bytes throws(RowProblem) in
                try RegistrantRecord(bytes) == record
            }
        },
        Codec(testDescription: "AppRecord") { random in
            let record = random.app()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try AppRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "CategoryRecord") { random in
            let category = random.category()
            let written = CategoryRecord(category).bytes
            return Sample(bytes: written) { bytes throws(RowProblem) in
                let read = try CategoryRecord(bytes).category(category.identifier)
                return read == category && CategoryRecord(read).bytes == written
            }
        },
        Codec(testDescription: "AttachmentRecord") { random in
            let record = random.attachment()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                let read = try AttachmentRecord(bytes)
                return read == record && read.bytes == record.bytes
            }
        },
        Codec(testDescription: "SoundRecord") { random in
            let name = AttachmentIdentifier(bytes: (0..<16).map { _ in random.number() })
            let record = SoundRecord(attachment: name)
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try SoundRecord(bytes) == record
            }
        },
        Codec(testDescription: "AttachmentUseRecord") { random in
            let record = random.attachmentUse()
            return Sample(bytes: record.bytes) { bytes throws(RowProblem) in
                try AttachmentUseRecord(bytes) == record
            }
        },
        Codec(testDescription: "AttachmentOwnerRecord") { random in
            var record = AttachmentOwnerRecord()
            record.count = random.number()
            record.byteCount = random.number()
            return Sample(bytes: record.bytes) { [record] bytes throws(RowProblem) in
                try AttachmentOwnerRecord(bytes) == record
            }
        },
        Codec(testDescription: "StringTableRecord") { random in
            let strings = random.strings()
            let written = StringTableRecord(strings).bytes
            return Sample(bytes: written) { bytes throws(RowProblem) in
                let read = try StringTableRecord.strings(bytes)
                let keys = read.map { ExactText(String(decoding: $0.key, as: UTF8.self)) }
                let known = Dictionary(zip(keys, read.map(\.1))) { first, _ in first }
                return known == strings && StringTableRecord(known).bytes == written
            }
        },
        Codec(testDescription: "StoreState") { random in
            let state = random.state()
            return Sample(bytes: state.bytes) { bytes throws(RowProblem) in
                try StoreState(bytes) == state
            }
        },
    ]
}

@Suite("Persisted records")
struct RecordTests {
    private let generator = SeededGenerator()

    private var hint: Comment { "SEED=\(generator.seed)" }

    private func samples(_ codec: Codec, _ count: Int) throws -> [Codec.Sample] {
        var random = RandomRecords(generator: generator)
        return try (0..<count).map { _ in try codec.sample(&random) }
    }

    @Test("What is written is read back", arguments: Codec.all)
    func roundTrip(codec: Codec) throws {
        for sample in try samples(codec, 500) {
            #expect(try sample.isReadBack(sample.bytes), hint)
        }
    }

    @Test("A record of before there were checksums is read back", arguments: Codec.all)
    func unsealed(codec: Codec) throws {
        for sample in try samples(codec, 50) {
            #expect(try sample.isReadBack(sample.unsealed), hint)
        }
    }

    @Test("A record with a bit that flipped, whichever it is, is told", arguments: Codec.all)
    func flippedBits(codec: Codec) throws {
        for sample in try samples(codec, 3) {
            for bit in 0..<sample.bytes.count * 8 {
                var bytes = sample.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                expectDamage(bytes, in: sample)
            }
        }
    }

    @Test("A record that ends early, at whatever length, is corrupt", arguments: Codec.all)
    func truncated(codec: Codec) throws {
        for sample in try samples(codec, 10) {
            for bytes in [sample.bytes, sample.unsealed] {
                for count in bytes.indices {
                    expectDamage(Array(bytes.prefix(count)), in: sample)
                }
            }
        }
    }

    @Test("A record that does not end is corrupt", arguments: Codec.all)
    func tooLong(codec: Codec) throws {
        for sample in try samples(codec, 50) {
            expectDamage(sample.bytes + [0], in: sample)
            expectDamage(sample.unsealed + [0], in: sample)
        }
    }

    /// Expects that `bytes` are told as a damaged row.
    ///
    /// `#expect` keeps what it was told, and this is asked half a million times: only what is wrong
    /// is recorded.
    private func expectDamage(_ bytes: [UInt8], in sample: Codec.Sample) {
        do throws(RowProblem) {
            _ = try sample.isReadBack(bytes)
            Issue.record("damaged bytes are read: \(bytes) \(hint)")
        } catch {
            // It throws that a row is damaged, and nothing else.
        }
    }

    @Test("A record of another version is corrupt", arguments: Codec.all)
    func otherVersion(codec: Codec) throws {
        for sample in try samples(codec, 5) {
            for version in [0, 9, 127] as [UInt8] {
                let bytes = [version] + sample.unsealed.dropFirst()
                #expect(throws: RowProblem.undecodable, hint) { try sample.isReadBack(bytes) }
            }
        }
    }

    @Test("Whatever bytes are read, it is a record or an error, and never a crash")
    func damaged() async {
        let seed = generator.seed
        await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
            var random = RandomRecords(generator: SeededGenerator(seed: seed))
            print("SEED=\(seed)")
            for codec in Codec.all {
                for _ in 0..<1_000 {
                    let sample = try codec.sample(&random)
                    // A checksum would keep most of the damage from what reads the record.
                    var bytes = sample.unsealed
                    for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
                        let index = Int.random(in: bytes.indices, using: &random.generator)
                        bytes[index] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.number()])
                    }
                    _ = try? sample.isReadBack(bytes)
                }
            }
        }
    }

    @Test("A count or a length that no integer holds is corrupt")
    func hugeCounts() throws {
        let center = CenterState(name: .local("x"))
        var bytes = CenterRecord(center).bytes
        bytes[0] &= ~RowChecksum.mark
        bytes.removeLast(RowChecksum.byteCount)
        // After the version, two names with their lengths, and the badge.
        let offset = 1 + 2 + 6 + 4
        #expect(Array(bytes[offset..<offset + 2]) == [0, 0])
        bytes.replaceSubrange(offset..<offset + 1, with: Array(repeating: 0xFF, count: 9) + [1])
        #expect(throws: RowProblem.undecodable) { _ = try CenterRecord(bytes) }
    }

    @Test("Varints take one byte up to 127, at most ten, and no eleventh")
    func varints() throws {
        for (value, count) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3)]
            + [(UInt64.max, 10)]
        {
            var writer = ByteWriter()
            writer.putVarint(value)
            #expect(writer.bytes.count == count)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.varint() == value)
        }
        var endless = ByteReader(Array(repeating: 0x80, count: 11))
        #expect(throws: RowProblem.undecodable) { _ = try endless.varint() }
    }
}
