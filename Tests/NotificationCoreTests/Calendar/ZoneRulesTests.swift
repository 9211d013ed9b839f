internal import NotificationCore
internal import Testing

@Suite("Rules of time zones (RFC 8536)")
struct ZoneRulesTests {
    @Test(
        "The offsets are those that another reader of the file finds",
        arguments: ZoneFile.allCases
    )
    func knownOffsets(file: ZoneFile) throws {
        let zone = try ZoneRules(tzif: file.bytes)
        for (second, offset) in file.knownOffsets {
            let instant = WallInstant(second: second)
            #expect(zone.offsetSeconds(at: instant) == offset, "at \(second)")
        }
    }

    @Test("A change comes with its second, not a nanosecond before")
    func changeIsExact() throws {
        let zone = try ZoneRules(tzif: ZoneFile.newYork.bytes)
        // 2025-03-09T07:00:00Z.
        let change = WallInstant(second: 1_741_503_600)
        #expect(zone.offsetSeconds(at: change.advanced(byNanoseconds: -1)) == -5 * 3_600)
        #expect(zone.offsetSeconds(at: change) == -4 * 3_600)
    }

    @Test("The first and the last instant have offsets", arguments: ZoneFile.allCases)
    func ends(file: ZoneFile) throws {
        let zone = try ZoneRules(tzif: file.bytes)
        let offsets = [Int64.min, .max].map { nanoseconds in
            zone.offsetSeconds(at: WallInstant(nanoseconds: nanoseconds))
        }
        #expect(offsets.allSatisfy { abs($0) < 86_400 })
    }

    @Test("UTC has one offset, and its file has the same rules")
    func utc() throws {
        #expect(ZoneRules.utc.offsetSeconds(at: WallInstant(nanoseconds: .max)) == 0)
        #expect(ZoneRules.utc.meaning(ofLocalSeconds: 1_741_503_600) == .once(1_741_503_600))
        #expect(try ZoneRules(tzif: ZoneFile.utc.bytes) == .utc)
    }

    /// A local time of a zone, and its instants.
    struct Local: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: ZoneFile
        let local: Int
        let meaning: ZoneRules.Meaning

        init(_ name: String, _ file: ZoneFile, _ local: Int, _ meaning: ZoneRules.Meaning) {
            testDescription = name
            self.file = file
            self.local = local
            self.meaning = meaning
        }
    }

    @Test(
        "A local time has one instant, or two, or was skipped",
        arguments: [
            Local(
                "New York, before the gap",
                .newYork,
                seconds("2025-03-09 01:59:59"),
                .once(1_741_503_599)
            ),
            Local(
                "New York, the gap's first second",
                .newYork,
                seconds("2025-03-09 02:00:00"),
                .never(
                    change: 1_741_503_600,
                    skipped: seconds("2025-03-09 02:00:00")..<seconds("2025-03-09 03:00:00")
                )
            ),
            Local(
                "New York, after the gap",
                .newYork,
                seconds("2025-03-09 03:00:00"),
                .once(1_741_503_600)
            ),
            Local(
                "New York, the overlap",
                .newYork,
                seconds("2025-11-02 01:30:00"),
                .twice(1_762_061_400, 1_762_065_000)
            ),
            Local(
                "New York, after the overlap",
                .newYork,
                seconds("2025-11-02 02:00:00"),
                .once(1_762_066_800)
            ),
            Local(
                "Lord Howe, half an hour's overlap",
                .lordHowe,
                seconds("2025-04-06 01:45:00"),
                .twice(1_743_864_300, 1_743_866_100)
            ),
            Local(
                "Apia, the day that was skipped",
                .apia,
                seconds("2011-12-30 12:00:00"),
                .never(
                    change: 1_325_239_200,
                    skipped: seconds("2011-12-30 00:00:00")..<seconds("2011-12-31 00:00:00")
                )
            ),
            Local(
                "Dublin, the overlap of a set back in winter",
                .dublin,
                seconds("2025-10-26 01:30:00"),
                .twice(1_761_438_600, 1_761_442_200)
            ),
        ]
    )
    func localTimes(local: Local) throws {
        let zone = try ZoneRules(tzif: local.file.bytes)
        #expect(zone.meaning(ofLocalSeconds: local.local) == local.meaning)
    }

    @Test(
        "Every local time around a change means the instants that show it",
        arguments: ZoneFile.allCases
    )
    func localTimesAgree(file: ZoneFile) throws {
        let zone = try ZoneRules(tzif: file.bytes)
        for (second, offset) in file.knownOffsets where abs(second) < 9_000_000_000 {
            for minutes in stride(from: -180, through: 180, by: 10) {
                let local = second + offset + minutes * 60
                // The clock's times within a day and a half of the local time.
                let shown = stride(from: -130_000, through: 130_000, by: 1_800)
                    .map { zone.offsetSeconds(at: WallInstant(second: local + $0)) }
                let instants = Set(shown).map { local - $0 }.sorted()
                    .filter { local - $0 == zone.offsetSeconds(at: WallInstant(second: $0)) }
                switch zone.meaning(ofLocalSeconds: local) {
                case .once(let only): #expect(instants == [only])
                case .twice(let first, let second): #expect(instants == [first, second])
                case .never(let change, let skipped):
                    #expect(instants.isEmpty)
                    #expect(skipped.contains(local))
                    let after = zone.offsetSeconds(at: WallInstant(second: change))
                    let before = zone.offsetSeconds(at: WallInstant(second: change - 1))
                    #expect(skipped == change + before..<change + after)
                }
            }
        }
    }
}
