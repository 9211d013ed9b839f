package import NotificationCore

/// The unfinished part of a report of a device's sensors that takes more than one batch.
package struct SensorWorkRecord: SealedRow, Equatable {
    /// The unfinished part, by sensor.
    package enum Task: Equatable, Sendable {
        /// Fixes, in the order of their instants, each of which has one.
        case fixes([LocationFix])
        /// Sightings, in the order of their instants, each of which has one.
        case sightings([BeaconSighting])
        case display
    }

    /// The unfinished part; its first fix or sighting may be begun.
    package var task: Task
    /// The number under which the first fix, or the report of sightings, is handled; nil before it
    /// is begun.
    package var number: UInt64?
    /// The number of the report of the same sensor before it.
    package var previous: UInt64 = 0
    /// The place in the table that is walked; empty before the first row.
    package var position: [UInt8] = []
    /// How many requests fired until now.
    package var firedCount: UInt64 = 0

    package init(_ task: Task) { self.task = task }

    package var expectedByteCount: Int { 128 }

    package func write(to writer: inout ByteWriter) {
        switch task {
        case .fixes(let fixes):
            writer.put(UInt8(1))
            fixes.write(to: &writer)
        case .sightings(let sightings):
            writer.put(UInt8(2))
            sightings.write(to: &writer)
        case .display: writer.put(UInt8(3))
        }
        number.write(to: &writer)
        writer.put(previous)
        writer.putVarint(UInt64(position.count))
        writer.put(bytes: position)
        writer.put(firedCount)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number(UInt8.self) {
        case 1: task = .fixes(try reader.value())
        case 2: task = .sightings(try reader.value())
        case 3: task = .display
        default: throw .undecodable
        }
        number = try reader.value()
        previous = try reader.number()
        position = try reader.bytes(try reader.count())
        firedCount = try reader.number()
    }
}

extension LocationFix: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(place.latitude)
        writer.put(place.longitude)
        writer.put(accuracyMeters)
        time.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        let (latitude, longitude) = (try reader.double(), try reader.double())
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            throw .undecodable
        }
        self.init(place: place, accuracyMeters: try reader.double(), time: try reader.value())
    }
}

extension BeaconSighting: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(uuid)
        writer.put(major)
        writer.put(minor)
        time.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            uuid: try reader.number(),
            major: try reader.number(),
            minor: try reader.number(),
            time: try reader.value()
        )
    }
}
