package import NotificationCore

package struct ExtensionQuestionRecord: SealedRow, Equatable {
    package var center: CenterNumber
    package var kind: AppExtension.Kind
    /// Which content extension is asked; empty for the service extension, of which an app has one.
    package var name: String

    package init(center: CenterNumber, kind: AppExtension.Kind, name: String = "") {
        self.center = center
        self.kind = kind
        self.name = name
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(center)
        writer.put(kind.rawValue)
        writer.put(name)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        center = try reader.serial()
        kind = try reader.choice()
        name = try reader.text()
    }
}
