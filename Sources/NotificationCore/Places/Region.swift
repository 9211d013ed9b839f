/// A part of the world with a border that a device can cross (§7.4).
package struct Region: Hashable, Sendable {
    /// A circle on the ground, or the reach of a beacon.
    package enum Shape: Hashable, Sendable {
        case circle(CircularRegion)
        case beacon(BeaconRegion)
    }

    /// The name that the app gave the region, 1-256 UTF-8 bytes.
    package let identifier: String
    /// Whether crossing the border inwards notifies.
    package let notifiesOnEntry: Bool
    /// Whether crossing the border outwards notifies.
    package let notifiesOnExit: Bool
    package let shape: Shape

    /// Makes a region.
    ///
    /// - Throws: A refusal that names the identifier, or that a crossing never notifies (LOC-4).
    package init(
        identifier: String,
        notifiesOnEntry: Bool = true,
        notifiesOnExit: Bool = true,
        shape: Shape
    ) throws(Refusal) {
        guard (1...Limits.identifierBytes).contains(identifier.utf8.count) else {
            throw .invalidRegion(
                [.identifier],
                "a region's identifier is 1-\(Limits.identifierBytes) bytes of UTF-8"
            )
        }
        guard notifiesOnEntry || notifiesOnExit else {
            throw .invalidRegion([.notifyOnEntry], "notifies neither on entry nor on exit")
        }
        self.identifier = identifier
        self.notifiesOnEntry = notifiesOnEntry
        self.notifiesOnExit = notifiesOnExit
        self.shape = shape
    }

    /// Whether crossing the border so notifies.
    package func notifies(on crossing: RegionCrossing) -> Bool {
        crossing == .entry ? notifiesOnEntry : notifiesOnExit
    }

    /// Whether a beacon's region also notifies when the display turns on inside of it.
    package var notifiesOnDisplay: Bool {
        guard case .beacon(let beacon) = shape else { return false }
        return beacon.notifiesOnDisplay
    }
}

/// A circle on the ground.
package struct CircularRegion: Hashable, Sendable {
    package let center: Coordinate
    /// Meters over the ground, more than 0 and at most 1,000 km.
    package let radiusMeters: Double

    /// Makes a circle.
    ///
    /// - Throws: A refusal that names the first number out of its range (LOC-4).
    package init(
        latitude: Double,
        longitude: Double,
        radiusMeters: Double
    ) throws(Refusal) {
        guard (-90...90).contains(latitude) else {
            throw .invalidRegion([.circular, .latitude], "must be -90 to 90 degrees")
        }
        guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
            throw .invalidRegion([.circular, .longitude], "must be -180 to 180 degrees")
        }
        guard radiusMeters > 0, radiusMeters <= Limits.regionRadiusMeters else {
            throw .invalidRegion(
                [.circular, .radiusMeters],
                "must be greater than 0 and at most \(Int(Limits.regionRadiusMeters))"
            )
        }
        self.center = center
        self.radiusMeters = radiusMeters
    }

    /// Whether a point lies within `meters` of the center, over the ground.
    package func reaches(_ point: Coordinate, within meters: Double) -> Bool {
        meters >= 0
            && center.squaredChord(to: point) <= Coordinate.squaredChord(ofMeters: meters)
    }

    /// Whether a point lies in the circle.
    package func contains(_ point: Coordinate) -> Bool { reaches(point, within: radiusMeters) }
}

/// The reach of one beacon or of a family of beacons.
package struct BeaconRegion: Hashable, Sendable {
    /// The UUID of the beacons' family.
    package let uuid: UInt128
    /// The group within the family; nil is any.
    package let major: UInt16?
    /// The beacon within the group; nil is any.
    package let minor: UInt16?
    /// Whether turning the display on inside notifies too.
    package let notifiesOnDisplay: Bool

    /// Checks the numbers of the reach of beacons.
    ///
    /// - Throws: A refusal of a minor number without a major number.
    package init(
        uuid: UInt128,
        major: UInt16? = nil,
        minor: UInt16? = nil,
        notifiesOnDisplay: Bool = false
    ) throws(Refusal) {
        guard minor == nil || major != nil else {
            throw .invalidRegion([.beacon, .minor], "needs a major number")
        }
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.notifiesOnDisplay = notifiesOnDisplay
    }

    /// Whether a sighted beacon is one of the region's (LOC-3).
    package func includes(_ sighting: BeaconSighting) -> Bool {
        uuid == sighting.uuid && major ?? sighting.major == sighting.major
            && minor ?? sighting.minor == sighting.minor
    }
}

extension Refusal {
    fileprivate static func invalidRegion(_ path: FieldPath, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .regionInvalid).within([.location, .region])
    }
}
