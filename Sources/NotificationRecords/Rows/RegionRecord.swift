package import NotificationCore

/// A region that a pending request waits for, with the facts that a report needs.
package struct RegionRecord: SealedRow, Equatable {
    package let center: CenterNumber
    package let region: Region
    package let addedAt: ElapsedInstant

    package init(center: CenterNumber, region: Region, addedAt: ElapsedInstant) {
        self.center = center
        self.region = region
        self.addedAt = addedAt
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(center)
        addedAt.write(to: &writer)
        region.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        center = try reader.serial()
        addedAt = try reader.value()
        region = try reader.value()
    }
}

/// A region in the row of a request and in its own row.
extension Region: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        writer.put(notifiesOnEntry)
        writer.put(notifiesOnExit)
        switch shape {
        case .circle(let circle):
            writer.put(UInt8(1))
            writer.put(circle.center.latitude)
            writer.put(circle.center.longitude)
            writer.put(circle.radiusMeters)
        case .beacon(let beacon):
            writer.put(UInt8(2))
            writer.put(beacon.uuid)
            beacon.major.write(to: &writer)
            beacon.minor.write(to: &writer)
            writer.put(beacon.notifiesOnDisplay)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        let identifier = try reader.text()
        let (onEntry, onExit) = (try reader.bool(), try reader.bool())
        let shape = try Self.shape(&reader)
        guard
            let value = try? Self(
                identifier: identifier,
                notifiesOnEntry: onEntry,
                notifiesOnExit: onExit,
                shape: shape
            )
        else { throw .undecodable }
        self = value
    }

    private static func shape(_ reader: inout ByteReader) throws(RowProblem) -> Shape {
        let isCircle: Bool
        switch try reader.number(UInt8.self) {
        case 1: isCircle = true
        case 2: isCircle = false
        default: throw .undecodable
        }
        if isCircle {
            let numbers = (try reader.double(), try reader.double(), try reader.double())
            guard
                let circle = try? CircularRegion(
                    latitude: numbers.0,
                    longitude: numbers.1,
                    radiusMeters: numbers.2
                )
            else { throw .undecodable }
            return .circle(circle)
        }
        let uuid: UInt128 = try reader.number()
        let major: UInt16? = try reader.value()
        let minor: UInt16? = try reader.value()
        let notifiesOnDisplay = try reader.bool()
        guard
            let beacon = try? BeaconRegion(
                uuid: uuid,
                major: major,
                minor: minor,
                notifiesOnDisplay: notifiesOnDisplay
            )
        else { throw .undecodable }
        return .beacon(beacon)
    }
}

/// The state of a region that a device is inside of, or may change soon.
///
/// Other regions have no row: a device is outside of them, or their state is unknown.
package struct RegionStateRecord: SealedRow, Equatable {
    package var state: RegionState
    /// The number of the report that set the state: what began to be watched later is unknown.
    package var number: UInt64
    /// Where the region's own row is.
    package var place: RegionPlace

    package init(_ state: RegionState, number: UInt64, place: RegionPlace) {
        self.state = state
        self.number = number
        self.place = place
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(state.isInside)
        state.changesAt.write(to: &writer)
        writer.put(number)
        place.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        state = RegionState(isInside: try reader.bool(), changesAt: try reader.value())
        number = try reader.number()
        place = try RegionPlace(&reader)
    }
}

/// The person's decision about an app and the location; an app without a row has the device's
/// permission.
package struct LocationAccessRecord: SealedRow, Equatable {
    /// The app's own permission.
    package var permission = LocationPermission.notDetermined
    /// When the app was last allowed to know the location, after it was not.
    package var since: WatchStart?

    package init() {}

    package func write(to writer: inout ByteWriter) {
        writer.put(permission.rawValue)
        since.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        permission = try reader.choice()
        since = try reader.value()
    }
}

extension WatchStart: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(number)
        instant.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(number: try reader.number(), instant: try reader.value())
    }
}

/// The newest reports of a device's sensors that were handled.
package struct SensorsRecord: SealedRow, Equatable {
    /// The newest report of a sensor that was handled.
    package struct Report: Equatable, Sendable {
        /// Its number; 0 is none.
        package var number: UInt64 = 0
        /// Its instant: older reports are ignored.
        package var time = WallInstant(nanoseconds: .min)
    }

    package var location = Report()
    package var beacons = Report()
    /// When apps were last allowed to know the location by the device's own permission.
    package var allowedSince: WatchStart?
    /// The number of the newest call that was handled to its end.
    package var finished: UInt64 = 0
    package var firedCount: UInt64 = 0

    package init() {}

    package func write(to writer: inout ByteWriter) {
        for report in [location, beacons] {
            writer.put(report.number)
            report.time.write(to: &writer)
        }
        allowedSince.write(to: &writer)
        writer.put(finished)
        writer.put(firedCount)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        location = try Report(&reader)
        beacons = try Report(&reader)
        allowedSince = try reader.value()
        finished = try reader.number()
        firedCount = try reader.number()
    }
}

extension SensorsRecord.Report {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        number = try reader.number()
        time = try reader.value()
    }
}
