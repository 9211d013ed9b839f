internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Bytes that are not a zone's file (RFC 8536)")
struct ZoneFileDamageTests {
    @Test("A file that ends early is refused, wherever it ends", arguments: ZoneFile.allCases)
    func truncated(file: ZoneFile) {
        let bytes = file.bytes
        for count in bytes.indices {
            #expect(throws: ZoneRulesError.truncated) {
                _ = try ZoneRules(tzif: Array(bytes[..<count]))
            }
        }
    }

    @Test("What follows the footer does not matter")
    func trailingBytes() throws {
        let bytes = ZoneFile.newYork.bytes
        #expect(try ZoneRules(tzif: bytes + [0, 1, 2]) == ZoneRules(tzif: bytes))
    }

    @Test("Changed bytes give an error, or rules to ask", arguments: ZoneFile.allCases)
    func mutations(file: ZoneFile) {
        var random = SeededGenerator()
        let original = file.bytes
        var refused = 0
        for _ in 0..<2_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let position = Int.random(in: bytes.indices, using: &random)
                let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
                bytes[position] =
                    Bool.random(using: &random)
                    ? .random(in: 0...255, using: &random)
                    : extremes.randomElement(using: &random) ?? 0
            }
            guard let zone = try? ZoneRules(tzif: bytes) else {
                refused += 1
                continue
            }
            ask(zone, using: &random)
        }
        #expect((1..<2_000).contains(refused), "seed \(random.seed)")
    }

    private func ask(_ zone: ZoneRules, using random: inout SeededGenerator) {
        for _ in 0..<8 {
            let nanoseconds = Int64.random(in: .min ... .max, using: &random)
            let offset = zone.offsetSeconds(at: WallInstant(nanoseconds: nanoseconds))
            #expect((-89_999...93_599).contains(offset), "seed \(random.seed)")
            let local = Int(nanoseconds / .nanosecondsPerSecond)
            switch zone.meaning(ofLocalSeconds: local) {
            case .once: break
            case .twice(let first, let second): #expect(first < second, "seed \(random.seed)")
            case .never(_, let skipped): #expect(skipped.contains(local), "seed \(random.seed)")
            }
        }
    }

    @Test("Random bytes after a file's first ones do not trap")
    func noise() {
        var random = SeededGenerator()
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...200, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: ZoneRulesError.self, "seed \(random.seed)") {
                _ = try ZoneRules(tzif: Array("TZif2".utf8) + noise)
            }
        }
    }

    /// A change to a file, and the error that is then thrown.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: ZoneRulesError
        let bytes: [UInt8]

        init(_ name: String, _ error: ZoneRulesError, _ change: (inout [UInt8]) -> Void) {
            testDescription = name
            self.error = error
            var bytes = ZoneFile.newYork.bytes
            change(&bytes)
            self.bytes = bytes
        }
    }

    // The file of `zic -b slim` has an empty 32-bit part, so that the 64-bit header is at 51.
    @Test(
        "Each error has its file",
        arguments: [
            Damage("another magic", .notTZif) { $0[0] = 0 },
            Damage("another second magic", .notTZif) { $0[51] = 0 },
            Damage("version 1", .versionUnsupported) { $0[4] = 0 },
            Damage("leap seconds", .leapSecondsUnsupported) { $0[51 + 31] = 1 },
            Damage("no kinds of time", .invalid("typecnt")) {
                $0.replaceSubrange(51 + 36..<51 + 40, with: [0, 0, 0, 0])
            },
            Damage("more changes than bytes", .truncated) { $0[51 + 32] = 0xFF },
            Damage("the least number of all as a time", .invalid("transition time")) {
                $0.replaceSubrange(51 + 44..<51 + 52, with: [0x80, 0, 0, 0, 0, 0, 0, 0])
            },
            Damage("a change before the one before", .invalid("transition times' order")) {
                $0[51 + 52] = 0xFE
            },
            Damage("a kind of time that is not listed", .invalid("type")) {
                $0[51 + 44 + 175 * 8] = 200
            },
            Damage("an offset of a year", .invalid("utoff")) { $0[51 + 44 + 175 * 9] = 1 },
            Damage("another byte before the footer", .footerInvalid) { bytes in
                bytes[bytes.count - 24] = 0
            },
        ]
    )
    func damage(damage: Damage) {
        #expect(throws: damage.error) { _ = try ZoneRules(tzif: damage.bytes) }
    }
}
