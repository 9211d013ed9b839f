internal import NotificationCore
package import NotificationRecords

extension AuthorizationReply: Coded {
    package func write(to writer: inout ByteWriter) {
        settings.write(to: &writer)
        prompt.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        settings = try reader.value()
        prompt = try reader.value()
    }
}

extension AddReply: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        switch state {
        case .pending(let nextFire?):
            writer.put(1 as UInt8)
            nextFire.write(to: &writer)
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

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        identifier = try reader.text()
        switch try reader.number(UInt8.self) {
        case 1: state = .pending(nextFire: try reader.value(WallInstant.self))
        case 2: state = .arriving
        case 3: state = .delivered(try reader.serial())
        case 4: state = .gone
        case 5: state = .pending(nextFire: nil)
        default: throw .undecodable
        }
        evicted = try reader.value()
        number = try reader.serial()
        asOfEvent = try reader.serial()
    }
}

extension SettingsReply: Coded {
    package func write(to writer: inout ByteWriter) {
        settings.write(to: &writer)
        writer.put(lastEvent)
        writer.put(grouping.rawValue)
        writer.put(locationPermission.rawValue)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            settings: try reader.value(),
            lastEvent: try reader.serial(),
            grouping: try reader.choice()
        )
        locationPermission = try reader.choice()
    }
}

extension ClockAdvance: Coded {
    package func write(to writer: inout ByteWriter) {
        now.write(to: &writer)
        writer.put(firedCount)
        writer.put(eventCount)
        writer.put(stop.rawValue)
        writer.putVarint(UInt64(lastEvents.count))
        for (center, event) in lastEvents {
            center.write(to: &writer)
            writer.put(event)
        }
        callback.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        now = try reader.value()
        firedCount = try reader.number()
        eventCount = try reader.number()
        stop = try reader.choice()
        lastEvents = [:]
        for _ in 0..<(try reader.count()) {
            let center: CenterName = try reader.value()
            lastEvents[center] = try reader.serial()
        }
        callback = try reader.value()
    }
}
