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

    /// Gives the instant `duration` later.
    package static func + (instant: WallInstant, duration: Duration) -> WallInstant {
        instant.advanced(byNanoseconds: duration.nanoseconds)
    }
}

extension CenterName {
    /// Makes the name of the center of `app` on the local device.
    package static func local(_ app: String) -> CenterName {
        do {
            return try CenterName(app: app, device: "")
        } catch {
            preconditionFailure("\(app) is no app_id: \(error.message)")
        }
    }
}
