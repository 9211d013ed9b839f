package import NotificationCore

/// An open question to an extension, as the `extension_questions` table finds it by its app: the
/// question itself is a row of `callbacks`.
package struct ExtensionQuestionRecord: TableRow, Equatable {
    /// The center of the question.
    package var center: CenterNumber
    /// The kind of extension that is asked.
    package var kind: AppExtension.Kind
    /// Which content extension is asked; empty for the service extension, of which an app has one.
    package var name: String

    /// The row of a question of a center.
    package init(center: CenterNumber, kind: AppExtension.Kind, name: String = "") {
        self.center = center
        self.kind = kind
        self.name = name
    }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 16)
        writer.put(center)
        writer.put(kind.rawValue)
        writer.put(name)
        return writer.sealed()
    }

    /// Reads a row.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        center = try reader.serial()
        kind = try reader.choice()
        name = try reader.text()
        guard reader.isAtEnd else { throw .undecodable }
    }
}
