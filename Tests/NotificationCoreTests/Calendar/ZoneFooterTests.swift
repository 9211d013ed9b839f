internal import NotificationCore
internal import Testing

/// Gives a zone file of one kind of time and no change, with a footer.
func zoneFile(footer: String, offset: Int) -> [UInt8] {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    let type = (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) } + [0, 0]
    let part = header + counts + type + Array("LMT\0".utf8)
    return part + part + Array("\n\(footer)\n".utf8)
}

@Suite("The rule after a zone's last change (RFC 8536, 3.3)")
struct ZoneFooterTests {
    /// A footer, and the changes in 2024, 2025 and 2100 that Python's zoneinfo finds for it.
    ///
    /// But for days by number from 0, where it is a day early, these are glibc's.
    struct Footer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let offset: Int
        let changes: [(second: Int, offset: Int)]

        init(_ text: String, _ offset: Int, _ changes: [(second: Int, offset: Int)]) {
            testDescription = text
            self.offset = offset
            self.changes = changes
        }
    }

    @Test(
        "A footer says when the offset changes, each year",
        arguments: [
            Footer(
                "EST5EDT,M3.2.0,M11.1.0",
                -18_000,
                [
                    (1_710_054_000, -14_400), (1_730_613_600, -18_000), (1_741_503_600, -14_400),
                    (1_762_063_200, -18_000), (4_108_690_800, -14_400), (4_129_250_400, -18_000),
                ]
            ),
            Footer(
                "IST-1GMT0,M10.5.0,M3.5.0/1",
                0,
                [
                    (1_711_846_800, 3_600), (1_729_990_800, 0), (1_743_296_400, 3_600),
                    (1_761_440_400, 0), (4_109_878_800, 3_600), (4_128_627_600, 0),
                ]
            ),
            Footer(
                "<+0330>-3:30<+0430>,J79/24,J263/24",
                12_600,
                [
                    (1_710_966_600, 16_200), (1_726_860_600, 12_600), (1_742_502_600, 16_200),
                    (1_758_396_600, 12_600), (4_109_257_800, 16_200), (4_125_151_800, 12_600),
                ]
            ),
            Footer(
                "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
                -10_800,
                [
                    (1_711_846_800, -7_200), (1_729_990_800, -10_800), (1_743_296_400, -7_200),
                    (1_761_440_400, -10_800), (4_109_878_800, -7_200), (4_128_627_600, -10_800),
                ]
            ),
            Footer(
                "IST-2IDT,M3.4.4/26,M10.5.0",
                7_200,
                [
                    (1_711_670_400, 10_800), (1_729_983_600, 7_200), (1_743_120_000, 10_800),
                    (1_761_433_200, 7_200), (4_109_702_400, 10_800), (4_128_620_400, 7_200),
                ]
            ),
            Footer("XXX3EDT4,0/0,J365/23", -14_400, []),
            Footer(
                "EET-2EEST,59/0,J300/167:30:15",
                7_200,
                [
                    (1_709_157_600, 10_800), (1_730_579_415, 7_200), (1_740_780_000, 10_800),
                    (1_762_115_415, 7_200), (4_107_535_200, 10_800), (4_128_870_615, 7_200),
                ]
            ),
            Footer(
                "AAA-22:59:59BBB,M4.1.0/-167,J60/167",
                86_399,
                [
                    (1_709_766_001, 82_799), (1_711_764_001, 86_399), (1_741_302_001, 82_799),
                    (1_743_213_601, 86_399), (4_108_057_201, 82_799), (4_109_796_001, 86_399),
                ]
            ),
            Footer(
                "NZST-12NZDT,M9.5.0,M4.1.0/3",
                46_800,
                [
                    (1_712_412_000, 43_200), (1_727_532_000, 46_800), (1_743_861_600, 43_200),
                    (1_758_981_600, 46_800), (4_110_444_000, 43_200), (4_125_564_000, 46_800),
                ]
            ),
            Footer(
                "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
                39_600,
                [
                    (1_712_415_600, 37_800), (1_728_142_200, 39_600), (1_743_865_200, 37_800),
                    (1_759_591_800, 39_600), (4_110_447_600, 37_800), (4_126_174_200, 39_600),
                ]
            ),
        ]
    )
    func changes(footer: Footer) throws {
        let zone = try ZoneRules(
            tzif: zoneFile(footer: footer.testDescription, offset: footer.offset)
        )
        var offset = footer.offset
        for change in footer.changes {
            #expect(zone.offsetSeconds(at: WallInstant(second: change.second - 1)) == offset)
            #expect(zone.offsetSeconds(at: WallInstant(second: change.second)) == change.offset)
            offset = change.offset
        }
        // Noon of each day of 2025 has one of the offsets that the changes name.
        for day in 20_089...20_453 {
            let second = day * 86_400 + 43_200
            let expected = footer.changes.last { $0.second <= second }?.offset ?? footer.offset
            #expect(zone.offsetSeconds(at: WallInstant(second: second)) == expected)
        }
    }

    @Test("Without a footer the last offset stays")
    func noFooter() throws {
        let zone = try ZoneRules(tzif: zoneFile(footer: "", offset: 12_345))
        #expect(zone.offsetSeconds(at: WallInstant(nanoseconds: .max)) == 12_345)
    }

    @Test(
        "A text that is no rule is refused",
        arguments: [
            "EST", "ES5", "5EST", "EST25", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,M11.1.0,",
            "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.0.0,M11.1.0",
            "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J60", "EST5EDT,J366,J60", "EST5EDT,366,60",
            "EST5EDT,M3.2.0/168,M11.1.0", "EST5:60", "EST5:00:60", "EST5:", "<EST5", "<E>5",
            "<E_T>5", "EST+-5", "EST99999999999999999999", "EST5EDT,M3.2.0/,M11.1.0", "EST5 ",
            "EST5EDT;M3.2.0;M11.1.0",
        ]
    )
    func noRule(text: String) {
        #expect(throws: ZoneRulesError.footerInvalid) {
            _ = try ZoneRules(tzif: zoneFile(footer: text, offset: 0))
        }
    }
}
