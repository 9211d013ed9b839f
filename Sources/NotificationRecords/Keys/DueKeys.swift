public import NotificationCore

// The keys of the indexes by instant.

@usableFromInline
package protocol IndexedInstant: Hashable, Sendable {
    /// The instant, in nanoseconds of its clock.
    var nanoseconds: Int64 { get }
    /// The instant that is `nanoseconds` of its clock.
    init(nanoseconds: Int64)
    var due: Due { get }
}

extension ElapsedInstant: IndexedInstant {
    @usableFromInline
    package var due: Due { .elapsed(self) }
}

extension WallInstant: IndexedInstant {
    @usableFromInline
    package var due: Due { .wall(self) }
}

/// A key that begins with an instant: the first row of the table is the earliest.
@usableFromInline
package protocol InstantKey: TableKey {
    associatedtype Instant: IndexedInstant
    /// When the row is due.
    var instant: Instant { get }
}

/// The key of an index row of something that is due at an instant.
///
/// A summary has no number of its own: its number is its center's number with a mark, which no
/// other number has.
@usableFromInline
package struct DueKey<Instant: IndexedInstant>: InstantKey {
    /// When the thing is due.
    @usableFromInline
    package let instant: Instant
    /// The number of what is due: a request, a callback or a summary, as the row tells.
    @usableFromInline
    package let number: UInt64

    @inlinable
    init(_ instant: Instant, number: UInt64) {
        self.instant = instant
        self.number = number
    }

    @inlinable
    package init(_ instant: Instant, _ request: RequestNumber) {
        self.init(instant, number: request.rawValue)
    }

    @inlinable
    package var bytes: [UInt8] { NumberPair.bytes(instant.nanoseconds, number) }

    @inlinable
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        let (instant, number): (Int64, UInt64) = try NumberPair.read(bytes)
        self.init(Instant(nanoseconds: instant), number: number)
    }
}

extension DueKey {
    /// The center whose summary is due; nil for a request, a callback or a snooze.
    package var summary: CenterNumber? { SummaryMark.center(of: number) }

    /// The request whose snoozed notification comes back; nil where the key is not of a snooze.
    package var snoozed: RequestNumber? { SnoozeMark.request(of: number) }

    /// The key of a request's notification that comes back from a snooze.
    package init(_ instant: Instant, snoozed request: RequestNumber) {
        self.init(instant, number: SnoozeMark.number(of: request))
    }
}

extension DueKey<ElapsedInstant> {
    /// The key of a request's region, whose state changes at an instant.
    package init(_ instant: ElapsedInstant, regionOf request: RequestNumber) {
        self.init(instant, number: RegionMark.number(of: request))
    }

    /// The request whose region's state changes; nil for other work.
    package var region: RequestNumber? { RegionMark.request(of: number) }

    package init(_ deadline: ElapsedInstant, _ callback: CallbackNumber) {
        self.init(deadline, number: callback.rawValue)
    }
}

extension DueKey<WallInstant> {
    package init(_ date: WallInstant, summaryOf center: CenterNumber) {
        self.init(date, number: SummaryMark.number(of: center))
    }
}

/// The bit that a center's summary number has and a request's number has not: both are in the
/// indexes of dates and of zones.
enum SummaryMark {
    private static let bit: UInt64 = 1 << 63

    static func number(of center: CenterNumber) -> UInt64 { bit | UInt64(center.rawValue) }

    /// The center whose summary has the number; nil for the number of a request.
    static func center(of number: UInt64) -> CenterNumber? {
        number & bit == 0 ? nil : CenterNumber(rawValue: UInt32(truncatingIfNeeded: number))
    }
}

/// The bit that tells the change of a region's state from a request that is due: both are in the
/// index of elapsed time, under the request's number.
package enum RegionMark {
    private static let bit: UInt64 = 1 << 61

    static func number(of request: RequestNumber) -> UInt64 { bit | request.rawValue }

    /// The request whose region's change has the number; nil for another number.
    package static func request(of number: UInt64) -> RequestNumber? {
        number >> 61 == 1 ? RequestNumber(rawValue: number & ~bit) : nil
    }
}

