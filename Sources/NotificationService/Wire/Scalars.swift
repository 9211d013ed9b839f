internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

extension CenterName {
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
    /// Reads a timestamp; an `Int64` of nanoseconds holds the years 1677 to 2262.
    init(
        _ wire: Google_Protobuf_Timestamp,
        _ path: String,
        reason: Reason = .invalidField
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
    /// Reads a well-formed duration as nanoseconds.
    ///
    /// A duration beyond the 292 years of an `Int64` becomes the longest `Int64`, which the limit
    /// of the field then refuses with a message of its own.
    init(
        _ wire: Google_Protobuf_Duration,
        _ path: String,
        reason: Reason = .invalidField
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

    /// The whole seconds, rounded down, and the remaining nanoseconds.
    fileprivate var flooredSeconds: (Int64, Int32) {
        var (seconds, rest) = quotientAndRemainder(dividingBy: .nanosecondsPerSecond)
        if rest < 0 {
            seconds -= 1
            rest += .nanosecondsPerSecond
        }
        return (seconds, Int32(rest))
    }
}

/// Reads a plain enumeration, which has the same numbers in the core; an unknown number is refused.
func choice<Wire: RawRepresentable<Int>, Core: RawRepresentable<UInt8>>(
    _ wire: Wire,
    _ path: String
) throws(Refusal) -> Core {
    guard let number = UInt8(exactly: wire.rawValue), let value = Core(rawValue: number) else {
        throw .invalid(path, "has no value \(wire.rawValue)")
    }
    return value
}

/// Reads an option set, whose numbers are the bits of the core; an unknown option or 0 is refused.
func optionSet<Wire: Enum & CaseIterable, Core: OptionSet>(
    _ wire: [Wire],
    _ path: String,
    reason: Reason = .invalidField
) throws(Refusal) -> Core where Core.RawValue == UInt32 {
    Core(rawValue: try optionBits(wire, path, reason: reason))
}

/// Reads the bits of an option set; an unknown option or 0 is refused.
@discardableResult
func optionBits<Wire: Enum & CaseIterable>(
    _ wire: [Wire],
    _ path: String,
    reason: Reason = .invalidField
) throws(Refusal) -> UInt32 {
    // Count an option once that is named twice. A list of more than 64 is refused.
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
