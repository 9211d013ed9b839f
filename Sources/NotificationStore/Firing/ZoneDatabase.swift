internal import BelfryLMDB
internal import BelfryLocking
internal import Faults
internal import Glibc
internal import NotificationCore
internal import NotificationRecords

/// The machine's time zones, each read from its zone database when it is first needed.
///
/// A zone is read once: restart the server to use a new database; the start then finds the changed
/// zones (TM-2).
final class ZoneDatabase: Sendable {
    struct Zone {
        var rules: ZoneRules
        var fingerprint: UInt128
    }

    /// The zone of devices that report no zone.
    let localName: String
    private let directory: String
    // Bounded: names of zones, whose bytes were checked.
    private let zones = Guarded<[String: Zone]>([:])

    /// The most bytes that are read of one file: the largest has 4 KiB.
    private static let fileBytes = 1 << 20

    init(directory: String = "/usr/share/zoneinfo", localName: String = "UTC") {
        self.directory = directory
        self.localName = localName
    }

    /// Gives a zone by its name in the database; nil where the database has no such zone, or the
    /// zone cannot be read.
    func zone(_ name: String) -> Zone? { try? find(name) }

    /// Gives a zone by its name in the database; nil where the database has no such zone.
    ///
    /// - Throws: That the zone cannot be read now, although it may exist.
    func find(_ name: String) throws(Refusal) -> Zone? {
        if Fault.lengthJudgedAfterHashing.isPlanted, let known = zones.withLock({ $0[name] }) {
            return known
        }
        // Check the name's bytes before the name is hashed.
        guard Self.isName(name) else { return nil }
        if let known = zones.withLock({ $0[name] }) { return known }
        guard let zone = try read(name) else { return nil }
        zones.withLock { $0[name] = zone }
        return zone
    }

    private func read(_ name: String) throws(Refusal) -> Zone? {
        let bytes: [UInt8]
        do throws(LMDBError) {
            bytes = try Files.beginning(of: "\(directory)/\(name)", count: Self.fileBytes)
        } catch {
            // UTC needs no database.
            if name == "UTC" { return Zone(rules: .utc, fingerprint: 0) }
            guard Self.saysNothingOfTheName(error.code) else { return nil }
            throw .zonesUnreadable
        }
        guard let rules = try? ZoneRules(tzif: bytes) else {
            return name == "UTC" ? Zone(rules: .utc, fingerprint: 0) : nil
        }
        var hash = Fingerprint()
        hash.combine(bytes)
        return Zone(rules: rules, fingerprint: hash.value)
    }

    /// Whether an error may come with any file, and so tells nothing about this name.
    private static func saysNothingOfTheName(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOMEM, EIO].contains(code)
    }

    /// Entries beside the zones: the machine's own zone, copies of all zones, and copies with leap
    /// seconds, which no clock here counts.
    private static let strangers = ["localtime", "posix", "posixrules", "right"]

    /// Whether a text can be a zone's name, which cannot lead to a file outside of the database.
    private static func isName(_ name: String) -> Bool {
        guard (1...Limits.timeZoneBytes).contains(name.utf8.count) else { return false }
        let parts = name.utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        guard let first = parts.first,
            !strangers.contains(where: { $0.utf8.elementsEqual(first) })
        else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                        UInt8(ascii: "-"), UInt8(ascii: "+"):
                        true
                    default: false
                    }
                }
        }
    }
}

extension Refusal {
    /// The zone database cannot be read now: nothing happened, and a retry helps.
    fileprivate static let zonesUnreadable = Refusal(
        .unavailable,
        reason: .zonesUnreadable,
        message: "the server cannot read its zone database now: retry after the delay",
        retryAfterNanoseconds: 1_000_000_000
    )
}
