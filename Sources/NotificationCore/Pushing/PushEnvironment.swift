/// Which pushes an app receives (REG-1); the numbers are stored and are the wire's.
package enum PushEnvironment: UInt8, Hashable, Sendable, CaseIterable {
    /// Of apps that are being developed; also called sandbox.
    case development = 1
    /// Of apps that people have.
    case production = 2
}

extension Entitlements {
    /// The environment of the app's pushes; nil where the app has no entitlement for pushes.
    package var pushEnvironment: PushEnvironment? {
        get {
            if contains(.productionPushes) { return .production }
            return contains(.developmentPushes) ? .development : nil
        }
        set {
            subtract([.developmentPushes, .productionPushes])
            switch newValue {
            case .development: insert(.developmentPushes)
            case .production: insert(.productionPushes)
            case nil: break
            }
        }
    }
}

extension Profile {
    /// Whether only an app with the entitlement may register for pushes (REG-1), and only an app
    /// with the background mode is woken for pushes that show nothing (REG-2).
    ///
    /// Under ``server`` an app that registered itself may do both, as it has no entitlements.
    package var pushNeedsEntitlement: Bool { self == .ios }

    /// Decides the environment of an app that registers for pushes (REG-1).
    ///
    /// - Parameters:
    ///   - asked: The environment that the app names; nil is the one of its entitlement.
    ///   - entitled: The environment of the app's entitlement.
    /// - Returns: The environment; nil where the app may not register for it.
    package func pushEnvironment(
        asked: PushEnvironment?,
        entitled: PushEnvironment?
    ) -> PushEnvironment? {
        guard let entitled else {
            return pushNeedsEntitlement ? nil : asked ?? .production
        }
        return asked ?? entitled == entitled ? entitled : nil
    }

    /// Whether an app may be woken for a push that shows nothing (REG-2).
    package func wakesForPushes(_ registration: AppRegistration) -> Bool {
        !pushNeedsEntitlement || registration.backgroundModes.contains(.remoteNotification)
    }
}
