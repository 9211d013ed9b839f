internal import BelfryLMDB
internal import BelfryLocking
internal import Glibc
internal import NotificationCore

/// The machine's time zones, read from its zone database when they are first asked for.
///
/// A zone is read once: a server that should take a new database is started again, and then finds
/// what it changed (TM-2).
final class ZoneDatabase: Sendable {
    /// A zone as it was read.
    struct Zone {
        var rules: ZoneRules
        /// Tells this version of the zone from others.
        var fingerprint: UInt128
    }

    /// The zone of devices that name none.
    let localName: String
    private let directory: String
    // Bounded: names of zones, whose bytes were judged.
    private let zones = Guarded<[String: Zone]>([:])

    /// The most that is kept of one file: the largest has 4 KiB.
    private static let fileBytes = 1 << 20

    init(directory: String = "/usr/share/zoneinfo", localName: String = "UTC") {
        self.directory = directory
        self.localName = localName
    }

    /// Gives a zone by its name in the database; nil where it has none of this name, or where it
    /// cannot be read.
    func zone(_ name: String) -> Zone? { try? find(name) }

    /// Gives a zone by its name in the database; nil where it has none of this name.
    ///
    /// - Throws: That it cannot be read now, although it may be there.
    func find(_ name: String) throws(Refusal) -> Zone? {
        // Its bytes are judged before it is hashed.
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

    /// Whether a file could not be read for a reason that has nothing to do with which one it is.
    private static func saysNothingOfTheName(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOMEM, EIO].contains(code)
    }

    /// Whether it can be a zone's name, and leads nowhere else in the file system.
    private static func isName(_ name: String) -> Bool {
        guard (1...Limits.timeZoneBytes).contains(name.utf8.count) else { return false }
        let parts = name.utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
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
        reason: "ZONES_UNREADABLE",
        message: "the server cannot read its zone database now: retry after the delay",
        retryAfterNanoseconds: 1_000_000_000
    )
}
