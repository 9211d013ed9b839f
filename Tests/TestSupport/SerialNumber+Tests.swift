package import NotificationCore

// Tests count: they name ranges of numbers, and numbers that lie some places behind another one.

extension SerialNumber {
    /// The number that is counted as `count`.
    package init(_ count: Int) { self.init(rawValue: RawValue(count)) }

    /// The number that is `count` places behind another one.
    package static func + (number: Self, count: Int) -> Self { Self(Int(number.rawValue) + count) }

    /// The number that is `count` places before another one.
    package static func - (number: Self, count: Int) -> Self { number + -count }

    /// Goes on by `count` places.
    package static func += (number: inout Self, count: Int) { number = number + count }

    /// How many places lie between two numbers.
    package func distance(to other: Self) -> Int { Int(other.rawValue) - Int(rawValue) }

    /// The number that is `count` places behind this one.
    package func advanced(by count: Int) -> Self { self + count }
}

extension EventNumber: Strideable {}
extension DeliveryNumber: Strideable {}
