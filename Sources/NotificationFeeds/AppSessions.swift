internal import BelfryLocking
public import NotificationCore
internal import NotificationStore

/// The part of a subscriber that answers for its app.
public struct DelegateRole: Hashable, Sendable {
    /// What it answers.
    public var capabilities: DelegateCapabilities
    /// Its answer to every will-present, which is then not asked; nil is asked each time.
    public var standingPresentation: PresentationOptions?

    /// Makes a role.
    public init(
        capabilities: DelegateCapabilities,
        standingPresentation: PresentationOptions? = nil
    ) {
        self.capabilities = capabilities
        self.standingPresentation = standingPresentation
    }
}

extension DelegateRole {
    /// Whether it answers a question.
    func answers(_ question: Callback.Question) -> Bool {
        switch question {
        case .willPresent: capabilities.contains(.willPresent)
        case .didReceive: capabilities.contains(.didReceive)
        }
    }
}

/// Who answers for each app, and whether it is in front, as live subscriptions say (W-16).
///
/// What a subscription said outlives its connection by ``keptNanoseconds``, so that one that is cut
/// can be taken up again. Not durable: an app that is not connected is not running.
///
/// From any thread.
final class AppSessions: AppPresenceSource {
    /// How long a subscription that was cut keeps its role and state.
    static let keptNanoseconds = 5 * Int64.nanosecondsPerSecond
    /// Subscriptions of a center that are cut and kept; more than one app opens at a time.
    private static let keptSubscribers = 16

    private struct Subscriber {
        var identifier: String
        /// Tells it from the one that took it up, which has its identifier.
        var owner: ObjectIdentifier?
        /// Absent for an observer.
        var role: DelegateRole?
        var appState: AppState
        /// When it is forgotten, once it is cut.
        var keptUntil: ElapsedInstant?

        func isThere(at now: ElapsedInstant) -> Bool { keptUntil.map { now < $0 } ?? true }
    }

    private struct State {
        var subscribers: [UInt32: [Subscriber]] = [:]
        /// The centers whose app let a deadline pass: they count as in the background until they
        /// call again.
        var silent: Set<UInt32> = []
        /// The centers of which a subscriber is cut.
        var cut: Set<UInt32> = []

        /// Gives the subscribers of a center that are there, and forgets the others.
        mutating func subscribers(of number: UInt32, at now: ElapsedInstant) -> [Subscriber] {
            guard cut.contains(number) else { return subscribers[number] ?? [] }
            let those = (subscribers[number] ?? []).filter { $0.isThere(at: now) }
            set(those, of: number)
            return those
        }

        /// What a center's app is believed to do: the highest that its subscribers say, but in the
        /// background at most while it is silent.
        mutating func appState(of number: UInt32, at now: ElapsedInstant) -> AppState {
            let highest = subscribers(of: number, at: now).map(\.appState).max() ?? .notRunning
            return silent.contains(number) ? min(highest, .background) : highest
        }

        /// Puts a center's subscribers in the place of those that it had.
        mutating func set(_ subscribers: [Subscriber], of number: UInt32) {
            self.subscribers[number] = subscribers.isEmpty ? nil : subscribers
            if subscribers.isEmpty { silent.remove(number) }
            if !subscribers.contains(where: { $0.keptUntil != nil }) { cut.remove(number) }
        }
    }

    private let state = Guarded(State())

    /// Adds a subscriber, in the place of the one that it takes up; a primary one takes over from
    /// the one before.
    ///
    /// - Returns: The subscription that is the primary no longer.
    func attach(
        _ request: SubscriptionRequest,
        owner: ObjectIdentifier? = nil,
        to number: UInt32,
        at now: ElapsedInstant
    ) -> String? {
        state.withLock { state in
            // Any call of the app ends its silence, that of an observer too (D-27).
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

    /// Forgets a subscriber that is gone.
    func detach(_ identifier: String, owner: ObjectIdentifier? = nil, from number: UInt32) {
        state.withLock { state in
            guard var subscribers = state.subscribers[number] else { return }
            subscribers.removeAll { $0.identifier == identifier && $0.owner == owner }
            state.set(subscribers, of: number)
        }
    }

    /// Whether a subscriber answers for its app or says what it does, which a cut would keep.
    func speaks(_ identifier: String, for number: UInt32) -> Bool {
        state.withLock { state in
            state.subscribers[number]?.contains {
                $0.identifier == identifier && ($0.role != nil || $0.appState != .notRunning)
            } ?? false
        }
    }

    /// Keeps what a subscriber said whose connection was cut, for a while.
    func cut(
        _ identifier: String,
        owner: ObjectIdentifier? = nil,
        from number: UInt32,
        at now: ElapsedInstant
    ) {
        state.withLock { state in
            var subscribers = state.subscribers(of: number, at: now)
            let index = subscribers.firstIndex {
                $0.identifier == identifier && $0.owner == owner
            }
            guard let index else { return }
            subscribers[index].keptUntil = now.advanced(byNanoseconds: Self.keptNanoseconds)
            // The newest is the last, so that the limit keeps those that may still come.
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

    /// What a subscriber said that is there, or was cut a short while ago.
    ///
    /// - Returns: Its role and state; nil where it is not there, or no longer.
    func said(
        by identifier: String,
        for number: UInt32,
        at now: ElapsedInstant
    ) -> (role: DelegateRole?, appState: AppState)? {
        state.withLock { state in
            state.subscribers(of: number, at: now).first { $0.identifier == identifier }
                .map { ($0.role, $0.appState) }
        }
    }

    /// Forgets the subscribers that were cut and did not come back.
    func forgetLost(at now: ElapsedInstant) {
        state.withLock { state in
            for number in state.cut { _ = state.subscribers(of: number, at: now) }
        }
    }

    /// Notes what a subscriber says that its app does now.
    ///
    /// - Returns: Whether there is such a subscriber.
    func setAppState(
        _ appState: AppState,
        of identifier: String,
        in number: UInt32,
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

    /// Whether an app let a deadline pass and did not call since.
    var hasSilentApps: Bool { state.withLock { !$0.silent.isEmpty } }

    /// Notes that an app called, after which it is believed to be in front again.
    func noteCall(from number: UInt32) {
        state.withLock { state in _ = state.silent.remove(number) }
    }

    /// Notes that apps let a will-present deadline pass (D-14).
    func noteSilence(of numbers: Set<UInt32>) {
        guard !numbers.isEmpty else { return }
        state.withLock { state in
            state.silent.formUnion(numbers.filter { state.subscribers[$0] != nil })
        }
    }

    /// Whether a subscription is the one that an app is asked through.
    func isPrimary(_ identifier: String, of number: UInt32, at now: ElapsedInstant) -> Bool {
        state.withLock { state in
            state.subscribers(of: number, at: now).contains {
                $0.identifier == identifier && $0.role != nil
            }
        }
    }

    /// Whether the subscriber that a center's app is asked through is connected, and answers such
    /// questions.
    func isConnected(_ capability: DelegateCapabilities, of number: UInt32) -> Bool {
        state.withLock { state in
            (state.subscribers[number] ?? []).contains {
                $0.keptUntil == nil && $0.role?.capabilities.contains(capability) == true
            }
        }
    }

    /// What a center's app is believed to do.
    func appState(of number: UInt32, at now: ElapsedInstant) -> AppState {
        state.withLock { $0.appState(of: number, at: now) }
    }

    /// Whether a center's app is in front, and who answers for it there.
    func presence(of number: UInt32, at now: ElapsedInstant) -> AppPresence {
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
