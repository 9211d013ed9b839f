package import NotificationCore

/// A value that has one form in rows and in the replies that are kept for retries.
package protocol Coded: Sendable {
    func write(to writer: inout ByteWriter)
    init(_ reader: inout ByteReader) throws(RowProblem)
}

extension ByteReader {
    /// Reads a value of the type that is wanted, which may be an optional or an array.
    package mutating func value<Value: Coded>(
        _: Value.Type = Value.self
    ) throws(RowProblem) -> Value {
        try Value(&self)
    }
}

extension FixedWidthInteger {
    package func write(to writer: inout ByteWriter) { writer.put(self) }
    package init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.number() }
}

extension Int: Coded {}
extension Int32: Coded {}
extension Int64: Coded {}
extension UInt16: Coded {}
extension UInt64: Coded {}

extension SerialNumber {
    package func write(to writer: inout ByteWriter) { writer.put(self) }
    package init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.serial() }
}

extension RequestNumber: Coded {}
extension DeliveryNumber: Coded {}
extension EventNumber: Coded {}
extension CallbackNumber: Coded {}
extension PromptNumber: Coded {}
extension TagPushNumber: Coded {}
extension RichPushNumber: Coded {}

extension String: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(self) }
    package init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.text() }
}

extension Optional: Coded where Wrapped: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(self) { $1.write(to: &$0) } }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self = try reader.bool() ? try Wrapped(&reader) : nil
    }
}

extension Array: Coded where Element: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(count))
        for element in self { element.write(to: &writer) }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self = []
        for _ in 0..<(try reader.count()) { append(try Element(&reader)) }
    }
}

extension WallInstant: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(nanoseconds) }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(nanoseconds: try reader.number())
    }
}

extension ElapsedInstant: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(nanoseconds) }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(nanoseconds: try reader.number())
    }
}

extension Now: Coded {
    package func write(to writer: inout ByteWriter) {
        elapsed.write(to: &writer)
        wall.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(elapsed: try reader.value(), wall: try reader.value())
    }
}
