package import NotificationCore

extension NotificationRequest {
    /// Makes a request with a title, as tests need it.
    ///
    /// - Parameters:
    ///   - identifier: Its identifier, which is its title too.
    ///   - interval: The interval of its trigger; nil makes it due now.
    ///   - repeats: Whether it fires again.
    ///   - change: What else its content says.
    /// - Returns: The request.
    /// - Throws: A refusal for an interval that no trigger has.
    package static func titled(
        _ identifier: String,
        in interval: Duration? = nil,
        repeats: Bool = false,
        _ change: (inout NotificationContent) -> Void = { _ in }
    ) throws(Refusal) -> NotificationRequest {
        var content = NotificationContent()
        content.title = identifier
        change(&content)
        var request = NotificationRequest(identifier: identifier, content: content)
        if let interval {
            let trigger = try TimeIntervalTrigger(
                intervalNanoseconds: interval.nanoseconds,
                repeats: repeats
            )
            request.trigger = .timeInterval(trigger)
        }
        return request
    }
}

extension Duration {
    /// The whole nanoseconds in it.
    package var nanoseconds: Int64 {
        components.seconds * .nanosecondsPerSecond + components.attoseconds / 1_000_000_000
    }
}

extension WallInstant {
    /// 2026-01-01T00:00:00Z, where the manual clock of tests starts.
    package static let newYear = WallInstant(nanoseconds: 1_767_225_600 * .nanosecondsPerSecond)

    package static func + (instant: WallInstant, duration: Duration) -> WallInstant {
        instant.advanced(byNanoseconds: duration.nanoseconds)
    }
}

extension CenterName {
    package static func local(_ app: String) -> CenterName {
        do {
            return try CenterName(app: app, device: "")
        } catch {
            preconditionFailure("\(app) is no app_id: \(error.message)")
        }
    }
}

extension NotificationRequest {
    /// Makes a request with a title that waits for a region.
    package static func titled(
        _ identifier: String,
        at region: Region,
        repeats: Bool = false
    ) throws(Refusal) -> NotificationRequest {
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .location(LocationTrigger(region: region, repeats: repeats))
        return request
    }
}

extension Region {
    package static func circle(
        _ identifier: String,
        _ latitude: Double,
        _ longitude: Double,
        radius: Double,
        onEntry: Bool = true,
        onExit: Bool = true
    ) throws(Refusal) -> Region {
        try Region(
            identifier: identifier,
            notifiesOnEntry: onEntry,
            notifiesOnExit: onExit,
            shape: .circle(
                try CircularRegion(latitude: latitude, longitude: longitude, radiusMeters: radius)
            )
        )
    }

    /// Makes a circle of the identifier "circle".
    package static func circle(
        _ latitude: Double,
        _ longitude: Double,
        radius: Double,
        onEntry: Bool = true,
        onExit: Bool = true
    ) throws(Refusal) -> Region {
        try circle(
            "circle",
            latitude,
            longitude,
            radius: radius,
            onEntry: onEntry,
            onExit: onExit
        )
    }

    /// Makes the reach of beacons.
    package static func beacon(
        _ identifier: String = "beacon",
        uuid: UInt128 = 7,
        major: UInt16? = nil,
        minor: UInt16? = nil,
        onEntry: Bool = true,
        onExit: Bool = true,
        onDisplay: Bool = false
    ) throws(Refusal) -> Region {
        try Region(
            identifier: identifier,
            notifiesOnEntry: onEntry,
            notifiesOnExit: onExit,
            shape: .beacon(
                try BeaconRegion(
                    uuid: uuid,
                    major: major,
                    minor: minor,
                    notifiesOnDisplay: onDisplay
                )
            )
        )
    }
}

extension LocationFix {
    /// Makes a fix at a place that exists.
    package static func at(
        _ latitude: Double,
        _ longitude: Double,
        accuracy: Double = 0,
        time: WallInstant? = nil
    ) -> LocationFix {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("\(latitude), \(longitude) is no place")
        }
        return LocationFix(place: place, accuracyMeters: accuracy, time: time)
    }
}
