internal import BelfryLocking
internal import BelfryWebPush
internal import Glibc
internal import NotificationCore

/// The messages that wait to be sent to browsers.
///
/// Each browser's are sent one after the other, so that a push service that is silent delays no
/// other's. They are in memory alone: what is told is in the device's list too.
final class PushQueue: Sendable {
    /// A browser.
    struct Target: Hashable, Sendable {
        let device: String
        /// The subscription, on its device.
        let identifier: String
    }

    /// Where a browser's messages go, and how they are encrypted.
    struct Address: Sendable {
        let endpoint: PushEndpoint
        let receiver: PushReceiver
    }

    struct Message: Sendable {
        /// The notification that it is about: a later message with the same replaces it.
        let subject: [UInt8]
        let text: PushText
        let urgency: PushRequest.Urgency
        /// From when on nobody needs it: seconds since 1970.
        let end: Int
    }

    /// How many messages had which end.
    struct Counts: Sendable {
        var sent: UInt64 = 0
        var failed: UInt64 = 0
        /// Not needed any more before they were sent.
        var dropped: UInt64 = 0
    }

    private struct Line {
        var address: Address
        var waiting: [Message] = []
        /// The subject of the message that is being sent.
        var current: [UInt8]?
        var worker: Task<Void, Never>?
    }

    private struct State {
        /// By the device and the subscription.
        ///
        /// Bounded: the subscriptions of the store.
        var lines: [String: [String: Line]] = [:]
        var waitingCount = 0
        var isStopped = false
        var totals = Counts()
        var freePlaces = PushQueue.placeLimit
        var forPlaces: [CheckedContinuation<Void, Never>] = []

        /// Removes waiting messages that are not needed.
        mutating func remove(from line: inout Line, where isNot: (Message) -> Bool) {
            let before = line.waiting.count
            line.waiting.removeAll(where: isNot)
            totals.dropped += UInt64(before - line.waiting.count)
            waitingCount -= before - line.waiting.count
        }
    }

    /// The messages that wait for one browser, and for all; the oldest of a browser gives way.
    static let lineLimit = 32
    static let limit = 4_096
    /// The requests that are open at a time.
    private static let placeLimit = 32

    private let sender: PushSender
    private let carry: @Sendable (PushRequest) async -> PushAnswer?
    private let isGone = Guarded<(@Sendable (Target) -> Void)?>(nil)
    private let state = Guarded(State())

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - sender: Signs the messages.
    ///   - carry: Sends a request; gives nil where there is no answer.
    init(
        sender: PushSender,
        carry: @escaping @Sendable (PushRequest) async -> PushAnswer?
    ) {
        self.sender = sender
        self.carry = carry
    }

    /// Says who is told a browser that is not subscribed any more.
    func whenGone(_ body: @escaping @Sendable (Target) -> Void) {
        isGone.withLock { $0 = body }
    }

    /// How many messages had which end so far.
    var totals: Counts { state.withLock { $0.totals } }

    /// Takes the browsers of a device, by their subscriptions; those that are not among them are
    /// forgotten with their messages.
    ///
    /// Bounded: the subscriptions of a device.
    func set(_ addresses: [String: Address], of device: String) {
        let ended = state.withLock { state in
            let old = state.lines.removeValue(forKey: device) ?? [:]
            // Bounded: an identifier is 16 digits.
            var lines: [String: Line] = [:]
            for (identifier, address) in addresses {
                lines[identifier] = old[identifier] ?? Line(address: address)
                lines[identifier]?.address = address
            }
            if !lines.isEmpty { state.lines[device] = lines }
            let gone = old.filter { lines[$0.key] == nil }.values
            state.waitingCount -= gone.reduce(0) { $0 + $1.waiting.count }
            return gone.compactMap(\.worker)
        }
        for worker in ended { worker.cancel() }
    }

    /// Lets a message be sent to all browsers of a device.
    func put(_ message: Message, to device: String) {
        change(device) { state, identifier, line in
            state.remove(from: &line) { $0.subject == message.subject }
            if line.waiting.count >= Self.lineLimit {
                let oldest = line.waiting[0].subject
                state.remove(from: &line) { $0.subject == oldest }
            }
            guard state.waitingCount < Self.limit else {
                state.totals.failed += 1
                return
            }
            line.waiting.append(message)
            state.waitingCount += 1
            guard line.worker == nil else { return }
            let target = Target(device: device, identifier: identifier)
            line.worker = Task { [self] in await work(for: target) }
        }
    }

