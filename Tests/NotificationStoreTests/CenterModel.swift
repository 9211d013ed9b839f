internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

/// What a center does, in the plainest way: no tables, no batches, no slices.
///
/// Its events are what the store's have to be.
struct CenterModel {
    struct Pending {
        var request: NotificationRequest
        var sequence: Int
        var due: Int64
        var addedAt: WallInstant
    }

    /// An occurrence that waits for the app's word.
    struct Arriving {
        var request: NotificationRequest
        var number: Int
        var deadline: Int64
    }

    let limits: StoreLimits
    /// Whether the app is asked how to present what arrives.
    var isAsked = false
    /// Whether it let a deadline pass, and did not call since.
    var isSilent = false
    private(set) var arriving: [String: Arriving] = [:]
    private(set) var pending: [String: Pending] = [:]
    /// The oldest first.
    private(set) var delivered: [DeliveredNotification] = []
    private(set) var badge: Int32 = 0
    /// All events, those that were trimmed too.
    private(set) var events: [Event] = []
    /// The number of the oldest event that was not trimmed.
    private(set) var firstEvent: EventNumber = 1
    private(set) var elapsed: Int64 = 0
    private var lastDelivery: DeliveryNumber = 0
    private var nextSequence = 1

    init(limits: StoreLimits, settings: NotificationSettings) {
        self.limits = limits
        record(.settingsChanged(settings))
    }

    var wall: WallInstant { WallInstant.newYear.advanced(byNanoseconds: elapsed) }

    private mutating func record(_ kind: Event.Kind) {
        events.append(
            Event(number: EventNumber(rawValue: UInt64(events.count + 1)), date: wall, kind: kind)
        )
        while keptEvents.map(Self.byteCount).reduce(0, +) > limits.eventBytesPerCenter,
            keptEvents.count > 1
        {
            firstEvent += 1
        }
    }

    /// The events that were not trimmed.
    var keptEvents: ArraySlice<Event> { events.dropFirst(Int(firstEvent.rawValue) - 1) }

    private static func byteCount(_ event: Event) -> Int {
        switch event.kind {
        case .delivered(let delivered): 64 + byteCount(delivered.notification.request)
        case .suppressed(let fired, _, _), .missed(let fired): 64 + byteCount(fired.request)
        case .removed(let removed): 64 + removed.identifier.utf8.count
        case .expired(let identifier): 64 + identifier.utf8.count
        case .evicted(let identifier, let other): 64 + identifier.utf8.count + other.utf8.count
        case .responseCompleted(let responded), .responseExpired(let responded):
            64 + responded.identifier.utf8.count + responded.actionIdentifier.utf8.count
        case .summaryPresented(let shown):
            64 + shown.reduce(0) { $0 + 32 + $1.identifier.utf8.count }
        case .openSettings(let shown): 64 + (shown?.identifier.utf8.count ?? 0)
        case .snoozed(let snoozed): 64 + snoozed.identifier.utf8.count
        case .backgroundPush(let push): 64 + push.apnsID.utf8.count
        case .settingsChanged, .badgeChanged, .tokenChanged: 64
        }
    }

    private static func byteCount(_ request: NotificationRequest) -> Int {
        request.identifier.utf8.count + request.content.byteCount
    }

    /// When a trigger fires next after an instant of the elapsed clock.
    private func next(_ trigger: Trigger, base: Int64, after now: Int64) -> Int64 {
        switch trigger {
        case .timeInterval(let trigger):
            let interval = trigger.intervalNanoseconds
            return base + (max(0, now - base) / interval + 1) * interval
        case .calendar(let trigger):
            // The hour alone: the clock starts at midnight, in UTC.
            let day: Int64 = 86_400_000_000_000
            let hour = Int64(trigger.dateComponents.hour ?? 0) * 3_600_000_000_000
            let today = now / day * day + hour
            return today > now ? today : today + day
        case .anchoredInterval: preconditionFailure("the simulation of dates has them")
        case .location: preconditionFailure("the walks have them")
        case .push: preconditionFailure("a push is never added")
        }
    }

