/// Fires when the device crosses the border of a region, once or at every crossing (§7.4).
package struct LocationTrigger: Hashable, Sendable {
    package let region: Region
    /// Whether every crossing fires; if not, the first crossing that notifies ends the request.
    package let repeats: Bool

    package init(region: Region, repeats: Bool) {
        self.region = region
        self.repeats = repeats
    }
}

/// An app's access to the location (LOC-5).
///
/// The numbers are Apple's, the wire's, and stored.
package enum LocationPermission: UInt8, Hashable, Sendable, CaseIterable {
    /// Nobody has decided; of an app, the device's permission counts.
    case notDetermined = 0
    /// The person cannot decide.
    case restricted = 1
    case denied = 2
    /// The location at any time.
    case authorizedAlways = 3
    /// The location while the app is used: the system watches a trigger's region, so this is
    /// enough.
    case authorizedWhenInUse = 4

    /// Whether location triggers may be added and fire.
    package var allowsTriggers: Bool { self == .authorizedAlways || self == .authorizedWhenInUse }

    /// The permission of an app on a device: its own, unless nobody decided about the app.
    package func effective(on device: LocationPermission) -> LocationPermission {
        self == .notDetermined ? device : self
    }
}

extension Refusal {
    /// Refuses a location trigger of an app that may not know the location (LOC-5).
    package static let locationNotAuthorized = Refusal(
        .failedPrecondition,
        reason: .locationNotAuthorized,
        message: """
            the app may not know where the device is: the person has to allow it, for the app or \
            for the device
            """,
        fields: [WrongField([.trigger, .location], "the app may not know the location")]
    )

    /// Refuses a region beyond the limit of an app (LIM-3).
    package static func regionLimit(_ limit: Int) -> Refusal {
        let message = "the app watches \(limit) regions, its limit: remove a request of one first"
        return limitReached(.regionLimit, limit, message)
    }

    /// Refuses a second region under the identifier of another one (§7.4).
    package static let regionConflict = Refusal(
        .failedPrecondition,
        reason: .regionConflict,
        message: """
            another pending request of the app has a region of this identifier at another place: \
            give each region an identifier of its own, or remove that request first
            """,
        fields: [
            WrongField(
                [.trigger, .location, .region, .identifier],
                "names another region already"
            )
        ]
    )
}
