internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol

// The dismissal of many notifications.

extension DeviceClient {
    /// How many notifications are dismissed at a time.
    private static let dismissalLimit = 4

    /// Dismisses notifications, each by itself.
    ///
    /// - Returns: A note without a text, or what was not dismissed.
    func dismiss(each notifications: [Belfry_V1_NotificationRef]) async -> CenterEvent {
        var rest = notifications[...]
        var failed: [Belfry_V1_NotificationRef] = []
        var last: ClientError?
        await withTaskGroup(of: (Belfry_V1_NotificationRef, ClientError?).self) { group in
            for _ in 0..<min(Self.dismissalLimit, notifications.count) {
                let notification = rest.removeFirst()
                group.addTask { (notification, await clear(notification)) }
            }
            for await (notification, error) in group {
                if let error {
                    failed.append(notification)
                    // Stay with a lost server, which is the reason of those that are not tried.
                    if last?.code != .unavailable { last = error }
                }
                guard last?.code != .unavailable, let next = rest.popFirst() else { continue }
                group.addTask { (next, await clear(next)) }
            }
        }
        guard let last else { return .note(CenterScreen.Note(text: "")) }
        failed += rest
        return last.code == .unavailable
            ? .kept(failed) : .failed(.dismiss(failed), because: last.text)
    }

    /// Dismisses a notification, unless it is gone or was replaced.
    private func clear(_ notification: Belfry_V1_NotificationRef) async -> ClientError? {
        do {
            _ = try await dismiss(.notification(notification), .clear)
            return nil
        } catch  where ["NOTIFICATION_NOT_FOUND", "NOTIFICATION_REPLACED"].contains(error.reason) {
            return nil
        } catch {
            return error
        }
    }
}
