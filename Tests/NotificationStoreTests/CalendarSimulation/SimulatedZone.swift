internal import Foundation

/// A time zone that a test made up: its transitions are known without reading any file.
///
/// All instants are seconds, since 1970 in UTC or, of a local time, as if local time were UTC.
struct SimulatedZone: Equatable {
    struct Transition: Equatable {
        /// When it happens.
        var instant: Int64
        /// The distance of local time from UTC from then on.
        var offset: Int64
    }

    /// The distance of local time from UTC before the first transition.
    var firstOffset: Int64
    /// In the order of their instants.
    var transitions: [Transition] = []

    func offset(at instant: Int64) -> Int64 {
        var index = transitions.count - 1
        while index >= 0 {
            if transitions[index].instant <= instant { return transitions[index].offset }
            index -= 1
        }
        return firstOffset
    }

    /// The instants at which clocks show `local`, in order: none in a gap, two in an overlap.
    func instants(of local: Int64) -> [Int64] {
        var found: [Int64] = []
        if local - firstOffset < transitions.first?.instant ?? .max {
            found.append(local - firstOffset)
        }
        for (index, transition) in transitions.enumerated() {
            let instant = local - transition.offset
            let end = index + 1 < transitions.count ? transitions[index + 1].instant : .max
            if transition.instant <= instant, instant < end { found.append(instant) }
        }
        return found
    }

    /// The transition in whose gap `local` lies.
    func gap(around local: Int64) -> Int64? {
        var before = firstOffset
        for transition in transitions {
            let begin = transition.instant + before
            let end = transition.instant + transition.offset
            if begin <= local, local < end { return transition.instant }
            before = transition.offset
        }
        return nil
    }

    /// Whether some instant lies on the local day that begins at `local`.
    func hasDay(from local: Int64) -> Bool {
        var before = firstOffset
        for transition in transitions {
            let begin = transition.instant + before
            let end = transition.instant + transition.offset
            if begin <= local, local + .secondsPerDay <= end { return false }
            before = transition.offset
        }
        return true
    }
}

extension Int64 {
    static let secondsPerDay: Int64 = 86_400
}

extension SimulatedZone {
    /// Makes a zone that changes its clocks every few days or weeks, from some weeks before
    /// `start` until a year and a half after it.
    static func random(
        around start: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> SimulatedZone {
        let halfHour: Int64 = 1_800
        var zone = SimulatedZone(
            firstOffset: Int64.random(in: -22...24, using: &generator) * halfHour
        )
        var offset = zone.firstOffset
        var day = start / .secondsPerDay - 60
        var summer: Int64 = 0
        while day < start / .secondsPerDay + 500 {
            day += Int64.random(in: 2...40, using: &generator)
            // Forward at 0:00, 1:00, 2:00 or 3:00; back so that no hour of the day before returns
            // after midnight. Now and then a day never comes, as in Apia in 2011.
            var hour = Int64.random(in: 0...3, using: &generator)
            var shift = -summer
            if summer > 0 {
                if hour * 3_600 < summer { hour = 0 }
                summer = 0
            } else if offset <= -8 * halfHour, Int.random(in: 0..<12, using: &generator) == 0 {
                (hour, shift) = (0, .secondsPerDay)
            } else {
                shift = ([1, 2, 2, 2, 4].randomElement(using: &generator) ?? 2) * halfHour
                summer = shift
            }
            let local = day * .secondsPerDay + hour * 3_600
            zone.transitions.append(Transition(instant: local - offset, offset: offset + shift))
            offset += shift
        }
        return zone
    }

    /// The zone as a file of a zone database (RFC 8536, version 2).
    var file: Data {
        let offsets = [firstOffset] + transitions.map(\.offset)
        let name = Array("SIM\0".utf8)
        var bytes = Self.header(transitions: 0, types: 1, characters: name.count)
        bytes += Self.type(of: firstOffset) + name
        bytes += Self.header(
            transitions: transitions.count,
            types: offsets.count,
            characters: name.count
        )
        for transition in transitions { bytes += Self.bigEndian(transition.instant) }
        for index in transitions.indices { bytes.append(UInt8(index + 1)) }
        for offset in offsets { bytes += Self.type(of: offset) }
        bytes += name
        let last = offsets.last ?? 0
        // The sign is the other way round there; all offsets are whole half hours.
        let hours = "\(abs(last) / 3_600):\(last % 3_600 == 0 ? "00" : "30")"
        bytes += Array("\nSIM\(last > 0 ? "-" : "")\(hours)\n".utf8)
        return Data(bytes)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> $0)
        }
    }

    private static func header(transitions: Int, types: Int, characters: Int) -> [UInt8] {
        let counts = [0, 0, 0, transitions, types, characters]
        return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            + counts.flatMap { bigEndian(Int32($0)) }
    }

    private static func type(of offset: Int64) -> [UInt8] {
        bigEndian(Int32(offset)) + [0, 0]
    }
}