    mutating func add(_ request: NotificationRequest) -> Result<AddReply, Refusal> {
        let identifier = request.identifier
        if limits.pendingLimitPolicy == .rejectNew, request.trigger != nil,
            pending[identifier] == nil, pending.count >= limits.pendingPerCenter
        {
            return .failure(.pendingLimit(limits.pendingPerCenter))
        }
        pending[identifier] = nil
        let sequence = nextSequence
        nextSequence += 1
        guard let trigger = request.trigger else {
            deliver(request)
            let isArriving = arriving[identifier] != nil
            return .success(
                AddReply(
                    identifier: identifier,
                    state: isArriving ? .arriving : .delivered(lastDelivery)
                )
            )
        }
        let due = next(trigger, base: elapsed, after: elapsed)
        pending[identifier] = Pending(
            request: request,
            sequence: sequence,
            due: due,
            addedAt: wall
        )
        let date = WallInstant.newYear.advanced(byNanoseconds: due)
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
            let isWorse =
                limits.pendingLimitPolicy == .keepSoonest && candidate.due != other.due
                ? candidate.due > other.due : isOlder
            if isWorse { worst = (identifier, candidate) }
        }
        return worst?.identifier
    }

    /// Delivers a request, or asks the app first.
    private mutating func deliver(_ request: NotificationRequest) {
        withdraw(request.identifier)
        // At most one: each that arrives withdraws what has its key (ADD-12).
        let mate = arriving.values.first { Self.key(of: $0.request) == Self.key(of: request) }
        if let mate { withdraw(mate.request.identifier) }
        guard isAsked && !isSilent else { return deliver(request, cutTo: nil) }
        guard arriving.count < limits.arrivingPerCenter else {
            return deliver(request, cutTo: .list, hasTimedOut: true)
        }
        arriving[request.identifier] = Arriving(
            request: request,
            number: nextSequence,
            deadline: elapsed + Limits.willPresentNanoseconds
        )
        nextSequence += 1
    }

    /// Ends what is arriving under an identifier without presenting it.
    private mutating func withdraw(_ identifier: String) {
        guard let gone = arriving.removeValue(forKey: identifier) else { return }
        suppress(gone, replaced: nil)
    }

    /// How long an app has been asked about what is arriving.
    private func wait(_ arriving: Arriving) -> Int64 {
        elapsed - (arriving.deadline - Limits.willPresentNanoseconds)
    }

    private mutating func suppress(_ gone: Arriving, replaced: DeliveryNumber?) {
        let fired = Event.Fired(
            request: gone.request,
            lateByNanoseconds: wait(gone),
            collapsedCount: 0
        )
        record(.suppressed(fired, .notPresented, replacedDelivery: replaced))
    }

    /// Takes what was delivered before out of the list.
    private mutating func takeReplaced(_ identifier: String) -> DeliveryNumber? {
        delivered.firstIndex { $0.request.identifier == identifier }
            .map { delivered.remove(at: $0).delivery }
    }

    private static func key(of request: NotificationRequest) -> String {
        request.replacementKey.isEmpty ? request.identifier : request.replacementKey
    }

    /// Takes what has the key of a request out of the list.
    private mutating func removeOfKey(_ request: NotificationRequest) {
        let mate = delivered.firstIndex { Self.key(of: $0.request) == Self.key(of: request) }
        if let mate { removeDelivered(at: mate, .replaced) }
    }

    /// The app says how to present what is arriving.
    mutating func complete(_ identifier: String, with options: PresentationOptions) {
        guard let answered = arriving.removeValue(forKey: identifier) else { return }
        isSilent = false
        if options.isEmpty {
            let replaced = takeReplaced(identifier)
            removeOfKey(answered.request)
            suppress(answered, replaced: replaced)
        } else {
            deliver(answered.request, cutTo: options, lateBy: wait(answered))
        }
    }

    private mutating func deliver(
        _ request: NotificationRequest,
        cutTo allowed: PresentationOptions?,
        hasTimedOut: Bool = false,
        lateBy late: Int64 = 0
    ) {
        lastDelivery += 1
        let replaced = takeReplaced(request.identifier)
        removeOfKey(request)
        let content = request.content
        var options: PresentationOptions = []
        if !content.title.isEmpty { options.formUnion([.list, .banner]) }
        if content.sound != nil { options.insert(.sound) }
        if content.badge != nil { options.insert(.badge) }
        if let allowed { options.formIntersection(allowed) }
        let notification = DeliveredNotification(
            request: request,
            date: wall,
            delivery: lastDelivery
        )
        if options.contains(.list) { delivered.append(notification) }
        record(
            .delivered(
                Event.Delivered(
                    notification: notification,
                    presentation: Presentation(options, hasTimedOut: hasTimedOut),
                    lateByNanoseconds: late,
                    collapsedCount: 0,
                    replacedDelivery: replaced
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

    private mutating func removeDelivered(at index: Int, _ reason: RemovalReason) {
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

    mutating func removeDelivered(_ identifiers: [String]) -> [String] {
        identifiers.filter { identifier in
            let isArriving = arriving[identifier] != nil
            withdraw(identifier)
            let index = delivered.firstIndex { $0.request.identifier == identifier }
            if let index { removeDelivered(at: index, .app) }
            return isArriving || index != nil
        }
    }

    /// The instant at which something is due next.
    var nextDue: Int64? {
        (pending.values.map(\.due) + arriving.values.map(\.deadline)).min()
    }

    /// The instant at which the oldest thing becomes too old.
    private var nextExpiry: Int64? {
        let ends = [
            delivered.first.map { ($0.date, limits.deliveredNanoseconds) },
            keptEvents.first.map { ($0.date, limits.eventNanoseconds) },
        ]
        return ends.compactMap(\.self).map { date, age in
            date.nanoseconds - WallInstant.newYear.nanoseconds + age
        }.min()
    }

    /// Moves the clock to `end`, and gives how many fired on the way.
    mutating func advance(to end: Int64) -> Int {
        var fired = 0
        while let next = [nextDue, nextExpiry].compactMap(\.self).min(), next <= end {
            elapsed = next
            if next == nextDue {
                fired += fireNext()
            } else {
                expire()
            }
        }
        elapsed = end
        return fired
    }

    /// Does what is due next, and gives how many requests fired.
    private mutating func fireNext() -> Int {
        let fires = pending.values.min { ($0.due, $0.sequence) < ($1.due, $1.sequence) }
        let ends = arriving.values.min { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
        if let ends, fires.map({ ($0.due, $0.sequence) > (ends.deadline, ends.number) }) ?? true {
            arriving[ends.request.identifier] = nil
            isSilent = true
            deliver(ends.request, cutTo: .list, hasTimedOut: true, lateBy: wait(ends))
            return 0
        }
        guard let fires, let trigger = fires.request.trigger else { return 0 }
        let identifier = fires.request.identifier
        if trigger.repeats {
            let base = fires.addedAt.nanoseconds - WallInstant.newYear.nanoseconds
            let due = next(trigger, base: base, after: elapsed)
            pending[identifier]?.due = due
        } else {
            pending[identifier] = nil
        }
        deliver(fires.request)
        return 1
    }

    /// Takes away what is too old: notifications first, since their removals are events.
    private mutating func expire() {
        func isTooOld(_ date: WallInstant, _ age: Int64) -> Bool {
            date.nanoseconds + age <= wall.nanoseconds
        }
        while let first = delivered.first, isTooOld(first.date, limits.deliveredNanoseconds) {
            removeDelivered(at: 0, .retention)
        }
        while let first = keptEvents.first, isTooOld(first.date, limits.eventNanoseconds) {
            firstEvent += 1
        }
    }
}
