internal import BelfryLocking
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore
internal import TestSupport

/// A subscriber that takes each message as soon as it comes, as a client does that is caught up.
final class EventFollower: Sendable {
    private struct State {
        var events: [Event] = []
        var last: EventNumber
        var end: Refusal?
        var isCaughtUp = false
        var wanted: EventNumber = 0
        var waiter: CheckedContinuation<Void, Never>?

        /// Takes the waiter for an event that has come.
        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            isCaughtUp && last >= wanted || end != nil ? waiter.take() : nil
        }
    }

    let subscription: TestSubscription
    private let state: Guarded<State>

    /// Follows a subscription that begins after the event `last`, and waits until it was told all
    /// events: only then no event may be trimmed before it.
    static func follow(
        _ subscription: TestSubscription,
        after last: EventNumber
    ) async -> EventFollower {
        let follower = EventFollower(subscription, after: last)
        await follower.wait(for: last)
        return follower
    }

    private init(_ subscription: TestSubscription, after last: EventNumber) {
        self.subscription = subscription
        state = Guarded(State(last: last))
        Task {
            do throws(Refusal) {
                while true {
                    do { note(try await subscription.next()) } catch let refusal as Refusal {
                        throw refusal
                    } catch { return }
                }
            } catch {
                note(end: error)
            }
        }
    }

    /// The refusal that ended the stream.
    var end: Refusal? { state.withLock { $0.end } }

    /// Waits until the event `number` was told, and gives those since the last time.
    ///
    /// - Throws: What the stream ended with instead.
    func events(through number: EventNumber) async throws -> [Event] {
        await wait(for: number)
        return try state.withLock { state in
            if let end = state.end { throw end }
            defer { state.events = [] }
            return state.events
        }
    }

    private func wait(for number: EventNumber) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.wanted = number
                state.waiter = continuation
                return state.takeWaiter()
            }?.resume()
        }
    }

    private func note(_ message: EventFeedMessage) {
        state.withLock { state in
            state.events += message.events
            state.last = message.events.last?.number ?? state.last
            if message.isCaughtUp { state.isCaughtUp = true }
            return state.takeWaiter()
        }?.resume()
    }

    private func note(end: Refusal) {
        state.withLock { state in
            state.end = end
            return state.takeWaiter()
        }?.resume()
    }
}
