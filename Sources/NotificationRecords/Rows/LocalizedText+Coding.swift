package import NotificationCore

// A localized text, as records keep it.

extension LocalizedText {
    package func write(to writer: inout ByteWriter) {
        writer.put(key)
        writer.putVarint(UInt64(arguments.count))
        for argument in arguments { writer.put(argument) }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(key: try reader.text())
        for _ in 0..<(try reader.count()) { arguments.append(try reader.text()) }
    }
}

extension ByteReader {
    /// Reads a localized text, or nil where there is none.
    package mutating func localizedText() throws(RowProblem) -> LocalizedText? {
        try optional { reader throws(RowProblem) in try LocalizedText(&reader) }
    }
}
