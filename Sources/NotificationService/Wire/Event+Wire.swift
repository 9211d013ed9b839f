internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension Event {
    /// Writes the fields of an `Event`.
    func write(to writer: inout WireWriter, of center: Belfry_V1_Center) {
        writer.put(1, number.rawValue)
        writer.put(2, date)
        if case .delivered(let delivered) = kind {
            delivered.write(to: &writer)
        } else {
            writer.putFields(of: Belfry_V1_Event(kind, recordedAt: date, of: center))
        }
    }
}

extension Event.Delivered {
    /// Writes the field of an `Event` that says how the notification was delivered.
    fileprivate func write(to writer: inout WireWriter) {
        if let until = presentation.heldUntil {
            writer.message(5) { held in
                held.message(1) { notification.write(to: &$0) }
                held.put(2, until)
                if wasDue { held.put(3, nanoseconds: lateByNanoseconds) }
                if let replacedDelivery { held.put(4, present: replacedDelivery.rawValue) }
                held.put(5, UInt32(clamping: collapsedCount))
                if let snoozedDelivery { held.put(6, present: snoozedDelivery.rawValue) }
            }
        } else {
            writer.message(3) { delivered in
                delivered.message(1) { notification.write(to: &$0) }
                delivered.message(2) { presentation.write(to: &$0) }
                if wasDue { delivered.put(3, nanoseconds: lateByNanoseconds) }
                if let replacedDelivery { delivered.put(4, present: replacedDelivery.rawValue) }
                delivered.put(5, UInt32(clamping: collapsedCount))
                if let extensionOutcome {
                    delivered.put(6, Belfry_V1_ExtensionOutcome(extensionOutcome).rawValue)
                }
                if let snoozedDelivery { delivered.put(7, present: snoozedDelivery.rawValue) }
            }
        }
    }

    /// Whether the delivery waited for an instant, of its trigger or of a snooze.
    private var wasDue: Bool {
        notification.request.trigger?.isAwaited == true || snoozedDelivery != nil
    }
}

extension Presentation {
    /// Writes the fields of a `Presentation`.
    func write(to writer: inout WireWriter) {
        writer.put(1, options)
        writer.put(2, isQuiet)
        writer.put(3, hasTimedOut)
        if let silencingFocus { writer.put(4, present: silencingFocus) }
    }
}

extension Belfry_V1_Event {
    init(_ event: Event, of center: Belfry_V1_Center) {
        self.init { event.write(to: &$0, of: center) }
    }

    /// Makes an event of what happened alone; of a delivery, which is written, nothing.
    fileprivate init(
        _ kind: Event.Kind,
        recordedAt date: WallInstant,
        of center: Belfry_V1_Center
    ) {
        self.init()
        switch kind {
        case .delivered: break
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
                suppressed.dueAt = .init(fired.due(recordedAt: date))
            }
            if let snoozed = fired.snoozedDelivery {
                suppressed.snoozedDelivery = snoozed.rawValue
            }
            if let replaced { suppressed.replacedDelivery = replaced.rawValue }
            if let trace = fired.request.trace { suppressed.trace = .init(trace) }
        case .missed(let fired):
            missed.identifier = fired.request.identifier
            missed.dueAt = .init(fired.due(recordedAt: date))
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

extension Belfry_V1_NotificationRef {
    fileprivate init(_ shown: Event.Shown, of center: Belfry_V1_Center) {
        self.init()
        self.center = center
        identifier = shown.identifier
        delivery = shown.delivery.rawValue
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
