internal import BelfryGRPC
internal import BelfryLocking
package import NotificationCore
package import NotificationFeeds
package import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSubscribe(in router: inout Router) {
        router.serverStream("/belfry.v1.DelegateService/Subscribe") {
            bytes,
            stream in
            let bytes = [UInt8](bytes)
            let subscriber = Subscriber(stream, clock: store.clock) { [options] in
                options.registrant(stream.caller)
            }
            do throws(Refusal) {
                let request = try SubscriptionRequest(
                    try Belfry_V1_SubscribeRequest(wire: bytes),
                    identifier: UUIDText.random()
                )
                let owner = "\(request.center.device)/\(request.center.app)"
                let place = try subscriptionShares.place(for: stream, of: owner)
                subscriber.begin(request, of: feeds, place)
            } catch {
                stream.finish(Status(error))
            }
            return subscriber
        }
    }
}

extension SubscriptionRequest {
    init(_ wire: Belfry_V1_SubscribeRequest, identifier: String) throws(Refusal) {
        self.init(center: try CenterName(wire.center), identifier: identifier)
        role = try Self.role(wire)
        appState = try AppState(wire.appState, "app_state")
        if !wire.resumeSubscriptionID.isEmpty {
            try Self.checkResuming(wire)
            resumedIdentifier = wire.resumeSubscriptionID
        }
        guard !(wire.snapshot && wire.hasAfter) else {
            throw .invalid(
                "after",
                "a snapshot says itself where the events go on",
                reason: .snapshotWithAfter
            )
        }
        after = wire.hasAfter ? EventNumber(rawValue: wire.after) : nil
        wantsSnapshot = wire.snapshot
    }

    /// Refuses a request that resumes a subscription and also sets a field that a resumed
    /// subscription keeps.
    private static func checkResuming(_ wire: Belfry_V1_SubscribeRequest) throws(Refusal) {
        for (path, isSet) in [
            ("role", wire.role != .observer),
            ("capabilities", !wire.capabilities.isEmpty),
            ("app_state", wire.appState != .notRunning),
            ("standing_presentation", wire.hasStandingPresentation),
        ] where isSet {
            throw .invalid(
                path,
                "is that of the subscription that is taken up: leave it out",
                reason: .resumeWithRole
            )
        }
    }

    /// Reads the role and the capabilities of a primary; nil for an observer, which answers no
    /// callbacks.
    private static func role(_ wire: Belfry_V1_SubscribeRequest) throws(Refusal) -> DelegateRole? {
        let bits = try optionBits(wire.capabilities, "capabilities")
        let standing =
            wire.hasStandingPresentation
            ? try PresentationOptions(wire.standingPresentation, "standing_presentation") : nil
        switch wire.role {
        case .primary:
            return DelegateRole(
                capabilities: DelegateCapabilities(rawValue: bits),
                standingPresentation: standing
            )
        case .observer:
            let problem = "only a primary subscriber answers for its app"
            guard bits == 0 else { throw .invalid("capabilities", problem) }
            guard standing == nil else { throw .invalid("standing_presentation", problem) }
            return nil
        case .UNRECOGNIZED(let value): throw .invalid("role", "has no value \(value)")
        }
    }
}

extension AppState {
    init(_ wire: Belfry_V1_AppState, _ path: String) throws(Refusal) {
        guard let value = UInt8(exactly: wire.rawValue), let state = AppState(rawValue: value)
        else { throw .invalid(path, "has no value \(wire.rawValue)") }
        self = state
    }
}

/// One open `Subscribe` stream: the messages of its feed become frames.
private final class Subscriber: FeedSink, ServerStreamDelegate {
    private struct State {
        var place: StreamPlace?
        var feed: EventFeed?
        var isEnded = false
        var center = Belfry_V1_Center()
        /// Whether parts of the snapshot are still to come; until the last part, messages have no
        /// bookmark to resume from.
        var isSnapshotOpen = false
    }

    private let stream: ServerStream
    private let clock: Clock
    private let registrant: @Sendable () -> Registrant?
    private let state = Guarded(State())

    /// Opens the stream of a subscriber.
    ///
    /// `registrant` tells for whom an app counts that the stream registers.
    init(
        _ stream: ServerStream,
        clock: Clock,
        registrant: @escaping @Sendable () -> Registrant?
    ) {
        self.stream = stream
        self.clock = clock
        self.registrant = registrant
    }

