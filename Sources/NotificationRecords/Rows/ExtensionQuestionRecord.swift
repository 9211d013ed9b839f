package import NotificationCore

package struct ExtensionQuestionRecord: TableRow, Equatable {
    package var center: CenterNumber
    package var kind: AppExtension.Kind
    /// Which content extension is asked; empty for the service extension, of which an app has one.
    package var name: String

    package init(center: CenterNumber, kind: AppExtension.Kind, name: String = "") {
        self.center = center
        self.kind = kind
        self.name = name
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 16)
        writer.put(center)
        writer.put(kind.rawValue)
        writer.put(name)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        center = try reader.serial()
        kind = try reader.choice()
        name = try reader.text()
        guard reader.isAtEnd else { throw .undecodable }
    }
}