/// The bit that the number of a snooze has and no other number has: a request may be pending and
/// have a notification that is snoozed, both until the same instant.
enum SnoozeMark {
    private static let bit: UInt64 = 1 << 62

    static func number(of request: RequestNumber) -> UInt64 { bit | request.rawValue }

    /// The request whose notification is snoozed under the number; nil for any other number.
    static func request(of number: UInt64) -> RequestNumber? {
        guard number & bit != 0, SummaryMark.center(of: number) == nil else { return nil }
        return RequestNumber(rawValue: number & ~bit)
    }
}

/// A row of a due index: the bytes of a center's number for a callback, a summary or a snooze; no
/// bytes for a request.
package struct DueRow: TableRow {
    /// The owner of the callback, the summary or the snooze; nil for a request.
    package let center: CenterNumber?

    package init(center: CenterNumber? = nil) { self.center = center }

    package var bytes: [UInt8] { center?.bytes ?? [] }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        center = bytes.isEmpty ? nil : try CenterNumber(bytes)
    }
}

/// The key of something that is done at an instant, and the key of what it is done to.
package struct TimedKey<Instant: IndexedInstant, Rest: TableKey>: InstantKey {
    package let instant: Instant
    package let rest: Rest

    package init(_ instant: Instant, _ rest: Rest) {
        self.instant = instant
        self.rest = rest
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 48)
        writer.put(instant.nanoseconds)
        writer.put(bytes: rest.bytes)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        // No key is empty, also where its type would read it.
        guard bytes.count > 8 else { throw .undecodable }
        var reader = ByteReader(bytes)
        instant = Instant(nanoseconds: try reader.number())
        rest = try Rest(reader.rest)
    }
}

/// The key of a center's next expiry.
package typealias ExpiryKey = TimedKey<ElapsedInstant, CenterNumber>
/// The key of a device whose Focus a schedule turns on or off.
package typealias FocusChangeKey = TimedKey<WallInstant, NameKey>
/// The key of an unreferenced file, by when it is removed.
package typealias AttachmentExpiryKey = TimedKey<ElapsedInstant, AttachmentKey>

/// The key of a pending request or summary whose date is local to a zone.
package struct ZoneKey: TableKey {
    /// A request or a summary.
    package enum Dated: Hashable, Sendable {
        case request(RequestNumber)
        case summary
    }

    /// The zone's name; empty for the zone of the center's device.
    package let zone: String
    package let center: CenterNumber
    package let dated: Dated

    package init(_ zone: String, of center: CenterNumber, _ dated: Dated) {
        self.zone = zone
        self.center = center
        self.dated = dated
    }

    package var bytes: [UInt8] {
        let number =
            switch dated {
            case .request(let request): request.rawValue
            case .summary: SummaryMark.number(of: center)
            }
        // No name holds a zero byte, so the zones do not mix.
        var writer = ByteWriter(capacity: 13 + zone.utf8.count)
        writer.put(bytes: zone.utf8)
        writer.put(UInt8(0))
        writer.put(center.rawValue)
        writer.put(number)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count >= 13, bytes[bytes.count - 13] == 0 else { throw .undecodable }
        zone = String(decoding: bytes.dropLast(13), as: UTF8.self)
        var reader = ByteReader(bytes, from: bytes.count - 12)
        center = try reader.serial()
        let number: UInt64 = try reader.number()
        if let summary = SummaryMark.center(of: number) {
            guard summary == center else { throw .undecodable }
            dated = .summary
        } else {
            dated = .request(RequestNumber(rawValue: number))
        }
    }
}

extension KeyPrefix<ZoneKey> {
    package static func zone(_ name: String) -> KeyPrefix { KeyPrefix(Array(name.utf8) + [0]) }

    /// The keys of a center's dates that are local to its device's zone.
    package static func floating(_ center: CenterNumber) -> KeyPrefix {
        KeyPrefix([0] + center.bytes)
    }
}