    /// Drops the messages about what is not shown any more.
    func drop(_ subject: [UInt8], of device: String) {
        change(device) { state, _, line in
            state.remove(from: &line) { $0.subject == subject }
            if line.current == subject { line.current = nil }
        }
    }

    private func change(_ device: String, _ body: (inout State, String, inout Line) -> Void) {
        state.withLock { state in
            guard !state.isStopped, var lines = state.lines.removeValue(forKey: device) else {
                return
            }
            for identifier in lines.keys {
                guard var line = lines.removeValue(forKey: identifier) else { continue }
                body(&state, identifier, &line)
                lines[identifier] = line
            }
            state.lines[device] = lines
        }
    }

    /// Ends all requests; nothing is sent from then on.
    func stop() {
        let (workers, waiting) = state.withLock { state in
            state.isStopped = true
            defer { (state.lines, state.waitingCount, state.forPlaces) = ([:], 0, []) }
            return (
                state.lines.values.flatMap { $0.values.compactMap(\.worker) }, state.forPlaces
            )
        }
        for worker in workers { worker.cancel() }
        for continuation in waiting { continuation.resume() }
    }

    private func work(for target: Target) async {
        while let (message, address) = next(for: target) {
            await send(message, to: target, at: address)
        }
    }

    /// Takes the next message of a browser; without one its worker ends.
    private func next(for target: Target) -> (Message, Address)? {
        state.withLock { state in
            guard !Task.isCancelled,
                var line = state.lines[target.device]?.removeValue(forKey: target.identifier)
            else { return nil }
            defer { state.lines[target.device]?[target.identifier] = line }
            guard !line.waiting.isEmpty else {
                (line.worker, line.current) = (nil, nil)
                return nil
            }
            let message = line.waiting.removeFirst()
            state.waitingCount -= 1
            line.current = message.subject
            return (message, line.address)
        }
    }

    private func send(_ message: Message, to target: Target, at address: Address) async {
        var attempts = PushAttempts(until: message.end)
        var text = message.text.whole
        var random = SystemRandomNumberGenerator()
        while isWanted(message, by: target) {
            guard
                let request = sender.request(
                    text,
                    to: address.receiver,
                    at: address.endpoint,
                    delivery: .init(
                        subject: message.subject,
                        urgency: message.urgency,
                        end: message.end
                    ),
                    now: Self.seconds
                )
            else { return count { $0.failed += 1 } }
            await enter()
            let answer = Task.isCancelled ? nil : await carry(request)
            leave()
            guard !Task.isCancelled else { return }
            switch attempts.step(after: answer, now: Self.seconds, random: &random) {
            case .finish: return count { $0.sent += 1 }
            case .shorten: text = message.text.short
            case .drop: return count { $0.failed += 1 }
            case .removeSubscription:
                count { $0.failed += 1 }
                isGone.withLock { $0 }?(target)
                return
            case .retry(let instant):
                try? await Task.sleep(for: .seconds(max(1, instant - Self.seconds)))
            }
        }
    }

    /// Whether a message is neither dropped nor replaced by one that waits.
    private func isWanted(_ message: Message, by target: Target) -> Bool {
        guard !Task.isCancelled else { return false }
        return state.withLock { state in
            guard let line = state.lines[target.device]?[target.identifier] else { return false }
            let isWanted =
                line.current == message.subject
                && !line.waiting.contains { $0.subject == message.subject }
            if !isWanted { state.totals.dropped += 1 }
            return isWanted
        }
    }

    private func count(_ end: @Sendable (inout Counts) -> Void) {
        state.withLock { end(&$0.totals) }
    }

    /// Waits for one of the places of open requests.
    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.freePlaces > 0 || state.isStopped {
                    state.freePlaces -= 1
                    return true
                }
                state.forPlaces.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.forPlaces.isEmpty else {
                state.freePlaces += 1
                return nil
            }
            return state.forPlaces.removeFirst()
        }
        next?.resume()
    }

    /// The system's time, also where the store's clock is manual: push services have the real one.
    static var seconds: Int { time(nil) }
}
