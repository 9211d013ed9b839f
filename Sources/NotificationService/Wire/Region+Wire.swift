internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension Region {
    /// Reads the region of a location trigger; the paths of refusals are relative to the trigger.
    init(_ wire: Belfry_V1_Region) throws(Refusal) {
        try self.init(
            identifier: wire.identifier,
            notifiesOnEntry: wire.hasNotifyOnEntry ? wire.notifyOnEntry : true,
            notifiesOnExit: wire.hasNotifyOnExit ? wire.notifyOnExit : true,
            shape: try Self.shape(wire)
        )
    }

    private static func shape(_ wire: Belfry_V1_Region) throws(Refusal) -> Shape {
        switch wire.shape {
        case .circular(let circle):
            .circle(
                try CircularRegion(
                    latitude: circle.latitude,
                    longitude: circle.longitude,
                    radiusMeters: circle.radiusMeters
                )
            )
        case .beacon(let beacon): .beacon(try BeaconRegion(beacon))
        case nil:
            throw .invalid(
                "location.region",
                "must be a circle or the reach of a beacon",
                reason: .regionInvalid
            )
        }
    }
}

extension BeaconRegion {
    fileprivate init(_ wire: Belfry_V1_BeaconRegion) throws(Refusal) {
        let path = "location.region.beacon"
        func number(_ wire: UInt32, _ field: String) throws(Refusal) -> UInt16 {
            try UInt16(wire, "\(path).\(field)", reason: .regionInvalid)
        }
        try self.init(
            uuid: try UInt128(uuid: wire.uuid, "\(path).uuid", reason: .regionInvalid),
            major: wire.hasMajor ? try number(wire.major, "major") : nil,
            minor: wire.hasMinor ? try number(wire.minor, "minor") : nil,
            notifiesOnDisplay: wire.notifyEntryStateOnDisplay
        )
    }
}

extension LocationFix {
    init(_ wire: Belfry_V1_LocationFix, _ path: String) throws(Refusal) {
        func invalid(_ field: String, _ problem: String) -> Refusal {
            .invalid("\(path).\(field)", problem, reason: .locationInvalid)
        }
        guard (-90...90).contains(wire.latitude) else {
            throw invalid("latitude", "must be -90 to 90 degrees")
        }
        guard let place = Coordinate(latitude: wire.latitude, longitude: wire.longitude) else {
            throw invalid("longitude", "must be -180 to 180 degrees")
        }
        guard wire.accuracyMeters >= 0, wire.accuracyMeters.isFinite else {
            throw invalid("accuracy_meters", "must be a number of meters, at least 0")
        }
        self.init(
            place: place,
            accuracyMeters: wire.accuracyMeters,
            time: wire.hasTime
                ? try WallInstant(wire.time, "\(path).time", reason: .locationInvalid) : nil
        )
    }
}

extension BeaconSighting {
    init(_ wire: Belfry_V1_BeaconSighting, _ path: String) throws(Refusal) {
        let _: BeaconProximity = try choice(wire.proximity, "\(path).proximity")
        self.init(
            uuid: try UInt128(uuid: wire.uuid, "\(path).uuid", reason: .beaconInvalid),
            major: try UInt16(wire.major, "\(path).major", reason: .beaconInvalid),
            minor: try UInt16(wire.minor, "\(path).minor", reason: .beaconInvalid),
            time: wire.hasTime
                ? try WallInstant(wire.time, "\(path).time", reason: .beaconInvalid) : nil
        )
    }
}

/// The distances to a beacon that the contract knows; only the number is checked.
private enum BeaconProximity: UInt8 {
    case unknown, immediate, near, far
}

extension UInt16 {
    /// Reads a beacon's number.
    fileprivate init(_ wire: UInt32, _ path: String, reason: Reason) throws(Refusal) {
        guard let number = UInt16(exactly: wire) else {
            throw .invalid(path, "must be 0-65535", reason: reason)
        }
        self = number
    }
}

extension UInt128 {
    /// Reads the UUID of a beacon's family.
    fileprivate init(uuid wire: String, _ path: String, reason: Reason) throws(Refusal) {
        guard let bytes = UUIDForm.bytes(of: wire) else {
            throw .invalid(
                path,
                "must be a UUID, such as e2c56db5-dffb-48d2-b060-d0f5a71096e0",
                reason: reason
            )
        }
        self = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    fileprivate var uuidText: String {
        UUIDForm.text((0..<16).map { UInt8(truncatingIfNeeded: self >> (120 - 8 * $0)) })
    }
}

extension Belfry_V1_Region {
    init(_ region: Region) {
        self.init()
        identifier = region.identifier
        notifyOnEntry = region.notifiesOnEntry
        notifyOnExit = region.notifiesOnExit
        switch region.shape {
        case .circle(let circle):
            circular.latitude = circle.center.latitude
            circular.longitude = circle.center.longitude
            circular.radiusMeters = circle.radiusMeters
        case .beacon(let reach):
            beacon.uuid = reach.uuid.uuidText
            if let major = reach.major { beacon.major = UInt32(major) }
            if let minor = reach.minor { beacon.minor = UInt32(minor) }
            beacon.notifyEntryStateOnDisplay = reach.notifiesOnDisplay
        }
    }
}

extension Belfry_V1_LocationPermission {
    init(_ permission: LocationPermission) {
        switch permission {
        case .notDetermined: self = .notDetermined
        case .restricted: self = .restricted
        case .denied: self = .denied
        case .authorizedAlways: self = .authorizedAlways
        case .authorizedWhenInUse: self = .authorizedWhenInUse
        }
    }
}
