internal import BelfryLMDB
internal import NotificationCore

// A localized text, as records keep it.

extension LocalizedText {
    func write(to writer: inout ByteWriter) {
        writer.put(key)
        writer.putVarint(UInt64(arguments.count))
        for argument in arguments { writer.put(argument) }
    }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        self.init(key: try reader.text())
        for _ in 0..<(try reader.count()) { arguments.append(try reader.text()) }
    }
}

extension ByteReader {
    /// Reads a localized text, or nil where there is none.
    mutating func localizedText() throws(LMDBError) -> LocalizedText? {
        try optional { reader throws(LMDBError) in try LocalizedText(&reader) }
    }
}
