internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

extension CenterModel {
    mutating func record(_ kind: Event.Kind) {
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
        request.identifier.utf8.count + request.byteCount
    }
}
