internal import NotificationCore
internal import NotificationRecords

protocol StoredReply: Sendable {
    func write(to writer: inout ByteWriter)
    init(_ reader: inout ByteReader) throws(RowProblem)
}

extension Int: StoredReply {
    func write(to writer: inout ByteWriter) { writer.put(self) }
    init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.number() }
}

extension UInt64: StoredReply {
    func write(to writer: inout ByteWriter) { writer.put(self) }
    init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.number() }
}

extension SerialNumber {
    func write(to writer: inout ByteWriter) { writer.put(self) }
    init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.serial() }
}

extension EventNumber: StoredReply {}
extension CallbackNumber: StoredReply {}

extension Int32: StoredReply {
    func write(to writer: inout ByteWriter) { writer.put(self) }
    init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.number() }
}

extension String: StoredReply {
    func write(to writer: inout ByteWriter) { writer.put(self) }
    init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.text() }
}

extension Array: StoredReply where Element: StoredReply {
    func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(count))
        for element in self { element.write(to: &writer) }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        self = []
        for _ in 0..<(try reader.count()) { append(try Element(&reader)) }
    }
}

extension Result: StoredReply where Success: StoredReply, Failure == Refusal {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .success(let success):
            writer.put(true)
            success.write(to: &writer)
        case .failure(let refusal):
            writer.put(false)
            refusal.write(to: &writer)
        }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        self =
            try reader.bool()
            ? .success(try Success(&reader)) : .failure(try Refusal(&reader))
    }
}

// Settings and devices are written in rows too, in the same form.
extension NotificationSettings: StoredReply {}
extension DeviceState: StoredReply {}

extension AuthorizationReply: StoredReply {
    func write(to writer: inout ByteWriter) {
        settings.write(to: &writer)
        writer.put(prompt) { $0.put($1) }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        settings = try NotificationSettings(&reader)
        prompt = try reader.optional { reader throws(RowProblem) in try reader.serial() }
    }
}

extension AddReply: StoredReply {
    func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        switch state {
        case .pending(let nextFire?):
            writer.put(1 as UInt8)
            writer.put(nextFire.nanoseconds)
        case .pending(nil):
            writer.put(5 as UInt8)
        case .arriving:
            writer.put(2 as UInt8)
        case .delivered(let delivery):
            writer.put(3 as UInt8)
            writer.put(delivery)
        case .gone:
            writer.put(4 as UInt8)
        }
        evicted.write(to: &writer)
        writer.put(self.number)
        writer.put(asOfEvent)
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        identifier = try reader.text()
        switch try reader.number(UInt8.self) {
        case 1: state = .pending(nextFire: WallInstant(nanoseconds: try reader.number()))
        case 2: state = .arriving
        case 3: state = .delivered(try reader.serial())
        case 4: state = .gone
        case 5: state = .pending(nextFire: nil)
        default: throw .undecodable
        }
        evicted = try [String](&reader)
        number = try reader.serial()
        asOfEvent = try reader.serial()
    }
}

extension WallInstant: StoredReply {
    func write(to writer: inout ByteWriter) { writer.put(nanoseconds) }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(nanoseconds: try reader.number())
    }
}

extension SettingsReply: StoredReply {
    func write(to writer: inout ByteWriter) {
        settings.write(to: &writer)
        writer.put(lastEvent)
        writer.put(grouping.rawValue)
        writer.put(locationPermission.rawValue)
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            settings: try NotificationSettings(&reader),
            lastEvent: try reader.serial(),
            grouping: try reader.choice()
        )
        locationPermission = try reader.choice()
    }
}

extension Now: StoredReply {
    func write(to writer: inout ByteWriter) {
        writer.put(elapsed.nanoseconds)
        writer.put(wall.nanoseconds)
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            elapsed: ElapsedInstant(nanoseconds: try reader.number()),
            wall: WallInstant(nanoseconds: try reader.number())
        )
    }
}

extension ClockAdvance: StoredReply {
    func write(to writer: inout ByteWriter) {
        now.write(to: &writer)
        writer.put(firedCount)
        writer.put(eventCount)
        writer.put(stop.rawValue)
        writer.putVarint(UInt64(lastEvents.count))
        for (center, event) in lastEvents {
            writer.put(center.app)
            writer.put(center.device)
            writer.put(event)
        }
        writer.put(callback) { $0.put($1) }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        now = try Now(&reader)
        firedCount = try reader.number()
        eventCount = try reader.number()
        stop = try reader.choice()
        lastEvents = [:]
        for _ in 0..<(try reader.count()) {
            let center = try reader.centerName()
            lastEvents[center] = try reader.serial()
        }
        callback = try reader.optional { reader throws(RowProblem) in try reader.serial() }
    }
}
