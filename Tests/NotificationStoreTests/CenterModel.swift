internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

/// A center in the plainest way: no tables, no batches, no slices.
///
/// The store's events have to be those of this center.
struct CenterModel {
    struct Pending {
        var request: NotificationRequest
        var sequence: Int
        /// Nil for a request that waits for a place.
        var due: Int64?
        var addedAt: WallInstant
        /// Whether the device is inside of its place; nil is unknown.
        var isInside: Bool?
        /// How many occurrences the model's request has had.
        var count: Int64 = 0
    }

    /// An occurrence that waits for the app's word.
    struct Arriving {
        var fired: Event.Fired
        var number: Int
        var since: Int64
        /// The app's service extension may change it first; nil is the app itself.
        var service: ServiceWork?

        /// Until when the app may say how to present it.
        var deadline: Int64 { since + Limits.willPresentNanoseconds }
    }

    let limits: StoreLimits
    /// Whether the app is connected, to answer what it is asked.
    var isConnected = false
    /// Whether the connected app is in front, and asked how to present what arrives.
    var isInFront = false
    /// Whether the app's service extension serves.
    var isServed = false
    /// Whether it let a deadline pass, and did not call since.
    var isSilent = false
    var arriving: [String: Arriving] = [:]
    var pending: [String: Pending] = [:]
    /// The oldest first.
    var delivered: [DeliveredNotification] = []
    var badge: Int32 = 0
    /// All events, those that were trimmed too.
    var events: [Event] = []
    /// The number of the oldest event that was not trimmed.
    var firstEvent: EventNumber = 1
    /// The pushes that wait for the app in the background, the oldest first.
    var backgroundPushes: [BackgroundPush] = []
    /// The question about one of them.
    var openPush: OpenPush?
    /// The snoozed notifications, by identifier.
    var snoozed: [String: Snoozed] = [:]
    /// Whether the app may know where the device is.
    var mayKnowPlace = false
    var elapsed: Int64 = 0
    var lastDelivery: DeliveryNumber = 0
    var nextSequence = 1

    init(limits: StoreLimits, settings: NotificationSettings) {
        self.limits = limits
        record(.settingsChanged(settings))
    }

    var wall: WallInstant { WallInstant.newYear.advanced(byNanoseconds: elapsed) }

    mutating func add(_ request: NotificationRequest) -> Result<AddReply, Refusal> {
        let identifier = request.identifier
        let due = request.trigger.flatMap { next($0, base: elapsed, after: elapsed) }
        if let trigger = request.trigger, trigger.region == nil, due == nil {
            return .failure(.noDate([.trigger, .limits]))
        }
        if limits.pendingLimitPolicy == .rejectNew, request.trigger != nil,
            pending[identifier] == nil, pending.count >= limits.pendingPerCenter
        {
            return .failure(.pendingLimit(limits.pendingPerCenter))
        }
        if request.trigger?.region != nil, !mayKnowPlace {
            return .failure(.locationNotAuthorized)
        }
        pending[identifier] = nil
        let sequence = nextSequence
        nextSequence += 1
        guard request.trigger != nil else {
            deliver(Event.Fired(request))
            let isArriving = arriving[identifier] != nil
            return .success(
                AddReply(
                    identifier: identifier,
                    state: isArriving ? .arriving : .delivered(lastDelivery)
                )
            )
        }
        pending[identifier] = Pending(
            request: request,
            sequence: sequence,
            due: due,
            addedAt: wall
        )
        let date = due.map { WallInstant.newYear.advanced(byNanoseconds: $0) }
        var reply = AddReply(identifier: identifier, state: .pending(nextFire: date))
        while pending.count > limits.pendingPerCenter, let worst = worstPending {
            pending[worst] = nil
            record(.evicted(identifier: worst, by: identifier))
            reply.evicted.append(worst)
            if worst == identifier { reply.state = .gone }
        }
        return .success(reply)
    }

    /// The pending request that goes first where one is too many.
    private var worstPending: String? {
        var worst: (identifier: String, pending: Pending)?
        for (identifier, candidate) in pending {
            guard let other = worst?.pending else {
                worst = (identifier, candidate)
                continue
            }
            let isOlder = candidate.sequence < other.sequence
            // A request that waits for a place may wait forever.
            let (due, otherDue) = (candidate.due ?? .max, other.due ?? .max)
            let isWorse =
                limits.pendingLimitPolicy == .keepSoonest && due != otherDue
                ? due > otherDue : isOlder
            if isWorse { worst = (identifier, candidate) }
        }
        return worst?.identifier
    }

    /// Delivers an occurrence, or asks the app first.
    mutating func deliver(_ fired: Event.Fired) {
        withdraw(fired.request.identifier)
        // A withdrawn push may let others arrive, which may have the key as well (ADD-12).
        let key = Self.key(of: fired.request)
        while let mate = arriving.values.first(where: { Self.key(of: $0.fired.request) == key }) {
            withdraw(mate.fired.request.identifier)
        }
        guard isInFront && !isSilent else { return deliver(fired, cutTo: nil) }
        guard arriving.count < limits.arrivingPerCenter else {
            return deliver(fired, cutTo: .list, hasTimedOut: true)
        }
        arriving[fired.request.identifier] = Arriving(
            fired: fired,
            number: nextSequence,
            since: elapsed
        )
        nextSequence += 1
    }

