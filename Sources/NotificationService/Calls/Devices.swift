internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerDevices(in router: inout Router) {
        reading("DeviceService/GetDeviceState", in: &router) {
            (
                request: Belfry_V1_GetDeviceStateRequest,
                reply: Reply<Belfry_V1_GetDeviceStateResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let state = try store.deviceState(of: device)
            let focus = store.focuses.active(on: state)
            reply.finish(.success(.with { $0.state = .init(state, of: device, focus) }))
        }
        mutation("DeviceService/UpdateDeviceState", in: &router) {
            (
                request: Belfry_V1_UpdateDeviceStateRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_UpdateDeviceStateResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let change = try DeviceChange(request.state, request.updateMask)
            let focuses = store.focuses
            store.updateDeviceState(of: device, once: key, { change.apply(to: &$0) }) { result in
                reply.finish(
                    result.map { state in
                        .with { $0.state = .init(state, of: device, focuses.active(on: state)) }
                    }.mapError { $0.ofPart("state") }
                )
            }
        }
    }
}

extension CenterName {
    /// The device that a request names; empty means the local one.
    static func deviceName(_ wire: String) throws(Refusal) -> String {
        do {
            // Check the device by the rules of a center, which are the same.
            return try CenterName(app: "a", device: wire).device
        } catch {
            throw .invalid(
                "device_id",
                error.fields.first?.problem ?? "is no device",
                reason: error.reason
            )
        }
    }
}

/// A change of a device's state: the fields that a mask names, with their new values.
struct DeviceChange: Sendable {
    private let values: DeviceState
    /// The paths of the changed fields, each path once, in the order of ``known``.
    private let paths: [String]

    /// The paths that a mask may name.
    private static let known = [
        "locked", "display_off", "muted", "time_zone", "languages", "focus", "focus.name",
        "focus.allowed_apps", "focus.allowed_people", "focus.allow_time_sensitive",
        "focus.filters", "focus.schedule", "summary", "summary.enabled", "summary.times",
        "summary.apps", "location_permission",
    ]

    init(
        _ wire: Belfry_V1_DeviceState,
        _ mask: Google_Protobuf_FieldMask
    ) throws(Refusal) {
        guard !mask.paths.isEmpty else {
            throw .invalid("update_mask", "name what changes", reason: .updateMaskEmpty)
        }
        try SettingsChange.checkPathCount(mask.paths)
        for (index, path) in mask.paths.enumerated() where !Self.known.containsExactly(path) {
            let field = "update_mask.paths[\(index)]"
            throw .invalid(
                field,
                "is no field of DeviceState that can be changed",
                reason: .updateMaskInvalid
            )
        }
        paths = Self.known.filter(mask.paths.containsExactly)
        values = try DeviceState(wire, named: paths)
    }

    func apply(to state: inout DeviceState) {
        for path in paths {
            switch path {
            case "locked": state.isLocked = values.isLocked
            case "display_off": state.isDisplayOn = values.isDisplayOn
            case "muted": state.isMuted = values.isMuted
            case "time_zone": state.timeZone = values.timeZone
            case "languages": state.languages = values.languages
            case "focus": state.focus = values.focus
            case "summary": state.summary = values.summary
            case "summary.enabled": state.summary.isEnabled = values.summary.isEnabled
            case "summary.times": state.summary.times = values.summary.times
            case "summary.apps": state.summary.apps = values.summary.apps
            case "location_permission": state.locationPermission = values.locationPermission
            default: applyToFocus(path, &state)
            }
        }
    }

    /// Applies one field of the Focus; a change of a field turns a Focus on when no Focus is on.
    private func applyToFocus(_ path: String, _ state: inout DeviceState) {
        var focus = state.focus ?? Focus()
        let new = values.focus ?? Focus()
        switch path {
        case "focus.name": focus.name = new.name
        case "focus.allowed_apps": focus.allowedApps = new.allowedApps
        case "focus.allowed_people": focus.allowedPeople = new.allowedPeople
        case "focus.allow_time_sensitive": focus.allowsTimeSensitive = new.allowsTimeSensitive
        case "focus.filters": focus.filters = new.filters
        case "focus.schedule": focus.schedule = new.schedule
        default: preconditionFailure("a path was let in that nothing changes")
        }
        state.focus = focus
    }
}
