internal import Glibc
internal import Locking
internal import NotificationCore

/// The machine's time zones, read from its zone database when they are first asked for.
///
/// A zone is read once: a server that should take a new database is started again, and then finds
/// what it changed (design.md 6).
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
    private let zones = Guarded<[String: Zone]>([:])

    /// The most that is kept of one file: the largest has 4 KiB.
    private static let fileBytes = 1 << 20

    init(directory: String = "/usr/share/zoneinfo", localName: String = "UTC") {
        self.directory = directory
        self.localName = localName
    }

    /// Gives a zone by its name in the database; nil where it has none of this name.
    func zone(_ name: String) -> Zone? {
        if let known = zones.withLock({ $0[name] }) { return known }
        guard let zone = read(name) else { return nil }
        zones.withLock { $0[name] = zone }
        return zone
    }

    private func read(_ name: String) -> Zone? {
        guard Self.isName(name) else { return nil }
        guard let bytes = Files.contents(of: "\(directory)/\(name)", atMost: Self.fileBytes),
            let rules = try? ZoneRules(tzif: bytes)
        else {
            // UTC needs no database.
            return name == "UTC" ? Zone(rules: .utc, fingerprint: 0) : nil
        }
        var hash = Fingerprint()
        hash.combine(bytes)
        return Zone(rules: rules, fingerprint: hash.value)
    }

    /// Whether it can be a zone's name, and leads nowhere else in the file system.
    private static func isName(_ name: String) -> Bool {
        guard (1...Limits.timeZoneBytes).contains(name.utf8.count) else { return false }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
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