    /// Subscribes to a center; a primary first registers the app if it is not registered (W-2).
    func begin(_ request: SubscriptionRequest, of feeds: Feeds, _ place: StreamPlace) {
        state.withLock { state in
            state.place = place
            state.center = .init(request.center)
            state.isSnapshotOpen = request.wantsSnapshot
        }
        do throws(Refusal) {
            try feeds.subscribe(request, sink: self)
        } catch {
            guard error.reason == .appNotRegistered, request.role != nil else {
                return stream.finish(Status(error))
            }
            feeds.store.register(request.center, by: registrant()) { result in
                do throws(Refusal) {
                    _ = try result.get()
                    try feeds.subscribe(request, sink: self)
                } catch {
                    self.stream.finish(Status(error))
                }
            }
        }
    }

    // MARK: From the feed

    func begin(_ feed: EventFeed) {
        let isEnded = state.withLock { state in
            state.feed = feed
            return state.isEnded
        }
        if isEnded { feed.cancel() }
    }

    func send(_ message: EventFeedMessage) {
        let (isSnapshotOpen, center) = state.withLock { state in
            if message.snapshot?.isComplete == true { state.isSnapshotOpen = false }
            return (state.isSnapshotOpen, state.center)
        }
        stream.send(
            message.bytes(center: center, now: clock.now().wall, isPlaceToResume: !isSnapshotOpen)
        )
    }

    func end(_ refusal: Refusal) {
        stream.end(refusal)
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        state.withLock { $0.feed }?.sent()
    }

    func ended(cancelled: Bool) {
        let (feed, place) = state.withLock { state in
            state.isEnded = true
            return (state.feed.take(), state.place.take())
        }
        defer { withExtendedLifetime(place) {} }
        feed?.cancel(isCut: cancelled && stream.isCut)
    }
}

extension EventFeedMessage {
    /// The bytes of the `SubscribeResponse`; the bytes of its events are shared by all subscribers.
    package func bytes(
        center: Belfry_V1_Center,
        now: WallInstant,
        isPlaceToResume: Bool
    ) -> [UInt8] {
        let events = slice?.encoded { $0.frames(of: center) } ?? []
        var writer = WireWriter(capacity: events.count + 256)
        if let beginning { writer.put(frame: .with { $0.started = .init(beginning) }) }
        if let snapshot {
            writer.message(1) { frame in frame.message(2) { snapshot.write(to: &$0) } }
        }
        for callback in callbacks { writer.put(frame: .with { $0.callback = .init(callback) }) }
        for ended in endedCallbacks {
            writer.put(frame: .with { $0.callbackEnded = .init(ended) })
        }
        if isDemoted { writer.put(frame: .with { $0.demoted = .init() }) }
        writer.put(fields: events)
        if isCaughtUp {
            writer.put(frame: .with { $0.caughtUp.lastEventNumber = bookmark.rawValue })
        }
        if isHeartbeat { writer.put(frame: .with { $0.heartbeat.now = .init(now) }) }
        if isPlaceToResume { writer.put(2, present: bookmark.rawValue) }
        return writer.bytes
    }
}

extension WireWriter {
    fileprivate mutating func put(frame: Belfry_V1_SubscriptionFrame) { put(1, frame) }
}

extension [Event] {
    /// The bytes of the frames that tell the events.
    fileprivate func frames(of center: Belfry_V1_Center) -> [UInt8] {
        var writer = WireWriter(capacity: 256 * count)
        for event in self {
            writer.message(1) { frame in frame.message(3) { event.write(to: &$0, of: center) } }
        }
        return writer.bytes
    }
}

extension Belfry_V1_SubscriptionStarted {
    fileprivate init(_ beginning: EventFeedBeginning) {
        self.init()
        subscriptionID = beginning.identifier
        role = beginning.isPrimary ? .primary : .observer
        lastEventNumber = beginning.lastEvent.rawValue
        appState = .init(beginning.appState)
    }
}

extension SnapshotPart {
    /// Writes the fields of a `Snapshot`.
    func write(to writer: inout WireWriter) {
        writer.put(1, center.lastEvent.rawValue)
        for notification in delivered { writer.message(2) { notification.write(to: &$0) } }
        writer.put(3, UInt64(clamping: center.pendingCount))
        writer.put(4, center.badge)
        writer.put(5, Belfry_V1_NotificationSettings(center.settings))
        writer.put(6, isComplete)
    }
}
