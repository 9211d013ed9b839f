internal import NotificationCore

// The keys of what belongs to an app on all devices, to a device, and to the store.

/// A key that begins with the name of an app and a zero byte, which no name holds.
package protocol AppOwnedKey: TableKey {}

extension KeyPrefix where Key: AppOwnedKey {
    package static func app(_ app: String) -> KeyPrefix { KeyPrefix(Array(app.utf8) + [0]) }
}

/// A key that begins with the name of a device and a zero byte.
@usableFromInline
package protocol DeviceOwnedKey: TableKey {}

extension KeyPrefix where Key: DeviceOwnedKey {
    package static func device(_ device: String) -> KeyPrefix {
        KeyPrefix(Array(device.utf8) + [0])
    }
}

/// A device, a zone or an app, by its name.
package struct NameKey: TableKey {
    package let name: String

    package init(_ name: String) { self.name = name }

    package var bytes: [UInt8] { Array(name.utf8) }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}

/// The key of an app's texts in a language.
package struct StringTableKey: AppOwnedKey {
    package let bytes: [UInt8]

    package init(app: String, language: String) {
        // No name holds a zero byte; case has no meaning in a language's tag.
        bytes = Array(app.utf8) + [0] + Array(LanguageTag.canonical(language).utf8)
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.contains(0) else { throw .undecodable }
        self.bytes = bytes
    }

    package var language: String {
        String(decoding: bytes.drop { $0 != 0 }.dropFirst(), as: UTF8.self)
    }
}

/// The key of an act that waits until its device is unlocked; the acts of a device are in the order
/// in which the person chose them.
package struct UnlockWaitKey: DeviceOwnedKey {
    package let device: String
    package let number: UInt64

    package init(_ number: UInt64, on device: String) {
        self.device = device
        self.number = number
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: device.utf8.count + 9)
        writer.put(bytes: device.utf8)
        writer.put(UInt8(0))
        writer.put(number)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 9, bytes[bytes.count - 9] == 0 else { throw .undecodable }
        device = String(decoding: bytes.dropLast(9), as: UTF8.self)
        var reader = ByteReader(bytes, from: bytes.count - 8)
        number = try reader.number()
    }
}

/// The key of a file that an app stored.
package struct AttachmentKey: AppOwnedKey {
    package let app: String
    /// The stored file that has the key.
    package let identifier: AttachmentIdentifier

    package init(_ identifier: AttachmentIdentifier, of app: String) {
        self.app = app
        self.identifier = identifier
    }

    package var bytes: [UInt8] {
        // No name holds a zero byte, so the apps do not mix.
        Array(app.utf8) + [0] + identifier.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 17, bytes[bytes.count - 17] == 0 else { throw .undecodable }
        app = String(decoding: bytes.dropLast(17), as: UTF8.self)
        identifier = AttachmentIdentifier(bytes: Array(bytes.suffix(16)))
    }
}

package struct SoundKey: AppOwnedKey {
    package let app: String
    package let name: String

    package init(_ name: String, of app: String) {
        self.app = app
        self.name = name
    }

    package var bytes: [UInt8] {
        // No name of an app holds a zero byte, so the apps do not mix.
        Array(app.utf8) + [0] + Array(name.utf8)
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard let end = bytes.firstIndex(of: 0) else { throw .undecodable }
        app = String(decoding: bytes[..<end], as: UTF8.self)
        name = String(decoding: bytes[(end + 1)...], as: UTF8.self)
    }
}

/// The UUID of an idempotency key.
package struct OnceIdentifier: TableKey {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 16 else { throw .undecodable }
        self.bytes = bytes
    }
}

/// The key by which the idempotency keys of a caller are found in their order.
package struct KeyOwnerKey: TableKey {
    /// The first bytes of a digest of the caller's name.
    package static let ownerByteCount = 16

    package let owner: [UInt8]
    package let identifier: OnceIdentifier

    package init(_ identifier: OnceIdentifier, of owner: [UInt8]) {
        self.owner = owner
        self.identifier = identifier
    }

    package var bytes: [UInt8] { owner + identifier.bytes }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == Self.ownerByteCount + 16 else { throw .undecodable }
        owner = Array(bytes.prefix(Self.ownerByteCount))
        identifier = OnceIdentifier(bytes: Array(bytes.dropFirst(Self.ownerByteCount)))
    }
}

extension KeyPrefix<KeyOwnerKey> {
    package static func owner(_ owner: [UInt8]) -> KeyPrefix { KeyPrefix(owner) }
}

/// The key of a row of the table of store-wide facts.
package struct MetaKey: TableKey {
    package let bytes: [UInt8]

    private init(name: String) { bytes = Array(name.utf8) }

    package static let format = MetaKey(name: "format")
    /// The key of the store-wide state.
    package static let state = MetaKey(name: "state")
    /// The key of the secret with which page tokens are signed.
    package static let pageTokens = MetaKey(name: "page_tokens")
    /// The key of the secret of which the key for pushes to browsers is made.
    package static let webPush = MetaKey(name: "web_push")
    /// The key of which log goes with the trees.
    package static let log = MetaKey(name: "log")
    /// The key of how much of the log is in the trees.
    package static let merged = MetaKey(name: "merged")

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        let known = [Self.format, .state, .pageTokens, .webPush, .log, .merged]
        guard known.contains(where: { $0.bytes == bytes }) else { throw .undecodable }
        self.bytes = bytes
    }
}

/// The key of the numbers of apps that were unregistered: of all those whose names have one digest
/// of two bytes, so that there are at most 65,536 rows, whatever apps come and go.
package struct EndedNumbersKey: TableKey {
    package let digest: UInt16

    package init(_ digest: UInt16) { self.digest = digest }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 2)
        writer.put(digest)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 2 else { throw .undecodable }
        var reader = ByteReader(bytes)
        digest = try reader.number()
    }
}
