/// A number that names one thing among all things of its kind, and that is never given again.
///
/// Each kind of number is a type: a delivery's number cannot be taken for an event's number. A
/// literal is a number of whatever kind is wanted.
@usableFromInline
package protocol SerialNumber: RawRepresentable, Hashable, Comparable, Sendable,
    ExpressibleByIntegerLiteral, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable, IntegerLiteralType == RawValue {
    init(rawValue: RawValue)
}

extension SerialNumber {
    @inlinable
    package init(integerLiteral: RawValue) { self.init(rawValue: integerLiteral) }

    @inlinable
    package var next: Self { Self(rawValue: rawValue + 1) }

    /// The number before this one, which must not be 0.
    @inlinable
    package var previous: Self { Self(rawValue: rawValue - 1) }

    @inlinable
    package static var max: Self { Self(rawValue: .max) }

    /// Whether a number was given before another one.
    @inlinable
    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// The number in decimal digits.
    @usableFromInline
    package var description: String { String(rawValue) }
}

/// The number of a center: the app on the device has it until the app is unregistered.
@usableFromInline
package struct CenterNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The number of a request that was added: requests of all centers are counted together.
@usableFromInline
package struct RequestNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a delivery of a center, counted from 1; 0 is before all deliveries.
@usableFromInline
package struct DeliveryNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of an event of a center, counted from 1; 0 is before all events.
@usableFromInline
package struct EventNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a callback to an app; 0 is before all callbacks.
@usableFromInline
package struct CallbackNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

@usableFromInline
package struct PromptNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a push to many, counted with the requests.
@usableFromInline
package struct TagPushNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a rich push among those of its app, counted from 1.
@usableFromInline
package struct RichPushNumber: SerialNumber {
    @usableFromInline
    package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
