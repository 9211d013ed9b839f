internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

// Reports of a device's sensors (LOC-1, LOC-3).

extension NotificationService {
    func registerSensors(in router: inout Router) {
        mutation("DeviceService/ReportLocation", in: &router) {
            (
                request: Belfry_V1_ReportLocationRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_ReportLocationResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            guard !request.fixes.isEmpty else {
                throw .invalid("fixes", "needs at least one fix", reason: .locationInvalid)
            }
            try checkCount(request.fixes.count, "fixes")
            var fixes: [LocationFix] = []
            for (index, fix) in request.fixes.enumerated() {
                fixes.append(try LocationFix(fix, "fixes[\(index)]"))
            }
            store.reportLocation(fixes, on: device, once: key) { result in
                reply.finish(result.map { count in .with { $0.firedCount = count } })
            }
        }
        mutation("DeviceService/ReportBeacons", in: &router) {
            (
                request: Belfry_V1_ReportBeaconsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_ReportBeaconsResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            try checkCount(request.sightings.count, "sightings")
            var sightings: [BeaconSighting] = []
            for (index, sighting) in request.sightings.enumerated() {
                sightings.append(try BeaconSighting(sighting, "sightings[\(index)]"))
            }
            store.reportBeacons(sightings, on: device, once: key) { result in
                reply.finish(result.map { count in .with { $0.firedCount = count } })
            }
        }
    }
}

/// Checks the number of fixes or sightings.
private func checkCount(_ count: Int, _ path: String) throws(Refusal) {
    guard count <= Limits.reportsPerCall else { throw RequestLimits.reportTooLong(path) }
}
