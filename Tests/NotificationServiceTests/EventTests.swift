internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationService
@testable internal import NotificationStore

@Suite("Events over the wire (W-14)")
struct EventTests {
    let service: TestService

    init() throws { service = try TestService { $0.limits.deliveredPerCenter = 2 } }

    private func events(after number: UInt64) async throws -> [Belfry_V1_Event] {
        let stream = try await service.subscribe { $0.after = number }
        return try await stream.messagesUntilCaughtUp().flatMap(\.events)
    }

    @Test("settings_changed: the new settings, whole")
    func settingsChanged() async throws {
        let center = try await service.authorizedCenter()
        let event = try #require(try await events(after: 0).first)
        #expect(event.number == 1)
        #expect(event.recordedAt.seconds == 1_767_225_600)
        let settings = try await center.notificationSettings().settings
        #expect(event.settingsChanged.settings == settings)
    }

    @Test("delivered at once: no lateness, since nothing was due")
    func deliveredNow() async throws {
        let center = try await service.authorizedCenter()
        try await center.add("a") { request in
            request.content.badge = 3
            request.content.sound = .init()
        }
        let told = try await events(after: 1)
        try #require(told.count == 2)
        let delivered = told[0].delivered
        #expect(delivered.notification == (try await center.listDelivered().notifications.first))
        #expect(delivered.presentation.options == [.badge, .sound, .list, .banner])
        #expect(!delivered.hasLateBy)
        #expect(!delivered.hasReplacedDelivery)
        #expect(delivered.collapsedCount == 0)
        #expect(told[1].badgeChanged.badge == 3)
    }

    @Test("delivered by an interval: how late it was, and which delivery it replaced")
    func deliveredLate() async throws {
        let center = try await service.authorizedCenter()
        try await center.add("a")
        try await center.add("a", in: .seconds(5)) { $0.content.interruptionLevel = .passive }
        try await service.advance(by: .seconds(5))
        let delivered = try #require(try await events(after: 2).first).delivered
        #expect(delivered.hasLateBy)
        #expect(delivered.lateBy == .init())
        #expect(delivered.replacedDelivery == 1)
        #expect(delivered.presentation.options == [.list])
        #expect(delivered.notification.date.seconds == 1_767_225_605)
    }

    @Test("removed: by the app from either list, and by retention")
    func removed() async throws {
        let center = try await service.authorizedCenter()
        try await center.add("p", in: .seconds(5))
        for identifier in ["a", "b", "c"] { try await center.add(identifier) }
        _ = try await center.removePending(["p"])
        _ = try await center.removeDelivered(["c"])
        let removed = try await events(after: 1).filter { $0.removed != .init() }.map(\.removed)
        let expected: [Belfry_V1_RemovedEvent] = [
            .with {
                $0.identifier = "a"
                $0.state = .delivered
                $0.delivery = 1
                $0.cause = .retention
            },
            .with {
                $0.identifier = "p"
                $0.state = .pending
                $0.cause = .app
            },
            .with {
                $0.identifier = "c"
                $0.state = .delivered
                $0.delivery = 3
                $0.cause = .app
            },
        ]
        #expect(removed == expected)
    }

    @Test("badge_changed: the new badge, and nothing where it stays")
    func badgeChanged() async throws {
        let center = try await service.authorizedCenter()
        for count: Int32 in [4, 4, 0] { _ = try await center.setBadgeCount(count) }
        #expect(try await events(after: 1).map(\.badgeChanged.badge) == [4, 0])
    }

    @Test("missed and suppressed: the due instant, and how long ago it was")
    func notDelivered() throws {
        let request = try NotificationRequest.titled("a", in: .seconds(5))
        let fired = Event.Fired(
            request: request,
            lateByNanoseconds: 1_500_000_000,
            collapsedCount: 0
        )
        func wire(_ kind: Event.Kind) -> Belfry_V1_Event {
            Belfry_V1_Event(Event(number: 9, date: .newYear, kind: kind), of: .init())
        }
        let due = Google_Protobuf_Timestamp(seconds: 1_767_225_598, nanos: 500_000_000)
        let missed = wire(.missed(fired))
        #expect(missed.number == 9)
        #expect(missed.recordedAt.seconds == 1_767_225_600)
        #expect(missed.missed.identifier == "a")
        #expect(missed.missed.dueAt == due)
        #expect(missed.missed.lateBy == .init(seconds: 1, nanos: 500_000_000))
        let suppressed = wire(.suppressed(fired, .notAuthorized, replacedDelivery: nil)).suppressed
        #expect(suppressed.identifier == "a")
        #expect(suppressed.reason == .notAuthorized)
        #expect(suppressed.dueAt == due)
        var now = fired
        now.request.trigger = nil
        now.lateByNanoseconds = 0
        #expect(!suppressed.hasReplacedDelivery)
        let none = wire(.suppressed(now, .notPresented, replacedDelivery: 4)).suppressed
        #expect(!none.hasDueAt)
        #expect(none.replacedDelivery == 4)
        let evicted = wire(.evicted(identifier: "a", by: "b")).evicted
        #expect((evicted.identifier, evicted.evictedBy) == ("a", "b"))
    }

    @Test("An occurrence that stands for many says for how many")
    func collapsed() throws {
        let notification = DeliveredNotification(
            request: try .titled("a", in: .seconds(60), repeats: true),
            date: .newYear,
            delivery: 7
        )
        var delivered = Event.Delivered(
            notification: notification,
            presentation: Presentation([.list]),
            lateByNanoseconds: 180_000_000_001,
            collapsedCount: 3,
            replacedDelivery: nil
        )
        func wire() -> Belfry_V1_DeliveredEvent {
            let event = Event(number: 9, date: .newYear, kind: .delivered(delivered))
            return Belfry_V1_Event(event, of: .init()).delivered
        }
        #expect(wire().collapsedCount == 3)
        #expect(wire().lateBy == .init(seconds: 180, nanos: 1))
        #expect(wire().notification.delivery == 7)
        delivered.collapsedCount = .max
        #expect(wire().collapsedCount == .max)
    }
}
