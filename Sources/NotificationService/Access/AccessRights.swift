internal import NotificationCore

/// The rights of a caller (W-11).
package struct AccessRights: Sendable, Hashable {
    /// The caller's roles, each for some apps or devices, or for all.
    package let grants: [AccessGrant]

    package init(_ grants: [AccessGrant]) { self.grants = grants }

    /// Whether the caller may make every call.
    var isAdmin: Bool { has(.admin) }

    /// Whether the caller has a role, for whichever app or device.
    func has(_ role: CallerRole) -> Bool { grants.contains { $0.role == role } }

    /// Whether the caller has a role for every app and device.
    func hasEverywhere(_ role: CallerRole) -> Bool {
        grants.contains { $0.role == role && $0.names == nil }
    }

    /// Whether the caller has a role for an app, or for a device.
    func has(_ role: CallerRole, for name: String) -> Bool {
        grants.contains { $0.role == role && $0.names?.matches(name) != false }
    }
}
