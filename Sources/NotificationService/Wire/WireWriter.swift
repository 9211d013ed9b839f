internal import NotificationCore
internal import NotificationProtocol
internal import StandardServices
internal import SwiftProtobuf

/// Writes the fields of a message in protobuf's binary form, each where it will lie.
///
/// A message of SwiftProtobuf counts the bytes of all that is in it once for each message around
/// it, and an event is in five: this writes the messages of which a reply has many. A field of the
/// default value is left out, as protobuf has it.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    /// Begins with room for so many bytes, and with the fields that `write` writes.
    init(capacity: Int = 128, _ write: (inout WireWriter) -> Void = { _ in }) {
        bytes.reserveCapacity(capacity)
        write(&self)
    }

    /// Writes a number, which fields of all integers, enumerations and flags are.
    mutating func put(_ field: Int, _ number: some BinaryInteger) {
        if number != 0 { put(field, present: number) }
    }

    /// Writes a number of a field that says whether it is there: also 0.
    mutating func put(_ field: Int, present number: some BinaryInteger) {
        putTag(field, .varint)
        putVarint(UInt64(truncatingIfNeeded: number))
    }

    mutating func put(_ field: Int, _ flag: Bool) { put(field, flag ? 1 : 0) }

    mutating func put(_ field: Int, _ number: Double) {
        if number.bitPattern != 0 { put(field, present: number) }
    }

    mutating func put(_ field: Int, present number: Double) {
        putTag(field, .fixed64)
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
        }
    }

    mutating func put(_ field: Int, _ text: String) {
        if !text.isEmpty { put(field, present: text) }
    }

    mutating func put(_ field: Int, present text: String) {
        putTag(field, .bytes)
        putVarint(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes options as a packed list.
    mutating func put(_ field: Int, _ options: PresentationOptions) {
        let listed: [Belfry_V1_PresentationOption] = optionList(options.rawValue)
        guard !listed.isEmpty else { return }
        message(field) { list in
            for option in listed { list.putVarint(UInt64(option.rawValue)) }
        }
    }

    /// Writes a message, whose fields `write` writes.
    mutating func message(_ field: Int, _ write: (inout WireWriter) -> Void) {
        putTag(field, .bytes)
        let place = bytes.count
        bytes.append(0)
        write(&self)
        // Its length comes before it, and is known behind it: make room where it is no single byte.
        var length = bytes.count - place - 1
        let moreCount = max(length.bitWidth - length.leadingZeroBitCount - 1, 0) / 7
        if moreCount > 0 { bytes.insert(contentsOf: repeatElement(0, count: moreCount), at: place) }
        for index in place..<place + moreCount {
            bytes[index] = UInt8(truncatingIfNeeded: length) | 0x80
            length >>= 7
        }
        bytes[place + moreCount] = UInt8(length)
    }

    /// Writes a message whose fields were written elsewhere.
    mutating func put(_ field: Int, _ written: WireWriter) {
        message(field) { $0.put(fields: written.bytes) }
    }

    /// Writes a message of SwiftProtobuf.
    mutating func put(_ field: Int, _ message: some Message) {
        self.message(field) { $0.putFields(of: message) }
    }

    /// Writes the fields of a message of SwiftProtobuf beside those that are written already.
    mutating func putFields(of message: some Message) { put(fields: message.encoded()) }

    /// Writes fields that were written elsewhere.
    mutating func put(fields: [UInt8]) { bytes += fields }

    private enum Form: UInt64 {
        case varint = 0
        case fixed64 = 1
        case bytes = 2
    }

    private mutating func putTag(_ field: Int, _ form: Form) {
        putVarint(UInt64(field) << 3 | form.rawValue)
    }

    private mutating func putVarint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

extension WireWriter {
    /// Writes a `Timestamp`.
    mutating func put(_ field: Int, _ instant: WallInstant) {
        let timestamp = Google_Protobuf_Timestamp(instant)
        message(field) { $0.put(timestamp.seconds, timestamp.nanos) }
    }

    /// Writes a `Duration`.
    mutating func put(_ field: Int, nanoseconds: Int64) {
        let duration = Google_Protobuf_Duration(nanoseconds: nanoseconds)
        message(field) { $0.put(duration.seconds, duration.nanos) }
    }

    private mutating func put(_ seconds: Int64, _ nanos: Int32) {
        put(1, seconds)
        put(2, nanos)
    }
}

extension Message {
    /// Makes a message of the fields that `write` writes.
    init(writing write: (inout WireWriter) -> Void) {
        do {
            try self.init(serializedBytes: WireWriter(capacity: 256, write).bytes)
        } catch {
            preconditionFailure("\(Self.protoMessageName) was not written as it is read: \(error)")
        }
    }
}
