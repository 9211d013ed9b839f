package import NotificationCore

// The keys of tags, of pushes to many devices, of rich pushes and of questions to extensions: all
// belong to an app. No name of an app, no tag and no name of a device holds a zero byte, so nothing
// mixes.

/// The key of a device that has a tag: the devices of a tag are in the order of their names, as the
/// registrations of the app are.
package struct TagKey: TableKey {
    package let app: String
    package let tag: String
    package let device: String

    package init(_ tag: String, of center: CenterName) {
        app = center.app
        self.tag = tag
        device = center.device
    }

    package var bytes: [UInt8] { KeyPrefix.tag(tag, of: app).bytes + Array(device.utf8) }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { throw .undecodable }
        app = String(decoding: parts[0], as: UTF8.self)
        tag = String(decoding: parts[1], as: UTF8.self)
        device = String(decoding: parts[2], as: UTF8.self)
    }
}

extension KeyPrefix<TagKey> {
    /// The keys of the devices of an app that have a tag.
    package static func tag(_ tag: String, of app: String) -> KeyPrefix {
        KeyPrefix(Array(app.utf8) + [0] + Array(tag.utf8) + [0])
    }
}

/// The key of something that an app has under a number.
package struct AppNumberKey<Number: SerialNumber>: AppOwnedKey where Number.RawValue == UInt64 {
    package let app: String
    package let number: Number

    package init(_ number: Number, of app: String) {
        self.app = app
        self.number = number
    }

    package var bytes: [UInt8] { Array(app.utf8) + [0] + number.bytes }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 9, bytes[bytes.count - 9] == 0 else { throw .undecodable }
        app = String(decoding: bytes.dropLast(9), as: UTF8.self)
        var reader = ByteReader(bytes, from: bytes.count - 8)
        number = try reader.serial()
    }
}

package typealias TagPushKey = AppNumberKey<TagPushNumber>
package typealias RichPushKey = AppNumberKey<RichPushNumber>
/// The key of an open question to an extension: the questions of an app are in their order.
package typealias ExtensionQuestionKey = AppNumberKey<CallbackNumber>
/// The key of a rich push that a device was sent.
package typealias RichInboxKey = CountedKey<RichPushNumber>

/// The key of an outcome of a push to many devices: the outcomes are counted from 1.
package struct TagPushOutcomeKey: TableKey {
    package let push: TagPushKey
    package let number: UInt64

    package init(_ number: UInt64, of push: TagPushKey) {
        self.push = push
        self.number = number
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.put(bytes: push.bytes)
        writer.put(number)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 8 else { throw .undecodable }
        push = try TagPushKey(Array(bytes.dropLast(8)))
        var reader = ByteReader(bytes, from: bytes.count - 8)
        number = try reader.number()
    }
}

extension KeyPrefix<TagPushOutcomeKey> {
    package static func push(_ push: TagPushKey) -> KeyPrefix { KeyPrefix(push.bytes) }
}

/// The key of a device that was sent a rich push.
package struct RichAddresseeKey: TableKey {
    package let richPush: RichPushKey
    /// The app on the device.
    package let center: CenterNumber

    package init(_ center: CenterNumber, of richPush: RichPushKey) {
        self.richPush = richPush
        self.center = center
    }

    package var bytes: [UInt8] { richPush.bytes + center.bytes }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 4 else { throw .undecodable }
        richPush = try RichPushKey(Array(bytes.dropLast(4)))
        center = try CenterNumber(Array(bytes.suffix(4)))
    }
}

extension KeyPrefix<RichAddresseeKey> {
    package static func richPush(_ key: RichPushKey) -> KeyPrefix { KeyPrefix(key.bytes) }
}

/// Work on pushes to many devices and on rich pushes; the numbers are stored.
package enum PushWorkKind: UInt8, Sendable, CaseIterable {
    /// The next devices are to be pushed to.
    case push = 1
    /// A push that has ended is to be removed.
    case removePush = 2
    case removeRichPush = 3
}

/// The key of work for pushes, by when it is due.
@usableFromInline
package struct PushWorkKey<Instant: IndexedInstant>: InstantKey {
    /// When the work may begin.
    @usableFromInline
    package let instant: Instant
    package let kind: PushWorkKind
    package let number: UInt64
    package let app: String

    package init(_ instant: Instant, _ kind: PushWorkKind, _ number: UInt64, of app: String) {
        self.instant = instant
        self.kind = kind
        self.number = number
        self.app = app
    }

    @usableFromInline
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 17 + app.utf8.count)
        writer.put(instant.nanoseconds)
        writer.put(kind.rawValue)
        writer.put(number)
        writer.put(bytes: app.utf8)
        return writer.bytes
    }

    @usableFromInline
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 17 else { throw .undecodable }
        var reader = ByteReader(bytes)
        instant = Instant(nanoseconds: try reader.number())
        kind = try reader.choice()
        number = try reader.number()
        app = String(decoding: reader.rest, as: UTF8.self)
    }
}
