package import NotificationCore

// The keys of registrations for pushes and of their tokens.

/// The key of a registration: the registrations of an app are together, by device.
package struct RegistrationKey: AppOwnedKey {
    package let center: CenterName

    package init(_ center: CenterName) { self.center = center }

    package var bytes: [UInt8] {
        // No name holds a zero byte, so the apps do not mix.
        Array(center.app.utf8) + [0] + Array(center.device.utf8)
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard let end = bytes.firstIndex(of: 0), end + 1 < bytes.count else { throw .undecodable }
        let app = String(decoding: bytes[..<end], as: UTF8.self)
        let device = String(decoding: bytes[(end + 1)...], as: UTF8.self)
        guard let center = try? CenterName(app: app, device: device) else { throw .undecodable }
        self.center = center
    }
}

extension DeviceToken: TableKey, TableRow {
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard let token = DeviceToken(bytes: bytes) else { throw .undecodable }
        self = token
    }
}

/// The key of a command in slices: what came later has a greater number.
package struct StoreOrderKey: TableKey {
    /// The number, from the store's counter.
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.put(number)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 8 else { throw .undecodable }
        var reader = ByteReader(bytes)
        number = try reader.number()
    }
}

/// The key of an ended token, or of a push that its provider named: those of a caller are together,
/// in their order.
package struct OwnedOrderKey: TableKey {
    /// The first bytes of a digest of the caller's name, as those of ``KeyOwnerKey``.
    package let owner: [UInt8]
    package let number: UInt64

    package init(_ number: UInt64, of owner: [UInt8]) {
        self.owner = owner
        self.number = number
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: KeyOwnerKey.ownerByteCount + 8)
        writer.put(bytes: owner)
        writer.put(number)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == KeyOwnerKey.ownerByteCount + 8 else { throw .undecodable }
        var reader = ByteReader(bytes)
        owner = try reader.bytes(KeyOwnerKey.ownerByteCount)
        number = try reader.number()
    }
}

extension KeyPrefix<OwnedOrderKey> {
    package static func owner(_ owner: [UInt8]) -> KeyPrefix { KeyPrefix(owner) }
}

/// The key of a push that waits for its app: pushes are in the order in which they came.
package typealias BackgroundPushKey = CountedKey<RequestNumber>

/// The key of what became of a push to a center.
package struct PushReceiptKey: CenterOwnedKey, TableRow {
    package let center: CenterNumber
    /// The push: the sixteen bytes of a UUID.
    package let apnsID: [UInt8]

    package init(_ apnsID: [UInt8], of center: CenterNumber) {
        self.center = center
        self.apnsID = apnsID
    }

    package var bytes: [UInt8] { center.bytes + apnsID }

    /// Reads a key, or a row of the order of receipts.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 20 else { throw .undecodable }
        center = try CenterNumber(Array(bytes.prefix(4)))
        apnsID = Array(bytes.dropFirst(4))
    }
}
