package import NotificationCore

// The keys of what is asked of extensions.

/// The key of an open question to an extension: the questions of an app are in their order.
package struct ExtensionQuestionKey: TableKey {
    package let app: String
    /// The question's number, which no other callback has.
    package let number: CallbackNumber

    package init(_ number: CallbackNumber, of app: String) {
        self.app = app
        self.number = number
    }

    package var bytes: [UInt8] {
        // No name of an app holds a zero byte, so the apps do not mix.
        var writer = ByteWriter(capacity: app.utf8.count + 9)
        writer.put(bytes: app.utf8)
        writer.put(UInt8(0))
        writer.put(number)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 9, bytes[bytes.count - 9] == 0 else { throw .undecodable }
        app = String(decoding: bytes.dropLast(9), as: UTF8.self)
        var reader = ByteReader(bytes, from: bytes.count - 8)
        number = try reader.serial()
    }
}

extension KeyPrefix<ExtensionQuestionKey> {
    package static func app(_ app: String) -> KeyPrefix { KeyPrefix(Array(app.utf8) + [0]) }
}
