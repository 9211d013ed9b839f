package import NotificationCore

/// The state of a device, as the `devices` table keeps it; a device without a row has the default
/// state.
package struct DeviceRecord: TableRow, Equatable {
    package let device: DeviceState
    /// When the schedule of the device's Focus next turns it on or off, which is a row of
    /// `focus_changes`; nil where it never does.
    package let focusChange: WallInstant?

    package init(_ device: DeviceState, focusChange: WallInstant? = nil) {
        self.device = device
        self.focusChange = focusChange
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 64)
        device.write(to: &writer)
        writer.put(focusChange) { $0.put($1.nanoseconds) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        device = try DeviceState(&reader)
        focusChange = try reader.optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// A device's state in its record, and in the reply that is kept for a retry.
extension DeviceState {
    package func write(to writer: inout ByteWriter) {
        writer.put(isLocked)
        writer.put(isDisplayOn)
        writer.put(focus) { writer, focus in focus.write(to: &writer) }
        writer.put(summary.isEnabled)
        writer.putVarint(UInt64(summary.times.count))
        for time in summary.times { writer.put(UInt16(time)) }
        writer.put(sorted: summary.apps)
        writer.put(isMuted)
        writer.put(timeZone)
        writer.put(texts: languages)
        writer.put(locationPermission.rawValue)
        let schedule = focus?.schedule ?? []
        writer.putVarint(UInt64(schedule.count))
        for window in schedule {
            writer.put(UInt16(window.from))
            writer.put(UInt16(window.to))
            writer.putVarint(UInt64(window.weekdays.count))
            for weekday in window.weekdays { writer.put(UInt8(weekday)) }
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        isLocked = try reader.bool()
        isDisplayOn = try reader.bool()
        focus = try reader.optional { reader throws(RowProblem) in try Focus(&reader) }
        summary.isEnabled = try reader.bool()
        for _ in 0..<(try reader.count()) {
            summary.times.append(Int(try reader.number(UInt16.self)))
        }
        summary.apps = Set(try reader.texts())
        isMuted = try reader.bool()
        timeZone = try reader.text()
        languages = try reader.texts()
        locationPermission = try reader.choice()
        for _ in 0..<(try reader.count()) {
            var window = FocusWindow(
                from: Int(try reader.number(UInt16.self)),
                to: Int(try reader.number(UInt16.self))
            )
            for _ in 0..<(try reader.count()) {
                window.weekdays.append(Int(try reader.number(UInt8.self)))
            }
            focus?.schedule.append(window)
        }
    }
}

extension Focus {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(name)
        writer.put(sorted: allowedApps)
        writer.put(texts: allowedPeople)
        writer.put(allowsTimeSensitive)
        writer.putVarint(UInt64(filters.count))
        for (app, filter) in filters.sorted(by: { $0.key < $1.key }) {
            writer.put(app)
            switch filter {
            case .only: writer.put(UInt8(0))
            case .except: writer.put(UInt8(1))
            }
            writer.put(texts: filter.values)
        }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        name = try reader.text()
        allowedApps = Set(try reader.texts())
        allowedPeople = try reader.texts()
        allowsTimeSensitive = try reader.bool()
        for _ in 0..<(try reader.count()) {
            let app = try reader.text()
            switch try reader.number(UInt8.self) {
            case 0: filters[app] = .only(try reader.texts())
            case 1: filters[app] = .except(try reader.texts())
            default: throw .undecodable
            }
        }
    }
}

extension ByteWriter {
    fileprivate mutating func put(texts: [String]) {
        putVarint(UInt64(texts.count))
        for text in texts { put(text) }
    }

    /// Writes a set in a fixed order, so that the same set always has the same bytes.
    ///
    /// Bounded: names of apps, which were validated.
    fileprivate mutating func put(sorted texts: Set<String>) { put(texts: texts.sorted()) }
}

extension ByteReader {
    fileprivate mutating func texts() throws(RowProblem) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try count()) { texts.append(try text()) }
        return texts
    }
}
