internal import BelfryLocking
package import NotificationCore
internal import NotificationStore

/// The questions that a subscriber answers as its app's delegate.
package struct DelegateRole: Hashable, Sendable {
    /// The questions that the subscriber answers.
    package var capabilities: DelegateCapabilities
    /// The subscriber's answer to every will-present question, which is then not asked; nil asks
    /// each time.
    package var standingPresentation: PresentationOptions?

    package init(
        capabilities: DelegateCapabilities,
        standingPresentation: PresentationOptions? = nil
    ) {
        self.capabilities = capabilities
        self.standingPresentation = standingPresentation
    }
}

extension DelegateRole {
    func answers(_ question: Callback.Question) -> Bool {
        switch question {
        case .willPresent: capabilities.contains(.willPresent)
        case .didReceive: capabilities.contains(.didReceive)
        case .backgroundPush: capabilities.contains(.backgroundPush)
        }
    }
}

/// The live subscribers of each app: which one answers for the app, and what the app does (W-16).
///
/// The role and state of a subscription outlive its connection by ``keptNanoseconds``, so that a
/// subscription whose connection was cut can be resumed. They are not durable: an app without a
/// connection is not running.
///
/// From any thread.
final class AppSessions: AppPresenceSource {
    /// How long a cut subscription keeps its role and state.
    static let keptNanoseconds = 5 * Int64.nanosecondsPerSecond
    /// How many cut subscriptions are kept for a center: more than one app opens at a time.
    private static let keptSubscribers = 16

    private struct Subscriber {
        var identifier: String
        /// Tells the subscriber from the subscriber that resumed it, which has the same identifier.
        var owner: ObjectIdentifier?
        /// Absent for an observer.
        var role: DelegateRole?
        var appState: AppState
        /// When the subscriber is forgotten; set once its connection is cut.
        var keptUntil: ElapsedInstant?

        func isThere(at now: ElapsedInstant) -> Bool { keptUntil.map { now < $0 } ?? true }
    }

    private struct State {
        var subscribers: [CenterNumber: [Subscriber]] = [:]
        /// The centers whose app is unresponsive: it let a deadline pass, and counts as in the
        /// background until it calls again.
        var silent: Set<CenterNumber> = []
        /// The centers that have a cut subscriber.
        var cut: Set<CenterNumber> = []

        /// Gives the subscribers of a center, and forgets the cut ones whose time is over.
        mutating func subscribers(of number: CenterNumber, at now: ElapsedInstant) -> [Subscriber] {
            guard cut.contains(number) else { return subscribers[number] ?? [] }
            let those = (subscribers[number] ?? []).filter { $0.isThere(at: now) }
            set(those, of: number)
            return those
        }

        /// The assumed state of a center's app: the highest state of its subscribers, but at most
        /// background while the app is unresponsive.
        mutating func appState(of number: CenterNumber, at now: ElapsedInstant) -> AppState {
            let highest = subscribers(of: number, at: now).map(\.appState).max() ?? .notRunning
            return silent.contains(number) ? min(highest, .background) : highest
        }

        mutating func set(_ subscribers: [Subscriber], of number: CenterNumber) {
            self.subscribers[number] = subscribers.isEmpty ? nil : subscribers
            if subscribers.isEmpty { silent.remove(number) }
            if !subscribers.contains(where: { $0.keptUntil != nil }) { cut.remove(number) }
        }
    }

    private let state = Guarded(State())

    /// Adds a subscriber, which replaces the subscriber that it resumes; a new primary subscriber
    /// replaces the primary before it.
    ///
    /// - Returns: The subscription that is no longer the primary.
    func attach(
        _ request: SubscriptionRequest,
        owner: ObjectIdentifier? = nil,
        to number: CenterNumber,
        at now: ElapsedInstant
    ) -> String? {
        state.withLock { state in
            // Clear the mark for any call of the app, also for one of an observer (D-27).
            state.silent.remove(number)
            var subscribers = state.subscribers(of: number, at: now)
            subscribers.removeAll { $0.identifier == request.identifier }
            var demoted: String?
            if request.role != nil, let index = subscribers.firstIndex(where: { $0.role != nil }) {
                subscribers[index].role = nil
                demoted = subscribers[index].identifier
            }
            subscribers.append(
                Subscriber(
                    identifier: request.identifier,
                    owner: owner,
                    role: request.role,
                    appState: request.appState
                )
            )
            state.set(subscribers, of: number)
            return demoted
        }
    }