    /// Ends what is arriving under an identifier without presenting it.
    mutating func withdraw(_ identifier: String) {
        guard let gone = arriving.removeValue(forKey: identifier) else { return }
        suppress(late(gone), replaced: nil)
        if gone.service?.asked != nil { askService() }
    }

    /// The arriving occurrence, as late as it is by now.
    func late(_ arriving: Arriving) -> Event.Fired {
        var fired = arriving.fired
        fired.due = fired.due ?? Self.wall(arriving.since - fired.lateByNanoseconds)
        fired.lateByNanoseconds += elapsed - arriving.since
        return fired
    }

    mutating func suppress(_ gone: Event.Fired, replaced: DeliveryNumber?) {
        record(.suppressed(gone, .notPresented, replacedDelivery: replaced))
    }

    /// Takes an earlier delivery out of the list, or out of its snooze.
    mutating func takeReplaced(_ identifier: String) -> DeliveryNumber? {
        if let snooze = snoozed.removeValue(forKey: identifier) {
            return snooze.notification.delivery
        }
        return delivered.firstIndex { $0.request.identifier == identifier }
            .map { delivered.remove(at: $0).delivery }
    }

    static func key(of request: NotificationRequest) -> String {
        request.replacementKey.isEmpty ? request.identifier : request.replacementKey
    }

    /// Takes a notification with the key of a request out of the list, or out of its snooze.
    mutating func removeOfKey(_ request: NotificationRequest) {
        let key = Self.key(of: request)
        let mate = delivered.firstIndex { Self.key(of: $0.request) == key }
        if let mate { removeDelivered(at: mate, .replaced) }
        let snooze = snoozed.values.first { Self.key(of: $0.notification.request) == key }
        if let snooze { _ = endSnooze(snooze.notification.request.identifier, .replaced) }
    }

    /// The app answers how to present an arriving occurrence.
    mutating func complete(_ identifier: String, with options: PresentationOptions) {
        guard let answered = arriving.removeValue(forKey: identifier) else { return }
        isSilent = false
        let fired = late(answered)
        if options.isEmpty {
            let replaced = takeReplaced(identifier)
            removeOfKey(fired.request)
            suppress(fired, replaced: replaced)
        } else {
            deliver(fired, cutTo: options)
        }
    }

    mutating func deliver(
        _ fired: Event.Fired,
        cutTo allowed: PresentationOptions?,
        hasTimedOut: Bool = false
    ) {
        lastDelivery += 1
        let replaced = takeReplaced(fired.request.identifier)
        removeOfKey(fired.request)
        let content = fired.request.content
        var options: PresentationOptions = []
        if !content.title.isEmpty { options.formUnion([.list, .banner]) }
        if content.sound != nil { options.insert(.sound) }
        // The badge was applied by the first delivery of a notification that comes back from a
        // snooze.
        if content.badge != nil, fired.snoozedDelivery == nil { options.insert(.badge) }
        if let allowed { options.formIntersection(allowed) }
        let notification = DeliveredNotification(
            request: fired.request,
            date: wall,
            delivery: lastDelivery
        )
        if options.contains(.list) { delivered.append(notification) }
        record(
            .delivered(
                Event.Delivered(
                    notification: notification,
                    presentation: Presentation(options, hasTimedOut: hasTimedOut),
                    lateByNanoseconds: fired.lateByNanoseconds,
                    collapsedCount: 0,
                    replacedDelivery: replaced,
                    snoozedDelivery: fired.snoozedDelivery,
                    extensionOutcome: fired.extensionOutcome
                )
            )
        )
        if let number = content.badge, options.contains(.badge) {
            setBadge(content.badgeMode == .set ? number : badge + number)
        }
        if delivered.count > limits.deliveredPerCenter { removeDelivered(at: 0, .retention) }
    }

    mutating func setBadge(_ number: Int32) {
        if badge != number { record(.badgeChanged(number)) }
        badge = number
    }

    mutating func removeDelivered(at index: Int, _ reason: RemovalReason) {
        let gone = delivered.remove(at: index)
        let removed = Event.Removed(
            reason: reason,
            identifier: gone.request.identifier,
            delivery: gone.delivery
        )
        record(.removed(removed))
    }

    mutating func removePending(_ identifiers: [String]) -> [String] {
        identifiers.filter { identifier in
            guard pending.removeValue(forKey: identifier) != nil else { return false }
            record(.removed(.init(reason: .app, identifier: identifier, delivery: nil)))
            return true
        }
    }

    mutating func removeDelivered(
        _ identifiers: [String],
        _ reason: RemovalReason = .app
    ) -> [String] {
        identifiers.filter { identifier in
            let isArriving = arriving[identifier] != nil
            withdraw(identifier)
            let isSnoozed = endSnooze(identifier, reason)
            let index = delivered.firstIndex { $0.request.identifier == identifier }
            if let index { removeDelivered(at: index, reason) }
            return isArriving || isSnoozed || index != nil
        }
    }
}

extension Event.Fired {
    /// An occurrence that is in time.
    init(_ request: NotificationRequest) {
        self.init(request: request, lateByNanoseconds: 0, collapsedCount: 0)
    }
}
