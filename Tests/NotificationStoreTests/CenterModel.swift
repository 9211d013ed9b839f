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

    let limits: StoreLimits
    private(set) var pending: [String: Pending] = [:]
    /// The oldest first.
    private(set) var delivered: [Notification] = []
    private(set) var badge: Int32 = 0
    /// All events, those that were trimmed too.
    private(set) var events: [Event] = []
    /// The number of the oldest event that was not trimmed.
    private(set) var firstEvent: UInt64 = 1
    private(set) var elapsed: Int64 = 0
    private var lastDelivery: UInt64 = 0
    private var nextSequence = 1

    init(limits: StoreLimits, settings: NotificationSettings) {
        self.limits = limits
        record(.settingsChanged(settings))
    }

    var wall: WallInstant { WallInstant.newYear.advanced(byNanoseconds: elapsed) }

    private mutating func record(_ kind: Event.Kind) {
        events.append(Event(number: UInt64(events.count + 1), date: wall, kind: kind))
        while keptEvents.map(Self.byteCount).reduce(0, +) > limits.eventBytesPerCenter,
            keptEvents.count > 1
        {
            firstEvent += 1
        }
    }

    /// The events that were not trimmed.
    var keptEvents: ArraySlice<Event> { events.dropFirst(Int(firstEvent) - 1) }

    private static func byteCount(_ event: Event) -> Int {
        switch event.kind {
        case .delivered(let delivered): 64 + byteCount(delivered.notification.request)
        case .suppressed(let fired, _), .missed(let fired): 64 + byteCount(fired.request)
        case .removed(let removed): 64 + removed.identifier.utf8.count
        case .expired(let identifier): 64 + identifier.utf8.count
        case .responseCompleted(let responded), .responseExpired(let responded):
            64 + responded.identifier.utf8.count + responded.actionIdentifier.utf8.count
        case .settingsChanged, .badgeChanged: 64
        }
    }

    private static func byteCount(_ request: NotificationRequest) -> Int {
        request.identifier.utf8.count + request.content.byteCount
    }

    private func interval(_ request: NotificationRequest) -> Int64? {
        guard case .timeInterval(let trigger)? = request.trigger else { return nil }
        return trigger.intervalNanoseconds
    }

    mutating func add(_ request: NotificationRequest) -> Result<AddReply, Refusal> {
        let identifier = request.identifier
        let interval = interval(request)
        if interval != nil, pending[identifier] == nil, pending.count >= limits.pendingPerCenter {
            return .failure(.pendingLimit(limits.pendingPerCenter))
        }
        pending[identifier] = nil
        let sequence = nextSequence
        nextSequence += 1
        guard let interval else {
            deliver(request)
            return .success(AddReply(identifier: identifier, state: .delivered(lastDelivery)))
        }
        let due = elapsed + interval
        pending[identifier] = Pending(
            request: request,
            sequence: sequence,
            due: due,
            addedAt: wall
        )
        let date = WallInstant.newYear.advanced(byNanoseconds: due)
        return .success(AddReply(identifier: identifier, state: .pending(nextFire: date)))
    }

    private mutating func deliver(_ request: NotificationRequest) {
        lastDelivery += 1
        let replaced = delivered.firstIndex { $0.request.identifier == request.identifier }
            .map { delivered.remove(at: $0).delivery }
        let content = request.content
        var options: PresentationOptions = []
        if !content.title.isEmpty { options.formUnion([.list, .banner]) }
        if content.sound != nil { options.insert(.sound) }
        if content.badge != nil { options.insert(.badge) }
        let notification = Notification(request: request, date: wall, delivery: lastDelivery)
        if options.contains(.list) { delivered.append(notification) }
        record(
            .delivered(
                Event.Delivered(
                    notification: notification,
                    presentation: Presentation(options),
                    lateByNanoseconds: 0,
                    collapsedCount: 0,
                    replacedDelivery: replaced
                )
            )
        )
        if let number = content.badge {
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
            let index = delivered.firstIndex { $0.request.identifier == identifier }
            guard let index else { return false }
            removeDelivered(at: index, .app)
            return true
        }
    }

    /// The instant at which something is due next.
    var nextDue: Int64? { pending.values.map(\.due).min() }

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
                fireNext()
                fired += 1
            } else {
                expire()
            }
        }
        elapsed = end
        return fired
    }

    private mutating func fireNext() {
        guard
            let next = pending.values.min(by: { ($0.due, $0.sequence) < ($1.due, $1.sequence) })
        else { return }
        let identifier = next.request.identifier
        if next.request.trigger?.repeats == true, let interval = interval(next.request) {
            pending[identifier]?.due += interval
        } else {
            pending[identifier] = nil
        }
        deliver(next.request)
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
