public import NotificationCore

// The keys of what belongs to one center.

/// A key that begins with the number of the center to which its row belongs.
@usableFromInline
package protocol CenterOwnedKey: TableKey {
    var center: CenterNumber { get }
}

extension KeyPrefix where Key: CenterOwnedKey {
    package static func center(_ number: CenterNumber) -> KeyPrefix { KeyPrefix(number.bytes) }
}

/// The key of one of a center's rows that are counted: deliveries, events, callbacks.
@usableFromInline
package struct CountedKey<Number: SerialNumber>: CenterOwnedKey where Number.RawValue == UInt64 {
    @usableFromInline
    package let center: CenterNumber
    @usableFromInline
    package let number: Number

    @inlinable
    package init(_ number: Number, of center: CenterNumber) {
        self.center = center
        self.number = number
    }

    @inlinable
    package var bytes: [UInt8] { NumberPair.bytes(center.rawValue, number.rawValue) }

    @inlinable
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        let (center, number): (UInt32, UInt64) = try NumberPair.read(bytes)
        self.init(Number(rawValue: number), of: CenterNumber(rawValue: center))
    }
}

/// The key of a delivery in the list of delivered notifications.
package typealias DeliveryKey = CountedKey<DeliveryNumber>
package typealias EventKey = CountedKey<EventNumber>
package typealias CallbackKey = CountedKey<CallbackNumber>
/// The key of a push that waits for the service extension: its number comes from the callbacks'
/// counter, so that an arriving occurrence has one of the two.
package typealias ServiceArrivalKey = CountedKey<CallbackNumber>

/// The key of a row that a center has under an identifier: a request's or a category's.
package struct IdentifierKey: CenterOwnedKey {
    package let center: CenterNumber
    package let identifier: String

    package init(_ identifier: String, of center: CenterNumber) {
        self.center = center
        self.identifier = identifier
    }

    package var bytes: [UInt8] {
        let text = identifier.utf8
        var writer = ByteWriter(capacity: 4 + text.count)
        writer.put(center.rawValue)
        writer.put(bytes: text)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 4 else { throw .undecodable }
        var reader = ByteReader(bytes)
        center = try reader.serial()
        identifier = String(decoding: bytes.dropFirst(4), as: UTF8.self)
    }
}

/// The key of an action's meaning: the actions of a center with one identifier are together, in the
/// order of their categories.
package struct ActionMeaningKey: CenterOwnedKey {
    /// The center to which the row belongs.
    package let center: CenterNumber
    /// A checksum of the action's identifier: with both identifiers a key would be too long.
    package let action: UInt64
    package let category: String

    package init(_ action: String, in category: String, of center: CenterNumber) {
        let identifier = Array(action.utf8)
        self.center = center
        self.action = RowChecksum.of(identifier, count: identifier.count)
        self.category = category
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 12 + category.utf8.count)
        writer.put(center.rawValue)
        writer.put(action)
        writer.put(bytes: category.utf8)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 12 else { throw .undecodable }
        var reader = ByteReader(bytes)
        center = try reader.serial()
        action = try reader.number()
        category = String(decoding: bytes.dropFirst(12), as: UTF8.self)
    }
}

extension KeyPrefix<ActionMeaningKey> {
    /// The keys of an action in all categories of a center.
    package static func action(_ action: String, of center: CenterNumber) -> KeyPrefix {
        KeyPrefix(ActionMeaningKey(action, in: "", of: center).bytes)
    }
}

extension SerialNumber {
    /// The number as it is in the file: big-endian.
    @usableFromInline
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: RawValue.bitWidth / 8)
        writer.put(rawValue)
        return writer.bytes
    }

    /// Reads a number that is the whole key or the whole row.
    @usableFromInline
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == RawValue.bitWidth / 8 else { throw .undecodable }
        var reader = ByteReader(bytes)
        self = try reader.serial()
    }
}

extension CenterNumber: TableKey, TableRow {}
extension RequestNumber: TableKey {}
extension PromptNumber: TableKey {}

/// A center by its name: device, a zero byte, app.
extension CenterName: DeviceOwnedKey {
    @usableFromInline
    package var bytes: [UInt8] {
        // No name holds a zero byte, so no two centers share a key.
        Array(device.utf8) + [0] + Array(app.utf8)
    }

    @usableFromInline
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard let end = bytes.firstIndex(of: 0) else { throw .undecodable }
        let app = String(decoding: bytes[(end + 1)...], as: UTF8.self)
        let device = String(decoding: bytes[..<end], as: UTF8.self)
        guard let name = try? Self(app: app, device: device) else { throw .undecodable }
        self = name
    }
}
