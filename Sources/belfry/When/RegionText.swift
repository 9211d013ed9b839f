internal import NotificationProtocol
internal import SwiftProtobuf

/// A place as people write it: "38.7,-9.1,200m" or "38.7,-9.1", and a beacon as
/// "UUID,MAJOR,MINOR".
enum RegionText {
    private static let advice = "write degrees north, degrees east and a radius: 38.7,-9.1,200m"

    /// Reads a circle on the ground; the radius is in m or km.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func circle(_ text: String) throws(TextProblem) -> Belfry_V1_Region {
        let parts = parts(of: text)
        guard parts.count == 3 else { throw TextProblem(advice) }
        let (north, east) = try degrees(parts[0], parts[1], advice)
        guard let radius = meters(parts[2]) else {
            throw TextProblem("the radius needs its unit, m or km: \(advice)")
        }
        guard radius > 0, radius <= 1_000_000 else {
            throw TextProblem("the radius is more than 0 and at most 1000km")
        }
        return .with { region in
            region.identifier = parts.joined(separator: ",")
            region.circular.latitude = north
            region.circular.longitude = east
            region.circular.radiusMeters = radius
        }
    }

    /// Reads where a device is; how far it may be wrong follows, in m or km.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func fix(_ text: String) throws(TextProblem) -> Belfry_V1_LocationFix {
        let advice = "write degrees north and east, and how far they may be wrong: 38.7,-9.1,10m"
        let parts = parts(of: text)
        guard (2...3).contains(parts.count) else { throw TextProblem(advice) }
        let (north, east) = try degrees(parts[0], parts[1], advice)
        var fix = Belfry_V1_LocationFix()
        (fix.latitude, fix.longitude) = (north, east)
        if parts.count == 3 {
            guard let accuracy = meters(parts[2]), accuracy >= 0 else {
                throw TextProblem("how far they may be wrong needs its unit, m or km: \(advice)")
            }
            fix.accuracyMeters = accuracy
        }
        return fix
    }

    private static func parts(of text: String) -> [String] {
        text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .map { part in String(part.filter { !$0.isWhitespace }) }
    }

    private static func degrees(
        _ north: String,
        _ east: String,
        _ advice: String
    ) throws(TextProblem) -> (Double, Double) {
        guard let north = number(north), let east = number(east) else { throw TextProblem(advice) }
        guard abs(north) <= 90 else { throw TextProblem("degrees north are -90 to 90: \(advice)") }
        guard abs(east) <= 180 else {
            throw TextProblem("degrees east are -180 to 180: \(advice)")
        }
        return (north, east)
    }

    /// Reads a length in m or km, in meters; nil where it has no unit.
    private static func meters(_ text: String) -> Double? {
        let isFar = text.hasSuffix("km")
        guard text.hasSuffix("m"), let length = number(text.dropLast(isFar ? 2 : 1)) else {
            return nil
        }
        return isFar ? length * 1_000 : length
    }

    /// Reads a beacon's UUID, and its major and minor numbers where it is one of a family.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func beacon(_ text: String) throws(TextProblem) -> Belfry_V1_Region {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.dropFirst().map { Numbers.parse($0) }
        guard (1...3).contains(parts.count), parts[0].utf8.count == 36,
            numbers.allSatisfy({ number in number.map { $0 <= 65_535 } ?? false })
        else {
            throw TextProblem("write a UUID, then its major and minor number if any: UUID,1,2")
        }
        return .with { region in
            region.identifier = text
            region.beacon.uuid = parts[0]
            if let major = numbers.first ?? nil { region.beacon.major = UInt32(major) }
            if numbers.count == 2, let minor = numbers.last ?? nil {
                region.beacon.minor = UInt32(minor)
            }
        }
    }

    /// Reads a beacon that is seen, with all of its numbers.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func sighting(_ text: String) throws(TextProblem) -> Belfry_V1_BeaconSighting {
        let beacon = try beacon(text).beacon
        guard beacon.hasMajor, beacon.hasMinor else {
            throw TextProblem("write all of a beacon that is seen: UUID,1,2")
        }
        return .with { sighting in
            sighting.uuid = beacon.uuid
            sighting.major = beacon.major
            sighting.minor = beacon.minor
        }
    }

    /// Reads a number of digits with a point: no "nan", no "1e9".
    private static func number(_ text: some StringProtocol) -> Double? {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }) else {
            return nil
        }
        return Double(text)
    }
}

/// The crossings at which a notification fires: "enter", "exit", "both", "display".
struct Crossings: Equatable {
    var entry = false
    var exit = false
    /// Also when the display is turned on inside; of beacons alone.
    var display = false

    /// Reads words with commas between them.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func parse(_ text: String) throws(TextProblem) -> Crossings {
        var crossings = Crossings()
        for word in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "enter", "entry": crossings.entry = true
            case "exit", "leave": crossings.exit = true
            case "both": (crossings.entry, crossings.exit) = (true, true)
            case "display": (crossings.entry, crossings.display) = (true, true)
            default: throw TextProblem("write enter, exit, both or, of a beacon, display")
            }
        }
        return crossings
    }
}
