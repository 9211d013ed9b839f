internal import Locking
public import NotificationCore

/// What a subscriber says that its app does; the numbers are the wire's.
public enum AppState: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// Nothing: the subscriber only looks on.
    case notRunning = 0
    /// Loaded, and not at work.
    case suspended = 1
    /// At work, and not in front.
    case background = 2
    /// In front of the person, active or not (semantics.md FG-2).
    case foreground = 3

    /// Orders states by how much the app does.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a primary subscriber answers (api.md 3); the bits are the wire's.
public struct DelegateCapabilities: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Says how a notification is presented while the app is in front.
    public static let willPresent = DelegateCapabilities(rawValue: 1)
    /// Takes what the person did.
    public static let didReceive = DelegateCapabilities(rawValue: 2)
    /// Opens the app's own settings.
    public static let openSettings = DelegateCapabilities(rawValue: 4)
    /// Takes background pushes.
    public static let backgroundPush = DelegateCapabilities(rawValue: 8)
}

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

/// Who answers for each app, and whether it is in front: what live subscriptions declare (api.md 3).
///
/// Not durable: an app that is not connected is not running. From any thread.
final class Delegates: Sendable {
    private struct Subscriber {
        var identifier: String
        /// Absent for an observer.
        var role: DelegateRole?
        var appState: AppState
    }

    private struct State {
        var subscribers: [UInt32: [Subscriber]] = [:]
        /// The centers whose app let a deadline pass: they count as in the background until they
        /// call again.
        var silent: Set<UInt32> = []
    }

    private let state = Guarded(State())

    /// Adds a subscriber; a primary one takes over from the one before.
    ///
    /// - Returns: The subscription that is the primary no longer.
    func attach(_ request: SubscriptionRequest, to number: UInt32) -> String? {
        state.withLock { state in
            // Who only looks on says nothing of the one that is silent.
            if request.role != nil { state.silent.remove(number) }
            var subscribers = state.subscribers[number] ?? []
            var demoted: String?
            if request.role != nil, let index = subscribers.firstIndex(where: { $0.role != nil }) {
                subscribers[index].role = nil
                demoted = subscribers[index].identifier
            }
            subscribers.append(
                Subscriber(
                    identifier: request.identifier,
                    role: request.role,
                    appState: request.appState
                )
            )
            state.subscribers[number] = subscribers
            return demoted
        }
    }

    /// Forgets a subscriber that is gone.
    func detach(_ identifier: String, from number: UInt32) {
        state.withLock { state in
            state.subscribers[number]?.removeAll { $0.identifier == identifier }
            guard state.subscribers[number]?.isEmpty == true else { return }
            state.subscribers[number] = nil
            state.silent.remove(number)
        }
    }

    /// Notes what a subscriber says that its app does now, and gives what that makes of the app.
    ///
    /// - Returns: The highest state of the app's subscribers; nil where this one is unknown.
    func setAppState(
        _ appState: AppState,
        of identifier: String,
        in number: UInt32
    ) -> AppState? {
        state.withLock { state in
            let index = state.subscribers[number]?.firstIndex { $0.identifier == identifier }
            guard let index else { return nil }
            state.silent.remove(number)
            state.subscribers[number]?[index].appState = appState
            return Self.appState(state, number)
        }
    }

    /// Notes that an app called, after which it is believed to be in front again.
    func noteCall(from number: UInt32) {
        state.withLock { state in _ = state.silent.remove(number) }
    }

    /// Notes that apps let a will-present deadline pass (semantics.md D-14).
    func noteSilence(of numbers: Set<UInt32>) {
        guard !numbers.isEmpty else { return }
        state.withLock { state in
            state.silent.formUnion(numbers.filter { state.subscribers[$0] != nil })
        }
    }

    /// Whether a subscription is the one that an app is asked through.
    func isPrimary(_ identifier: String, of number: UInt32) -> Bool {
        state.withLock { state in
            state.subscribers[number]?.contains { $0.identifier == identifier && $0.role != nil }
                ?? false
        }
    }

    /// Whether a center's app is in front, and who answers for it there.
    func presence(of number: UInt32) -> AppPresence {
        state.withLock { state in
            switch Self.appState(state, number) {
            case .notRunning: return .notRunning
            case .suspended: return .suspended
            case .background: return .background
            case .foreground:
                let role = state.subscribers[number]?.compactMap(\.role).first
                guard let role else { return .foreground(.none) }
                guard role.capabilities.contains(.willPresent) else {
                    return .foreground(.withoutWillPresent)
                }
                return .foreground(role.standingPresentation.map { .standing($0) } ?? .asks)
            }
        }
    }

    private static func appState(_ state: State, _ number: UInt32) -> AppState {
        let highest = state.subscribers[number]?.map(\.appState).max() ?? .notRunning
        return state.silent.contains(number) ? min(highest, .background) : highest
    }
}
