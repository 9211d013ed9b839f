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
        do {
            let (isSnapshotOpen, center) = state.withLock { state in
                if message.snapshot?.isComplete == true { state.isSnapshotOpen = false }
                return (state.isSnapshotOpen, state.center)
            }
            stream.send(
                try message.bytes(
                    center: center,
                    now: clock.now().wall,
                    isPlaceToResume: !isSnapshotOpen
                )
            )
        } catch {
            stream.finish(Status(code: .internalError, message: "the events do not serialize"))
        }
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
    ///
    /// Serialized messages that follow each other are, in protobuf, one message with the fields of
    /// all of them.
    package func bytes(
        center: Belfry_V1_Center,
        now: WallInstant,
        isPlaceToResume: Bool
    ) throws -> [UInt8] {
        var front = Belfry_V1_SubscribeResponse()
        if let beginning {
            var started = Belfry_V1_SubscriptionStarted()
            started.subscriptionID = beginning.identifier
            started.role = beginning.isPrimary ? .primary : .observer
            started.lastEventNumber = beginning.lastEvent.rawValue
            started.appState = .init(beginning.appState)
            front.frames.append(.with { $0.started = started })
        }
        if let snapshot {
            front.frames.append(.with { $0.snapshot = Belfry_V1_Snapshot(snapshot) })
        }
        front.frames += callbacks.map { callback in .with { $0.callback = .init(callback) } }
        front.frames += endedCallbacks.map { ended in .with { $0.callbackEnded = .init(ended) } }
        if isDemoted { front.frames.append(.with { $0.demoted = .init() }) }
        var back = Belfry_V1_SubscribeResponse()
        if isCaughtUp {
            back.frames.append(
                .with { $0.caughtUp = .with { $0.lastEventNumber = bookmark.rawValue } }
            )
        }
        if isHeartbeat {
            back.frames.append(.with { $0.heartbeat = .with { $0.now = .init(now) } })
        }
        if isPlaceToResume { back.bookmark = bookmark.rawValue }
        let events = try slice?.encoded { events -> [UInt8] in
            var response = Belfry_V1_SubscribeResponse()
            response.frames = events.map { event in
                .with { $0.event = Belfry_V1_Event(event, of: center) }
            }
            return try response.serializedBytes()
        }
        var bytes: [UInt8] = try front.serializedBytes()
        let end: [UInt8] = try back.serializedBytes()
        bytes.reserveCapacity(bytes.count + (events?.count ?? 0) + end.count)
        bytes += events ?? []
        bytes += end
        return bytes
    }
}

extension Belfry_V1_Snapshot {
    init(_ part: SnapshotPart) {
        self.init()
        asOfEvent = part.center.lastEvent.rawValue
        delivered = part.delivered.map(Belfry_V1_Notification.init)
        pendingCount = UInt64(part.center.pendingCount)
        badge = part.center.badge
        settings = .init(part.center.settings)
        complete = part.isComplete
    }
}
