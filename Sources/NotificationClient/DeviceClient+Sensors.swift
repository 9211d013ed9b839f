public import NotificationProtocol

extension DeviceClient {
    /// Reports where the device was; requests that wait for borders which it crossed fire.
    ///
    /// - Parameters:
    ///   - fixes: The fixes, 1 to 1,000, in any order; a fix without a time is of now.
    ///   - key: The idempotency key, if any.
    /// - Returns: How many requests fired.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func reportLocation(
        _ fixes: [Belfry_V1_LocationFix],
        key: String = ""
    ) async throws(ClientError) -> UInt64 {
        var request = Belfry_V1_ReportLocationRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.fixes = fixes
        let response: Belfry_V1_ReportLocationResponse = try await call("ReportLocation", request)
        return response.firedCount
    }

    /// Reports which beacons the device sees.
    ///
    /// - Parameters:
    ///   - sightings: The sightings, at most 1,000; an empty array reports that no beacon is seen.
    ///   - key: The idempotency key, if any.
    /// - Returns: How many requests fired.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func reportBeacons(
        _ sightings: [Belfry_V1_BeaconSighting],
        key: String = ""
    ) async throws(ClientError) -> UInt64 {
        var request = Belfry_V1_ReportBeaconsRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.sightings = sightings
        let response: Belfry_V1_ReportBeaconsResponse = try await call("ReportBeacons", request)
        return response.firedCount
    }
}
