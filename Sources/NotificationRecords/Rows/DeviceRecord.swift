package import NotificationCore

/// The state of a device, as the `devices` table keeps it; a device without a row has the default
/// state.
package struct DeviceRecord: SealedRow, Equatable {
    package let device: DeviceState
    /// When the schedule of the device's Focus next turns it on or off, which is a row of
    /// `focus_changes`; nil where it never does.
    package let focusChange: WallInstant?

    package init(_ device: DeviceState, focusChange: WallInstant? = nil) {
        self.device = device
        self.focusChange = focusChange
    }

    package func write(to writer: inout ByteWriter) {
        device.write(to: &writer)
        focusChange.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        device = try reader.value()
        focusChange = try reader.value()
    }
}

/// A device's state in its record, and in the reply that is kept for a retry.
extension DeviceState: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(isLocked)
        writer.put(isDisplayOn)
        focus.write(to: &writer)
        writer.put(summary.isEnabled)
        writer.putVarint(UInt64(summary.times.count))
        for time in summary.times { writer.put(UInt16(time)) }
        // In order: the same set always has the same bytes. Bounded: validated names of apps.
        summary.apps.sorted().write(to: &writer)
        writer.put(isMuted)
        writer.put(timeZone)
        languages.write(to: &writer)
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
        focus = try reader.value()
        summary.isEnabled = try reader.bool()
        for _ in 0..<(try reader.count()) {
            summary.times.append(Int(try reader.number(UInt16.self)))
        }
        summary.apps = Set(try reader.value([String].self))
        isMuted = try reader.bool()
        timeZone = try reader.text()
        languages = try reader.value()
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

extension Focus: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(name)
        allowedApps.sorted().write(to: &writer)
        allowedPeople.write(to: &writer)
        writer.put(allowsTimeSensitive)
        writer.putVarint(UInt64(filters.count))
        for (app, filter) in filters.sorted(by: { $0.key < $1.key }) {
            writer.put(app)
            switch filter {
            case .only: writer.put(UInt8(0))
            case .except: writer.put(UInt8(1))
            }
            filter.values.write(to: &writer)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        name = try reader.text()
        allowedApps = Set(try reader.value([String].self))
        allowedPeople = try reader.value()
        allowsTimeSensitive = try reader.bool()
        for _ in 0..<(try reader.count()) {
            let app = try reader.text()
            switch try reader.number(UInt8.self) {
            case 0: filters[app] = .only(try reader.value())
            case 1: filters[app] = .except(try reader.value())
            default: throw .undecodable
            }
        }
    }
}