    /// Forgets a subscriber that has ended.
    func detach(_ identifier: String, owner: ObjectIdentifier? = nil, from number: CenterNumber) {
        state.withLock { state in
            guard var subscribers = state.subscribers[number] else { return }
            subscribers.removeAll { $0.identifier == identifier && $0.owner == owner }
            state.set(subscribers, of: number)
        }
    }

    /// Whether a subscriber has a role or an app state, which are kept when it is cut.
    func speaks(_ identifier: String, for number: CenterNumber) -> Bool {
        state.withLock { state in
            state.subscribers[number]?.contains {
                $0.identifier == identifier && ($0.role != nil || $0.appState != .notRunning)
            } ?? false
        }
    }

    /// Keeps the role and state of a subscriber for a while after its connection was cut.
    func cut(
        _ identifier: String,
        owner: ObjectIdentifier? = nil,
        from number: CenterNumber,
        at now: ElapsedInstant
    ) {
        state.withLock { state in
            var subscribers = state.subscribers(of: number, at: now)
            let index = subscribers.firstIndex {
                $0.identifier == identifier && $0.owner == owner
            }
            guard let index else { return }
            subscribers[index].keptUntil = now.advanced(byNanoseconds: Self.keptNanoseconds)
            // Move the newest subscriber last, so that the limit keeps those that may still resume.
            subscribers.append(subscribers.remove(at: index))
            if subscribers.count(where: { $0.keptUntil != nil }) > Self.keptSubscribers,
                let oldest = subscribers.firstIndex(where: { $0.keptUntil != nil })
            {
                subscribers.remove(at: oldest)
            }
            state.cut.insert(number)
            state.set(subscribers, of: number)
        }
    }

    /// The role and state of a subscriber that is connected, or was cut a short while ago.
    ///
    /// - Returns: The role and state; nil where there is no such subscriber any more.
    func said(
        by identifier: String,
        for number: CenterNumber,
        at now: ElapsedInstant
    ) -> (role: DelegateRole?, appState: AppState)? {
        state.withLock { state in
            state.subscribers(of: number, at: now).first { $0.identifier == identifier }
                .map { ($0.role, $0.appState) }
        }
    }

    /// Forgets the subscribers that were cut and not resumed in time.
    func forgetLost(at now: ElapsedInstant) {
        state.withLock { state in
            for number in state.cut { _ = state.subscribers(of: number, at: now) }
        }
    }

    /// Notes the app state that a subscriber reports.
    ///
    /// - Returns: Whether there is such a subscriber.
    func setAppState(
        _ appState: AppState,
        of identifier: String,
        in number: CenterNumber,
        at now: ElapsedInstant
    ) -> Bool {
        state.withLock { state in
            var subscribers = state.subscribers(of: number, at: now)
            let index = subscribers.firstIndex { $0.identifier == identifier }
            guard let index else { return false }
            state.silent.remove(number)
            subscribers[index].appState = appState
            state.set(subscribers, of: number)
            return true
        }
    }

    var hasSilentApps: Bool { state.withLock { !$0.silent.isEmpty } }

    func noteCall(from number: CenterNumber) {
        state.withLock { state in _ = state.silent.remove(number) }
    }

    func noteSilence(of numbers: Set<CenterNumber>) {
        guard !numbers.isEmpty else { return }
        state.withLock { state in
            state.silent.formUnion(numbers.filter { state.subscribers[$0] != nil })
        }
    }

    func isPrimary(_ identifier: String, of number: CenterNumber, at now: ElapsedInstant) -> Bool {
        state.withLock { state in
            state.subscribers(of: number, at: now).contains {
                $0.identifier == identifier && $0.role != nil
            }
        }
    }

    func isConnected(_ capability: DelegateCapabilities, of number: CenterNumber) -> Bool {
        state.withLock { state in
            (state.subscribers[number] ?? []).contains {
                $0.keptUntil == nil && $0.role?.capabilities.contains(capability) == true
            }
        }
    }

    func appState(of number: CenterNumber, at now: ElapsedInstant) -> AppState {
        state.withLock { $0.appState(of: number, at: now) }
    }

    func presence(of number: CenterNumber, at now: ElapsedInstant) -> AppPresence {
        state.withLock { state in
            switch state.appState(of: number, at: now) {
            case .notRunning: return .notRunning
            case .suspended: return .suspended
            case .background: return .background
            case .foreground:
                guard let role = state.subscribers[number]?.compactMap(\.role).first else {
                    return .foreground(.none)
                }
                if let standing = role.standingPresentation {
                    return .foreground(.standing(standing))
                }
                let asks = role.capabilities.contains(.willPresent)
                return .foreground(asks ? .asks : .withoutWillPresent)
            }
        }
    }
}
