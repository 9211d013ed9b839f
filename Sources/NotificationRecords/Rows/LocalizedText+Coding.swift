package import NotificationCore

// A localized text, as records keep it.

extension LocalizedText: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(key)
        arguments.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(key: try reader.text(), arguments: try reader.value())
    }
}
