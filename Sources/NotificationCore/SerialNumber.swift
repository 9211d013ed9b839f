/// A number that names one thing among all things of its kind, and that is never given again.
///
/// Each kind of number is a type: a delivery's number cannot be taken for an event's number. A
/// literal is a number of whatever kind is wanted.
public protocol SerialNumber: RawRepresentable, Hashable, Comparable, Sendable,
    ExpressibleByIntegerLiteral, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable, IntegerLiteralType == RawValue {
    /// The number that `rawValue` is.
    init(rawValue: RawValue)
}

extension SerialNumber {
    /// The number of a literal.
    @inlinable
    public init(integerLiteral: RawValue) { self.init(rawValue: integerLiteral) }

    /// The number after this one.
    @inlinable
    public var next: Self { Self(rawValue: rawValue + 1) }

    /// The number before this one, which must not be 0.
    @inlinable
    public var previous: Self { Self(rawValue: rawValue - 1) }

    /// The greatest number.
    @inlinable
    public static var max: Self { Self(rawValue: .max) }

    /// Whether a number was given before another one.
    @inlinable
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}

/// The number of a center: the app on the device has it until the app is unregistered.
public struct CenterNumber: SerialNumber {
    /// The number itself.
    public let rawValue: UInt32

    /// The center's number that `rawValue` is.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The number of a request that was added: requests of all centers are counted together.
public struct RequestNumber: SerialNumber {
    /// The number itself.
    public let rawValue: UInt64

    /// The request's number that `rawValue` is.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a delivery of a center, counted from 1; 0 is before all deliveries.
public struct DeliveryNumber: SerialNumber {
    /// The number itself.
    public let rawValue: UInt64

    /// The delivery's number that `rawValue` is.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of an event of a center, counted from 1; 0 is before all events.
public struct EventNumber: SerialNumber {
    /// The number itself.
    public let rawValue: UInt64

    /// The event's number that `rawValue` is.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a callback to an app; 0 is before all callbacks.
public struct CallbackNumber: SerialNumber {
    /// The number itself.
    public let rawValue: UInt64

    /// The callback's number that `rawValue` is.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a prompt to the person.
public struct PromptNumber: SerialNumber {
    /// The number itself.
    public let rawValue: UInt64

    /// The prompt's number that `rawValue` is.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}
