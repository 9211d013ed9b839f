package import NotificationCore

/// The unfinished part of a report of a device's sensors that takes more than one batch.
package struct SensorWorkRecord: TableRow, Equatable {
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

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 128)
        switch task {
        case .fixes(let fixes):
            writer.put(UInt8(1))
            writer.putVarint(UInt64(fixes.count))
            for fix in fixes { fix.write(to: &writer) }
        case .sightings(let sightings):
            writer.put(UInt8(2))
            writer.putVarint(UInt64(sightings.count))
            for sighting in sightings { sighting.write(to: &writer) }
        case .display: writer.put(UInt8(3))
        }
        writer.put(number) { $0.put($1) }
        writer.put(previous)
        writer.putVarint(UInt64(position.count))
        writer.put(bytes: position)
        writer.put(firedCount)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        switch try reader.number(UInt8.self) {
        case 1:
            var fixes: [LocationFix] = []
            for _ in 0..<(try reader.count()) { fixes.append(try LocationFix(&reader)) }
            task = .fixes(fixes)
        case 2:
            var sightings: [BeaconSighting] = []
            for _ in 0..<(try reader.count()) { sightings.append(try BeaconSighting(&reader)) }
            task = .sightings(sightings)
        case 3: task = .display
        default: throw .undecodable
        }
        number = try reader.optional { reader throws(RowProblem) in try reader.number() }
        previous = try reader.number()
        position = try reader.bytes(try reader.count())
        firedCount = try reader.number()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension LocationFix {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(place.latitude)
        writer.put(place.longitude)
        writer.put(accuracyMeters)
        writer.put(time) { $0.put($1.nanoseconds) }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        let (latitude, longitude) = (try reader.double(), try reader.double())
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            throw .undecodable
        }
        self.init(place: place, accuracyMeters: try reader.double(), time: try reader.time())
    }
}

extension BeaconSighting {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(uuid)
        writer.put(major)
        writer.put(minor)
        writer.put(time) { $0.put($1.nanoseconds) }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            uuid: try reader.number(),
            major: try reader.number(),
            minor: try reader.number(),
            time: try reader.time()
        )
    }
}

extension ByteReader {
    fileprivate mutating func time() throws(RowProblem) -> WallInstant? {
        try optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
    }
}
