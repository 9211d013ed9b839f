package import NotificationCore

// The keys of what is watched at places and by sensors.

/// Where a device finds a region when it reports.
package enum RegionPlace: Hashable, Sendable {
    case cell(RegionCell)
    /// The UUID of a beacon's family.
    case family(UInt128)

    /// The first byte of the family of a beacon: no level of the grid has this number.
    private static let familyMark: UInt8 = 0xFF

    package init(_ shape: Region.Shape) {
        switch shape {
        case .circle(let circle): self = .cell(RegionGrid.cell(of: circle))
        case .beacon(let beacon): self = .family(beacon.uuid)
        }
    }

    /// The sensor that reports about the place.
    package var sensor: RegionSensor {
        switch self {
        case .cell: .location
        case .family: .beacons
        }
    }

    /// Writes the value into a key or a row.
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .cell(let cell):
            writer.put(cell.level)
            writer.put(cell.band)
            writer.put(cell.column)
        case .family(let uuid):
            writer.put(Self.familyMark)
            writer.put(uuid)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        let level: UInt8 = try reader.number()
        if level == Self.familyMark {
            self = .family(try reader.number())
        } else {
            guard RegionGrid.levels.contains(level) else { throw .undecodable }
            self = .cell(
                RegionCell(level: level, band: try reader.number(), column: try reader.number())
            )
        }
    }
}

/// A kind of report about regions; the numbers are stored.
package enum RegionSensor: UInt8, Hashable, Sendable, CaseIterable {
    case location = 0
    /// The beacons that the device sees.
    case beacons = 1
}

/// The key of a watched region: a device's regions by their places, then by their requests.
package struct RegionKey: TableKey, Hashable {
    package let device: String
    package let place: RegionPlace
    package let request: RequestNumber

    package init(_ request: RequestNumber, at place: RegionPlace, on device: String) {
        self.device = device
        self.place = place
        self.request = request
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: device.utf8.count + 26)
        writer.put(bytes: device.utf8)
        writer.put(UInt8(0))
        place.write(to: &writer)
        writer.put(request)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        // No name of a device holds a zero byte.
        guard let end = bytes.firstIndex(of: 0), end > 0 else { throw .undecodable }
        device = String(decoding: bytes[..<end], as: UTF8.self)
        var reader = ByteReader(bytes, from: end + 1)
        place = try RegionPlace(&reader)
        request = try reader.serial()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension KeyPrefix<RegionKey> {
    /// The keys of a device's circles of a level, or of the levels from this one on when used as a
    /// start.
    package static func level(_ level: UInt8, on device: String) -> KeyPrefix {
        KeyPrefix(Array(device.utf8) + [0, level])
    }

    package static func band(_ cells: RegionCells, on device: String) -> KeyPrefix {
        var writer = ByteWriter(capacity: device.utf8.count + 6)
        writer.put(bytes: level(cells.level, on: device).bytes)
        writer.put(cells.band)
        return KeyPrefix(writer.bytes)
    }

    /// The keys of a device's regions of a family of beacons.
    package static func family(_ uuid: UInt128, on device: String) -> KeyPrefix {
        var writer = ByteWriter(capacity: device.utf8.count + 18)
        writer.put(bytes: device.utf8)
        writer.put(UInt8(0))
        RegionPlace.family(uuid).write(to: &writer)
        return KeyPrefix(writer.bytes)
    }
}

package struct RegionStateKey: TableKey, Hashable {
    package let device: String
    /// The sensor that reports about the region.
    package let sensor: RegionSensor
    package let request: RequestNumber

    package init(_ request: RequestNumber, of sensor: RegionSensor, on device: String) {
        self.device = device
        self.sensor = sensor
        self.request = request
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: device.utf8.count + 10)
        writer.put(bytes: device.utf8)
        writer.put(UInt8(0))
        writer.put(sensor.rawValue)
        writer.put(request)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 10, bytes[bytes.count - 10] == 0 else { throw .undecodable }
        device = String(decoding: bytes.dropLast(10), as: UTF8.self)
        var reader = ByteReader(bytes, from: bytes.count - 9)
        sensor = try reader.choice()
        request = try reader.serial()
    }
}

extension KeyPrefix<RegionStateKey> {
    package static func sensor(_ sensor: RegionSensor, on device: String) -> KeyPrefix {
        KeyPrefix(Array(device.utf8) + [0, sensor.rawValue])
    }
}

/// The key by which the regions of an identifier are found.
package struct RegionNameKey: CenterOwnedKey {
    package let center: CenterNumber
    package let identifier: String
    package let request: RequestNumber

    package init(_ identifier: String, of center: CenterNumber, _ request: RequestNumber) {
        self.center = center
        self.identifier = identifier
        self.request = request
    }

    /// The key as it is in the file: the length first, so that no identifier begins another one.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: identifier.utf8.count + 14)
        writer.put(bytes: KeyPrefix.identifier(identifier, of: center).bytes)
        writer.put(request)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count > 14 else { throw .undecodable }
        var reader = ByteReader(bytes)
        center = try reader.serial()
        guard Int(try reader.number(UInt16.self)) == bytes.count - 14 else { throw .undecodable }
        identifier = String(decoding: bytes.dropFirst(6).dropLast(8), as: UTF8.self)
        reader = ByteReader(bytes, from: bytes.count - 8)
        request = try reader.serial()
    }
}

extension KeyPrefix<RegionNameKey> {
    package static func identifier(_ text: String, of center: CenterNumber) -> KeyPrefix {
        var writer = ByteWriter(capacity: text.utf8.count + 6)
        writer.put(center)
        writer.put(UInt16(truncatingIfNeeded: text.utf8.count))
        writer.put(bytes: text.utf8)
        return KeyPrefix(writer.bytes)
    }
}

/// The key of a report that is not handled to its end: a device's reports are handled in their
/// order.
package typealias SensorWorkKey = UnlockWaitKey
