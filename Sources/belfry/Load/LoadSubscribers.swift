internal import BelfryLocking
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

extension LoadGenerator {
    /// Counts the deliveries that the centers tell of, until it is cancelled.
    ///
    /// - Parameter started: Is told when a center's subscription has begun.
    /// - Throws: What ended a subscription.
    func subscribe(started: @escaping @Sendable () -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for client in centers {
                group.addTask { try await self.follow(client, started) }
            }
            try await group.waitForAll()
        }
    }

    private func follow(
        _ client: NotificationCenterClient,
        _ started: @Sendable () -> Void
    ) async throws {
        var hasStarted = false
        for try await frame in client.subscribe(from: .now) {
            switch frame.kind {
            case .started where !hasStarted:
                hasStarted = true
                started()
            case .event(let event):
                guard case .delivered(let delivered) = event.kind else { continue }
                let now = Date()
                let notification = delivered.notification
                guard let (number, _) = requests.number(of: notification.request) else { continue }
                // Subtract the lateness from the event's instant, which is that of its recording.
                let recorded = notification.date.date
                let due = recorded.addingTimeInterval(-delivered.lateBy.timeInterval)
                fired(number, after: .seconds(now.timeIntervalSince(due)))
            default: break
            }
        }
    }

    /// Waits until each request that was due has fired, or none has for a while.
    func waitForFirings() async throws {
        let clock = ContinuousClock()
        var last = (seen: -1, at: clock.now)
        while true {
            let (seen, expected) = ledger.withLock { ($0.seenFirings, $0.expectedFirings) }
            if seen == expected { break }
            if seen != last.seen { last = (seen, clock.now) }
            // Wait longer than the three seconds after which the last request is due.
            guard clock.now - last.at < .seconds(10) else { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        // Wait a little more, since a second event of a request would come right after the first.
        try await Task.sleep(for: .milliseconds(200))
    }
}
