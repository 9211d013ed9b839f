public import NotificationCore

// Tests count: they name ranges of numbers, and numbers that lie some places behind another one.

extension SerialNumber {
    /// The number of what is counted as `count`.
    public init(_ count: Int) { self.init(rawValue: RawValue(count)) }

    /// The number that is `count` places behind another one.
    public static func + (number: Self, count: Int) -> Self { Self(Int(number.rawValue) + count) }

    /// The number that is `count` places before another one.
    public static func - (number: Self, count: Int) -> Self { number + -count }

    /// Goes on by `count` places.
    public static func += (number: inout Self, count: Int) { number = number + count }

    /// How many places lie between two numbers.
    public func distance(to other: Self) -> Int { Int(other.rawValue) - Int(rawValue) }

    /// The number that is `count` places behind this one.
    public func advanced(by count: Int) -> Self { self + count }
}

extension EventNumber: Strideable {}
extension DeliveryNumber: Strideable {}
