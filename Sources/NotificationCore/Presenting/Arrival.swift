/// An arriving notification, with all that decides how it is presented (§8).
///
/// Nothing is remembered between ``step(presence:)`` and the app's answer: the caller makes the
/// arrival again for the answer, so that changes of the person in between count.
package struct Arrival: Hashable, Sendable {
    /// The content that arrives.
    ///
    /// Reading it copies nothing.
    package var content: ContentHead {
        _read { yield boxedContent.value }
        set { boxedContent = Boxed(newValue) }
    }
    package var app: String
    /// The person's settings for the app, which allow notifications.
    package var settings: NotificationSettings
    /// The state of the device.
    ///
    /// Reading it copies nothing.
    package var device: DeviceState {
        _read { yield boxedDevice.value }
        set { boxedDevice = Boxed(newValue) }
    }
    private var boxedContent: Boxed<ContentHead>
    private var boxedDevice: Boxed<DeviceState>

    package init(
        content: Boxed<ContentHead>,
        app: String,
        settings: NotificationSettings,
        device: Boxed<DeviceState>
    ) {
        boxedContent = content
        self.app = app
        self.settings = settings
        boxedDevice = device
    }

    /// Decides the presentation, or that the app has to be asked (§9).
    ///
    /// The content's ``ContentHead/foregroundPresentation`` is an answer too (FG-9), and is
    /// used before the delegate's answer.
    ///
    /// - Complexity: O(1) without a Focus, then what ``Focus/allows(_:of:at:)`` costs.
    package func step(presence: AppPresence) -> PresentationStep {
        guard case .foreground(let delegate) = presence else { return .settled(decision()) }
        if let options = content.foregroundPresentation {
            return .settled(decision(afterAnswer: options))
        }
        return switch delegate {
        case .none: .settled(decision())
        case .withoutWillPresent: .settled(decision(afterAnswer: []))
        case .standing(let options): .settled(decision(afterAnswer: options))
        case .asks: .ask
        }
    }

    /// Decides the presentation after the app's answer: only the effects that it names (FG-3).
    ///
    /// Effects that the person does not allow are left out. Without the list no entry remains
    /// (FG-6).
    package func decision(afterAnswer options: PresentationOptions) -> PresentationDecision {
        decision(cutTo: options.withoutAlert)
    }

    /// Decides the presentation where the app was asked and did not answer in time (D-14).
    ///
    /// Under ``Profile/server`` the notification is listed, so that it is not lost; under
    /// ``Profile/ios`` it is not presented.
    package func decisionAfterMissedDeadline(_ profile: Profile) -> PresentationDecision {
        var decision = decision(cutTo: profile == .server ? .list : [])
        decision.hasTimedOut = true
        return decision
    }

    /// Decides the presentation where the app is not asked: all permitted effects.
    package func decision() -> PresentationDecision {
        decision(cutTo: [.badge, .sound, .list, .banner])
    }

    /// Decides how the first notification of a presented summary shows (SSM-1, SSM-2): on the
    /// screen, without a sound.
    package func decisionInSummary() -> PresentationDecision {
        var arrival = self
        arrival.device.summary = ScheduledSummary()
        return arrival.decision(cutTo: [.list, .banner])
    }

    private func decision(cutTo allowed: PresentationOptions) -> PresentationDecision {
        let level = content.interruptionLevel.lowered(to: settings)
        let mode = mode(at: level)
        var decision = PresentationDecision(level: level, mode: mode)
        if mode == .quiet, settings.authorizationStatus != .provisional,
            isSilencedByFocus(at: level)
        {
            decision.silencingFocus = device.focus?.name
        }
        if allowed.contains(.list) && leavesEntry { decision.options.insert(.list) }
        if allowed.contains(.badge) && content.badge != nil && settings.badge == .enabled {
            decision.options.insert(.badge)
        }
        guard level >= .active else { return decision }
        if allowed.contains(.banner), mode == .immediate, let alert = visualAlert {
            decision.visualAlert = alert
            decision.options.insert(.banner)
        }
        if allowed.contains(.sound), let sound = sound(at: level, mode) {
            if device.isMuted && !sound.isCritical {
                decision.vibrates = true
            } else {
                decision.sound = sound
                decision.options.insert(.sound)
            }
        }
        decision.wakesScreen =
            mode == .immediate
            && (decision.visualAlert != nil || decision.sound != nil || decision.vibrates)
        return decision
    }
}

extension Arrival {
    /// Whether the notification has an entry in the list, also where alerts are off; a sound or a
    /// badge alone leaves no entry (DEL-2).
    private var leavesEntry: Bool {
        content.hasAlertText && settings.notificationCenter == .enabled
    }

    private func mode(at level: InterruptionLevel) -> DeliveryMode {
        if settings.authorizationStatus == .provisional { return .quiet }
        if isSilencedByFocus(at: level) { return .quiet }
        guard waitsForSummary(at: level) else { return .immediate }
        // A notification without an entry cannot wait in the list, and must still not interrupt.
        return leavesEntry ? .heldForSummary : .quiet
    }

    private func isSilencedByFocus(at level: InterruptionLevel) -> Bool {
        guard let focus = device.focus else { return false }
        return !focus.allows(content, of: app, at: level)
    }

    private func waitsForSummary(at level: InterruptionLevel) -> Bool {
        guard device.summary.isEnabled, device.summary.apps.contains(app) else { return false }
        let isDirect = content.communication != nil && settings.directMessages != .disabled
        return level < .timeSensitive && !isDirect
    }

    private var visualAlert: VisualAlert? {
        guard content.hasAlertText, settings.alert == .enabled else { return nil }
        if device.isLocked { return settings.lockScreen == .enabled ? .lockScreen : nil }
        return switch settings.alertStyle {
        case .none: nil
        case .banner: .banner
        case .alert: .alert
        }
    }

    /// The sound that the content asks for: a critical notification asks for at least the default
    /// sound (§2.10), and adds no sound where critical is not permitted (D-25).
    private func requestedSound(at level: InterruptionLevel) -> Sound? {
        content.sound ?? (level == .critical ? Sound(isCritical: true) : nil)
    }

    /// The sound before mute; `level` is at least active.
    private func sound(at level: InterruptionLevel, _ mode: DeliveryMode) -> PlayedSound? {
        guard settings.sound == .enabled, let requested = requestedSound(at: level) else {
            return nil
        }
        // Both the level and the sound may ask for a critical sound (INT-3).
        let isCritical =
            settings.criticalAlert == .enabled && (requested.isCritical || level == .critical)
        switch mode {
        case .immediate: break
        case .heldForSummary: return nil
        case .quiet:
            // A critical sound ignores a Focus, as it ignored Do Not Disturb; a provisional grant
            // and a summary promise silence.
            guard isCritical, settings.authorizationStatus != .provisional,
                isSilencedByFocus(at: level)
            else { return nil }
        }
        return PlayedSound(requested, isCritical: isCritical)
    }
}

extension InterruptionLevel {
    /// Gives the level lowered to the first one that the person allows (INT-2).
    package func lowered(to settings: NotificationSettings) -> InterruptionLevel {
        var level = self
        if level == .critical && settings.criticalAlert != .enabled { level = .timeSensitive }
        if level == .timeSensitive && settings.timeSensitive != .enabled { level = .active }
        return level
    }
}
