internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension Belfry_V1_Event {
    init(_ event: Event, of center: Belfry_V1_Center) {
        self.init()
        number = event.number.rawValue
        recordedAt = .init(event.date)
        switch event.kind {
        case .delivered(let delivered):
            if let until = delivered.presentation.heldUntil {
                held = Belfry_V1_HeldEvent(delivered, until: until)
            } else {
                self.delivered = Belfry_V1_DeliveredEvent(delivered)
            }
        case .summaryPresented(let shown):
            summaryPresented.notifications = shown.map { .init($0, of: center) }
        case .openSettings(let shown):
            openSettings = .init()
            if let shown { openSettings.notification = .init(shown, of: center) }
        case .snoozed(let snoozed):
            self.snoozed.identifier = snoozed.identifier
            self.snoozed.delivery = snoozed.delivery.rawValue
            self.snoozed.until = .init(snoozed.until)
        case .suppressed(let fired, let reason, let replaced):
            suppressed.identifier = fired.request.identifier
            suppressed.reason = .init(rawValue: Int(reason.rawValue)) ?? .unspecified
            if fired.request.trigger != nil || fired.snoozedDelivery != nil {
                suppressed.dueAt = .init(fired.due(recordedAt: event.date))
            }
            if let snoozed = fired.snoozedDelivery {
                suppressed.snoozedDelivery = snoozed.rawValue
            }
            if let replaced { suppressed.replacedDelivery = replaced.rawValue }
            if let trace = fired.request.trace { suppressed.trace = .init(trace) }
        case .missed(let fired):
            missed.identifier = fired.request.identifier
            missed.dueAt = .init(fired.due(recordedAt: event.date))
            missed.lateBy = .init(nanoseconds: fired.lateByNanoseconds)
            if let trace = fired.request.trace { missed.trace = .init(trace) }
        case .removed(let removed):
            self.removed.identifier = removed.identifier
            self.removed.state = removed.delivery == nil ? .pending : .delivered
            if let delivery = removed.delivery { self.removed.delivery = delivery.rawValue }
            self.removed.cause = .init(removed.reason)
        case .settingsChanged(let settings):
            settingsChanged.settings = .init(settings)
        case .tokenChanged: tokenChanged = .init()
        case .backgroundPush(let push):
            backgroundPush.apnsID = push.apnsID
            backgroundPush.end = .init(rawValue: Int(push.end.rawValue)) ?? .unspecified
        case .badgeChanged(let badge):
            badgeChanged.badge = badge
        case .expired(let identifier):
            expired.identifier = identifier
        case .evicted(let identifier, let other):
            evicted.identifier = identifier
            evicted.evictedBy = other
        case .responseCompleted(let responded):
            responseCompleted.notification = .init(responded, of: center)
            responseCompleted.actionIdentifier = responded.actionIdentifier
            if let text = responded.userText { responseCompleted.userText = text }
        case .responseExpired(let responded):
            responseExpired.notification = .init(responded, of: center)
            responseExpired.actionIdentifier = responded.actionIdentifier
            if let text = responded.userText { responseExpired.userText = text }
        }
    }
}

extension Event.Fired {
    fileprivate func due(recordedAt date: WallInstant) -> WallInstant {
        due ?? date.advanced(byNanoseconds: -lateByNanoseconds)
    }
}

extension Event.Delivered {
    /// Whether the delivery waited for an instant, of its trigger or of a snooze.
    fileprivate var wasDue: Bool {
        notification.request.trigger?.isAwaited == true || snoozedDelivery != nil
    }
}

extension Belfry_V1_DeliveredEvent {
    init(_ delivered: Event.Delivered) {
        self.init()
        notification = .init(delivered.notification)
        presentation.options = optionList(delivered.presentation.options.rawValue)
        presentation.quiet = delivered.presentation.isQuiet
        presentation.timedOut = delivered.presentation.hasTimedOut
        if let focus = delivered.presentation.silencingFocus {
            presentation.silencedByFocus = focus
        }
        if delivered.wasDue {
            lateBy = .init(nanoseconds: delivered.lateByNanoseconds)
        }
        if let replaced = delivered.replacedDelivery { replacedDelivery = replaced.rawValue }
        if let snoozed = delivered.snoozedDelivery { snoozedDelivery = snoozed.rawValue }
        collapsedCount = UInt32(clamping: delivered.collapsedCount)
        if let outcome = delivered.extensionOutcome { extensionOutcome = .init(outcome) }
    }
}

extension Belfry_V1_NotificationRef {
    fileprivate init(_ shown: Event.Shown, of center: Belfry_V1_Center) {
        self.init()
        self.center = center
        identifier = shown.identifier
        delivery = shown.delivery.rawValue
    }
}

extension Belfry_V1_HeldEvent {
    fileprivate init(_ delivered: Event.Delivered, until: WallInstant) {
        self.init()
        notification = .init(delivered.notification)
        self.until = .init(until)
        if delivered.wasDue {
            lateBy = .init(nanoseconds: delivered.lateByNanoseconds)
        }
        if let replaced = delivered.replacedDelivery { replacedDelivery = replaced.rawValue }
        if let snoozed = delivered.snoozedDelivery { snoozedDelivery = snoozed.rawValue }
        collapsedCount = UInt32(clamping: delivered.collapsedCount)
    }
}

extension Belfry_V1_RemovalCause {
    fileprivate init(_ reason: RemovalReason) {
        self =
            switch reason {
            case .app: .app
            case .person: .person
            case .provider: .provider
            case .retention: .retention
            case .replaced: .replaced
            }
    }
}
