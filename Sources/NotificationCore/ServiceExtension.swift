internal import Faults

/// The effect of a service extension on a push (NSE-11); the numbers are stored and are the wire's.
package enum ExtensionOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// The extension's content was delivered.
    case modified = 1
    /// The content that the extension gave after it was told that its time ends, or before it went
    /// away, was delivered.
    case bestAttempt = 2
    /// The extension's content has no text for an alert, so the original was delivered (NSE-4).
    case ignoredNoText = 3
    /// The extension dropped the push (NSE-5).
    case filtered = 4
    /// The extension did not answer, or did not serve, so the original was delivered (NSE-6).
    case fallback = 5
}

/// A push that a service extension may change, with what decides about it (§18).
package struct ServicePush: Hashable, Sendable {
    /// Whether the push has `mutable-content`.
    package var isMutable: Bool
    /// Whether the push is of type `alert`, so that an extension may drop it (NSE-5).
    package var isAlertType: Bool

    package init(isMutable: Bool, isAlertType: Bool) {
        self.isMutable = isMutable
        self.isAlertType = isAlertType
    }

    /// Whether the app's service extension is asked about the push (NSE-1).
    ///
    /// Alerts are permitted where the person lets the app show them in some place: as banners, on
    /// the lock screen, or in the list, which is what a provisional grant allows.
    ///
    /// - Parameters:
    ///   - content: The content of the push.
    ///   - settings: What the person lets the app do.
    /// - Returns: Whether the extension is asked, where it serves.
    package func asksExtension(
        _ content: ContentHead,
        under settings: NotificationSettings
    ) -> Bool {
        let places = [settings.alert, settings.lockScreen, settings.notificationCenter]
        return isMutable && content.hasAlertText
            && settings.authorizationStatus.allowsNotifications && places.contains(.enabled)
    }

    /// Decides what becomes of an extension's content.
    ///
    /// - Parameters:
    ///   - content: The content; without anything it is the wish to drop the push.
    ///   - isBestAttempt: Whether the content is kept for when no answer comes in time.
    ///   - isExpiring: Whether the extension was told that its time ends (NSE-3).
    ///   - entitlements: What the app was registered with.
    /// - Returns: What becomes of the content.
    package func outcome(
        of content: NotificationContent,
        isBestAttempt: Bool,
        isExpiring: Bool,
        under entitlements: Entitlements
    ) -> ExtensionOutcome {
        if content.hasAlertText { return isBestAttempt || isExpiring ? .bestAttempt : .modified }
        let isEntitled =
            entitlements.contains(.filtering) || Fault.anyExtensionDropsPushes.isPlanted
        let mayDrop = isEntitled && isAlertType && !isBestAttempt
        return mayDrop && content == NotificationContent() ? .filtered : .ignoredNoText
    }
}

extension NotificationContent {
    /// Checks an extension's content as the content of an `Add` is checked, but that it may have
    /// nothing to perceive: that is an answer too (NSE-4, NSE-5).
    ///
    /// - Throws: The first refusal, with a path relative to the request.
    package func validateOfExtension() throws(Refusal) { try validate() }
}
