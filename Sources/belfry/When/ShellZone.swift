internal import Foundation

/// The zone of the shell's local times: `$TZ` as the C library reads it, else the machine's.
struct ShellZone {
    /// How the zone is told.
    enum Kind {
        /// By a name of the zone database, which a server can keep.
        case named
        /// By its distance from UTC, as "IST-5:30".
        case distance
        /// In a way that is not understood.
        case unknown
    }

    /// The zone; UTC where it is not understood.
    let zone: TimeZone
    let kind: Kind
    /// The value of `$TZ`.
    private let text: String

    static let current = ShellZone(environment: ProcessInfo.processInfo.environment)

    init(environment: [String: String]) {
        text = environment["TZ"] ?? ""
        guard environment["TZ"] != nil else {
            (zone, kind) = (.current, .named)
            return
        }
        // Drop a colon, which stands before a name or a file.
        var name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        if name.hasPrefix("/"), let database = name.range(of: "/zoneinfo/") {
            name = String(name[database.upperBound...])
        }
        if let named = name.isEmpty ? TimeZone.gmt : TimeZone(databaseName: name) {
            (zone, kind) = (named, .named)
        } else if let seconds = Self.distance(name), let fixed = TimeZone(secondsFromGMT: seconds) {
            (zone, kind) = (fixed, seconds == 0 ? .named : .distance)
        } else {
            (zone, kind) = (.gmt, .unknown)
        }
    }

    /// The problem of `$TZ`, for a person.
    var problem: String { "TZ=\(text.printable) is no name of the zone database, as Asia/Kolkata" }

    /// Reads "IST-5:30" or "<+0530>-5:30", which is what is added to local time to get UTC, in
    /// seconds east of UTC.
    private static func distance(_ text: String) -> Int? {
        let name: Substring
        if text.hasPrefix("<") {
            name = text.prefix { $0 != ">" }
            guard name.count < text.count else { return nil }
        } else {
            name = text.prefix { $0.isASCII && $0.isLetter }
        }
        var rest = text.dropFirst(text.hasPrefix("<") ? name.count + 1 : name.count)
        let isEast = rest.first == "-"
        if isEast || rest.first == "+" { rest = rest.dropFirst() }
        guard name.count >= 3, let parts = Numbers.parse(rest, separator: ":"),
            (1...3).contains(parts.count), parts[0] <= 18,
            parts.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        let seconds = zip(parts, [3_600, 60, 1]).reduce(0) { $0 + Int($1.0) * $1.1 }
        return isEast ? seconds : -seconds
    }
}

extension TimeZone {
    /// The names of the zone database that stand for several zones elsewhere.
    private static let shortNames = ["CET", "EET", "EST", "GMT", "HST", "MST", "UTC", "WET"]
    /// The names of the zone database that Foundation reads as distances from UTC.
    private static let distances = ["GMT", "GMT0", "GMT+0", "GMT-0"]

    /// A zone by its name in the zone database; nil where it has none, as for "PST" and "GMT+3".
    init?(databaseName name: String) {
        guard let zone = TimeZone(identifier: name),
            zone.identifier == name || zone.identifier == "GMT",
            !name.hasPrefix("GMT") || Self.distances.contains(name),
            TimeZone.abbreviationDictionary[name] == nil || Self.shortNames.contains(name)
        else { return nil }
        self = zone
    }

    /// The name in the zone database; Foundation calls UTC by the name of the zone of Greenwich.
    var name: String { identifier == "GMT" ? "UTC" : identifier }
}
