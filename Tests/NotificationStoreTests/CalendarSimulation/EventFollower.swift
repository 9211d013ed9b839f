internal import Locking
internal import NotificationCore
internal import NotificationStore
internal import TestSupport

/// A subscriber that takes each message as soon as it comes, as a client does that is caught up.
final class EventFollower: Sendable {
    private struct State {
        var events: [Event] = []
        var last: UInt64
        var end: Refusal?
        var wanted: UInt64 = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    let subscription: TestSubscription
    private let state: Guarded<State>

    /// Follows a subscription that begins after the event `last`.
    init(_ subscription: TestSubscription, after last: UInt64) {
        self.subscription = subscription
        state = Guarded(State(last: last))
        Task {
            do throws(Refusal) {
                while true {
                    do { note(try await subscription.next().events) } catch let refusal as Refusal {
                        throw refusal
                    } catch { return }
                }
            } catch {
                note(end: error)
            }
        }
    }

    /// What the stream ended with.
    var end: Refusal? { state.withLock { $0.end } }

    /// Waits until the event `number` was told, and gives those since the last time.
    ///
    /// - Throws: What the stream ended with instead.
    func events(through number: UInt64) async throws -> [Event] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state -> Bool in
                if state.last >= number || state.end != nil { return true }
                state.wanted = number
                state.waiter = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
        return try state.withLock { state in
            if let end = state.end { throw end }
            defer { state.events = [] }
            return state.events
        }
    }

    private func note(_ events: [Event]) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.events += events
            state.last = events.last?.number ?? state.last
            return state.last >= state.wanted ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    private func note(end: Refusal) {
        let waiter = state.withLock { state in
            state.end = end
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
