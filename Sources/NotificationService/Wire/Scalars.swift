internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

extension CenterName {
    /// The center that a request names.
    init(_ wire: Belfry_V1_Center) throws(Refusal) {
        try self.init(app: wire.appID, device: wire.deviceID)
    }
}

extension Belfry_V1_Center {
    init(_ name: CenterName) {
        self.init()
        appID = name.app
        deviceID = name.device
    }
}

extension Google_Protobuf_Timestamp {
    init(_ instant: WallInstant) {
        let (seconds, nanoseconds) = instant.nanoseconds.flooredSeconds
        self.init(seconds: seconds, nanos: nanoseconds)
    }
}

extension WallInstant {
    /// The instant of a timestamp that an `Int64` of nanoseconds can hold: the years 1677 to 2262.
    init(
        _ wire: Google_Protobuf_Timestamp,
        _ path: String,
        reason: String = Refusal.invalidField
    ) throws(Refusal) {
        guard (0..<1_000_000_000).contains(wire.nanos) else {
            throw .invalid(path, "nanos must be 0-999999999", reason: reason)
        }
        guard let nanoseconds = Int64.nanoseconds(seconds: wire.seconds, nanos: wire.nanos) else {
            throw .invalid(path, "must be in the years 1678-2261", reason: reason)
        }
        self.init(nanoseconds: nanoseconds)
    }
}

extension Google_Protobuf_Duration {
    init(nanoseconds: Int64) {
        self.init(
            seconds: nanoseconds / .nanosecondsPerSecond,
            nanos: Int32(nanoseconds % .nanosecondsPerSecond)
        )
    }
}

extension Int64 {
    /// The nanoseconds of a well-formed duration.
    ///
    /// One that is too long for an `Int64`, 292 years, becomes the longest: the caller's own limit
    /// then refuses it with its own words.
    init(
        _ wire: Google_Protobuf_Duration,
        _ path: String,
        reason: String = Refusal.invalidField
    ) throws(Refusal) {
        let isMixed = wire.seconds > 0 && wire.nanos < 0 || wire.seconds < 0 && wire.nanos > 0
        guard (-999_999_999...999_999_999).contains(wire.nanos) && !isMixed else {
            throw .invalid(
                path,
                "nanos must be within one second and have the sign of seconds",
                reason: reason
            )
        }
        self =
            Int64.nanoseconds(seconds: wire.seconds, nanos: wire.nanos)
            ?? (wire.seconds < 0 ? .min : .max)
    }

    fileprivate static func nanoseconds(seconds: Int64, nanos: Int32) -> Int64? {
        let (product, tooFar) = seconds.multipliedReportingOverflow(by: .nanosecondsPerSecond)
        let (sum, overflow) = product.addingReportingOverflow(Int64(nanos))
        return tooFar || overflow ? nil : sum
    }

    /// Whole seconds, rounded down, and the nanoseconds above them.
    fileprivate var flooredSeconds: (Int64, Int32) {
        var (seconds, rest) = quotientAndRemainder(dividingBy: .nanosecondsPerSecond)
        if rest < 0 {
            seconds -= 1
            rest += .nanosecondsPerSecond
        }
        return (seconds, Int32(rest))
    }
}

/// Reads a plain enumeration, whose numbers are the core's; an unknown number is refused.
func choice<Wire: RawRepresentable<Int>, Core: RawRepresentable<UInt8>>(
    _ wire: Wire,
    _ path: String
) throws(Refusal) -> Core {
    guard let number = UInt8(exactly: wire.rawValue), let value = Core(rawValue: number) else {
        throw .invalid(path, "has no value \(wire.rawValue)")
    }
    return value
}

/// Reads an option set, whose numbers are the core's bits; one that is unknown or 0 is refused.
func optionSet<Wire: Enum & CaseIterable, Core: OptionSet>(
    _ wire: [Wire],
    _ path: String,
    reason: String = Refusal.invalidField
) throws(Refusal) -> Core where Core.RawValue == UInt32 {
    Core(rawValue: try optionBits(wire, path, reason: reason))
}

/// Reads the bits of an option set; one that is unknown or 0 is refused.
@discardableResult
func optionBits<Wire: Enum & CaseIterable>(
    _ wire: [Wire],
    _ path: String,
    reason: String = Refusal.invalidField
) throws(Refusal) -> UInt32 {
    // An option named twice is named once; so many are no options.
    guard wire.count <= 64 else { throw .invalid(path, "names at most 64", reason: reason) }
    var bits: UInt32 = 0
    for (index, option) in wire.enumerated() {
        let isKnown = Wire.allCases.contains { $0.rawValue == option.rawValue }
        guard isKnown, option.rawValue != 0 else {
            throw .invalid(
                "\(path)[\(index)]",
                "has no value \(option.rawValue)",
                reason: reason
            )
        }
        bits |= UInt32(option.rawValue)
    }
    return bits
}

/// Writes an option set as the wire's list, the lowest bit first.
func optionList<Wire: Enum & CaseIterable>(_ bits: UInt32) -> [Wire] {
    Wire.allCases.filter { $0.rawValue != 0 && bits & UInt32($0.rawValue) != 0 }
}
