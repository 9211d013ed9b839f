public import NotificationClient
public import NotificationProtocol

/// The world of a test with the trait ``Testing/Trait/notifications``: a server that no other test
/// has, an app that may notify, and a clock that stands still until the test moves it.
///
/// ```swift
/// @Test(.notifications)
/// func aReminderComesTheNextDay() async throws {
///     let test = try NotificationTest.current
///     _ = try await test.center.add(
///         .with {
///             $0.identifier = "milk"
///             $0.content.title = "Milk"
///             $0.trigger.timeInterval.interval.seconds = 86_400
///         }
///     )
///     #expect(try await test.delivered().isEmpty)
///     try await test.advance(by: .seconds(86_400))
///     #expect(try await test.delivered().map(\.identifier) == ["milk"])
/// }
/// ```
public struct NotificationTest: Sendable {
    /// The app's center, which may notify: the server grants what an app asks for.
    public let center: NotificationCenterClient
    /// The person at the device.
    public let person: DeviceClient
    /// The server, for all else.
    public let client: Client

    @TaskLocal static var scoped: NotificationTest?

    /// The one of the test that runs in this task.
    ///
    /// - Throws: ``MissingTrait`` where the test has no trait.
    public static var current: NotificationTest {
        get throws(MissingTrait) {
            guard let scoped else { throw MissingTrait() }
            return scoped
        }
    }

    /// Moves the clock; returns when what became due is recorded.
    ///
    /// - Throws: ``NotificationClient/ClientError`` with the server's refusal.
    public func advance(by duration: Duration) async throws(ClientError) {
        _ = try await client.admin.advanceClock(by: duration)
    }

    /// The requests whose notifications are in the list, in the order of their identifiers.
    ///
    /// - Throws: ``NotificationClient/ClientError`` with the server's refusal.
    public func delivered() async throws(ClientError) -> [Belfry_V1_NotificationRequest] {
        var found: [Belfry_V1_NotificationRequest] = []
        var pageToken = ""
        repeat {
            let page = try await center.listDelivered(pageToken: pageToken)
            found += page.notifications.map(\.request)
            pageToken = page.nextPageToken
        } while !pageToken.isEmpty
        return found
    }

    /// Presses a button of a notification, or sends a text with it, as the person.
    ///
    /// - Parameters:
    ///   - action: The button's identifier.
    ///   - identifier: The identifier of the notification, which has to be in the list.
    ///   - text: What the person types, for a button that asks for it.
    /// - Throws: ``NotificationClient/ClientError`` with the server's refusal, which is
    ///   `NOTIFICATION_NOT_FOUND` where the list does not have it.
    public func press(
        _ action: String,
        of identifier: String,
        text: String? = nil
    ) async throws(ClientError) {
        var filter = Belfry_V1_NotificationFilter()
        filter.identifiers = [identifier]
        var notification = Belfry_V1_NotificationRef()
        notification.center = center.center
        notification.identifier = identifier
        // A list without it leaves 0, which the server refuses as a delivery that is not there.
        let shown = try await center.listDelivered(filter).notifications
        notification.delivery = shown.first?.delivery ?? 0
        var press = Belfry_V1_CustomAction()
        press.actionIdentifier = action
        if let text { press.userText = text }
        _ = try await person.respond(.action(press), to: notification)
    }
}

/// A test asked for ``NotificationTest/current``, and has no trait ``Testing/Trait/notifications``.
public struct MissingTrait: Error, CustomStringConvertible {
    /// The problem, and the trait to write.
    public var description: String { "the test has no notifications: write @Test(.notifications)" }
}
