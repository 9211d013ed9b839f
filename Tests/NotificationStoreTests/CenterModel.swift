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
    /// Whether the app is connected, to answer what it is asked.
    var isConnected = false
    /// Whether the connected app is in front, and asked how to present what arrives.
    var isInFront = false
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
    mutating func deliver(_ request: NotificationRequest) {
        withdraw(request.identifier)
        // At most one: each that arrives withdraws what has its key (ADD-12).
        let mate = arriving.values.first { Self.key(of: $0.request) == Self.key(of: request) }
        if let mate { withdraw(mate.request.identifier) }
        guard isInFront && !isSilent else { return deliver(request, cutTo: nil) }
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
    mutating func withdraw(_ identifier: String) {
        guard let gone = arriving.removeValue(forKey: identifier) else { return }
        suppress(gone, replaced: nil)
    }

    /// How long an app has been asked about what is arriving.
    func wait(_ arriving: Arriving) -> Int64 {
        elapsed - (arriving.deadline - Limits.willPresentNanoseconds)
    }

    mutating func suppress(_ gone: Arriving, replaced: DeliveryNumber?) {
        let fired = Event.Fired(
            request: gone.request,
            lateByNanoseconds: wait(gone),
            collapsedCount: 0
        )
        record(.suppressed(fired, .notPresented, replacedDelivery: replaced))
    }

    /// Takes what was delivered before out of the list.
    mutating func takeReplaced(_ identifier: String) -> DeliveryNumber? {
        delivered.firstIndex { $0.request.identifier == identifier }
            .map { delivered.remove(at: $0).delivery }
    }

    static func key(of request: NotificationRequest) -> String {
        request.replacementKey.isEmpty ? request.identifier : request.replacementKey
    }

    /// Takes what has the key of a request out of the list.
    mutating func removeOfKey(_ request: NotificationRequest) {
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

    mutating func deliver(
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
            let index = delivered.firstIndex { $0.request.identifier == identifier }
            if let index { removeDelivered(at: index, reason) }
            return isArriving || index != nil
        }
    }
}
