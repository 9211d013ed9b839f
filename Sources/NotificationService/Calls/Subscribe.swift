internal import GRPC
internal import Locking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSubscribe(in router: inout Router) {
        router.serverStream("/belfry.v1.DelegateService/Subscribe", role: Role.app.rawValue) {
            bytes,
            stream in
            let bytes = [UInt8](bytes)
            let request = Result { () throws(Refusal) in
                try SubscriptionRequest(try Belfry_V1_SubscribeRequest(wire: bytes))
            }
            let subscriber = Subscriber(stream, clock: store.clock, request: try? request.get())
            do throws(Refusal) {
                subscriber.follow(try store.subscribe(try request.get(), sink: subscriber))
            } catch {
                stream.finish(Status(error))
            }
            return subscriber
        }
    }
}

extension SubscriptionRequest {
    /// Reads what an observer asks for; what belongs to a primary is refused as not implemented.
    init(_ wire: Belfry_V1_SubscribeRequest) throws(Refusal) {
        self.init(center: try CenterName(wire.center))
        switch wire.role {
        case .observer: break
        case .primary: throw .unimplemented("role", "the primary role is")
        case .UNRECOGNIZED(let value): throw .invalid("role", "has no value \(value)")
        }
        guard try optionBits(wire.capabilities, "capabilities") == 0 else {
            throw .unimplemented("capabilities", "capabilities are")
        }
        switch wire.appState {
        case .notRunning: break
        case .suspended, .background, .foreground:
            throw .unimplemented("app_state", "app states are")
        case .UNRECOGNIZED(let value): throw .invalid("app_state", "has no value \(value)")
        }
        guard !wire.hasStandingPresentation else {
            let path = "standing_presentation"
            try optionBits(wire.standingPresentation.options, "\(path).options")
            throw .unimplemented(path, "standing answers are")
        }
        guard wire.resumeSubscriptionID.isEmpty else {
            throw .unimplemented("resume_subscription_id", "resuming a role is")
        }
        guard !(wire.snapshot && wire.hasAfter) else {
            throw .invalid(
                "after",
                "a snapshot says itself where the events go on",
                reason: "SNAPSHOT_WITH_AFTER"
            )
        }
        after = wire.hasAfter ? wire.after : nil
        wantsSnapshot = wire.snapshot
    }
}

/// One open `Subscribe` stream: the store's messages become frames.
private final class Subscriber: SubscriptionSink, ServerStreamDelegate {
    private struct State {
        var subscription: Subscription?
        var isEnded = false
        /// Whether parts of the snapshot are still to come: no event is a place to resume at then.
        var isSnapshotOpen: Bool
    }

    private let identifier = UUIDText.random()
    private let stream: ServerStream
    private let clock: Clock
    private let state: Guarded<State>

    init(_ stream: ServerStream, clock: Clock, request: SubscriptionRequest?) {
        self.stream = stream
        self.clock = clock
        state = Guarded(State(isSnapshotOpen: request?.wantsSnapshot ?? false))
    }

    /// Ties the stream to its subscription; the stream may have ended meanwhile.
    func follow(_ subscription: Subscription) {
        let isEnded = state.withLock { state in
            state.subscription = subscription
            return state.isEnded
        }
        if isEnded { subscription.cancel() }
    }

    // MARK: From the store

    func send(_ message: SubscriptionMessage) {
        do {
            let isSnapshotOpen = state.withLock { state in
                if message.snapshot?.isComplete == true { state.isSnapshotOpen = false }
                return state.isSnapshotOpen
            }
            stream.send(
                try message.bytes(
                    subscription: identifier,
                    now: clock.now().wall,
                    isPlaceToResume: !isSnapshotOpen
                )
            )
        } catch {
            stream.finish(Status(code: .internalError, message: "the events do not serialize"))
        }
    }

    func end(_ refusal: Refusal) {
        // A subscriber that takes nothing would never be told by an orderly end; the details do
        // not travel then, so the message begins with the reason.
        if refusal.kind == .resourceExhausted {
            stream.abort(
                Status(code: refusal.kind.code, message: "\(refusal.reason): \(refusal.message)")
            )
        } else {
            stream.finish(Status(refusal))
        }
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        state.withLock { $0.subscription }?.sent()
    }

    func ended(cancelled: Bool) {
        let subscription = state.withLock { state in
            state.isEnded = true
            return state.subscription.take()
        }
        subscription?.cancel()
    }
}

extension SubscriptionMessage {
    /// The `SubscribeResponse`, of which the events are the same bytes for each subscriber.
    ///
    /// Messages of protobuf that follow each other are one message with the fields of all.
    func bytes(
        subscription: String,
        now: WallInstant,
        isPlaceToResume: Bool
    ) throws -> [UInt8] {
        var front = Belfry_V1_SubscribeResponse()
        if let startedAt {
            var started = Belfry_V1_SubscriptionStarted()
            started.subscriptionID = subscription
            started.lastEventNumber = startedAt
            front.frames.append(.with { $0.started = started })
        }
        if let snapshot {
            front.frames.append(.with { $0.snapshot = Belfry_V1_Snapshot(snapshot) })
        }
        var back = Belfry_V1_SubscribeResponse()
        if isCaughtUp {
            back.frames.append(.with { $0.caughtUp = .with { $0.lastEventNumber = bookmark } })
        }
        if isHeartbeat {
            back.frames.append(.with { $0.heartbeat = .with { $0.now = .init(now) } })
        }
        if isPlaceToResume { back.bookmark = bookmark }
        let events = try slice?.encoded { events in
            var response = Belfry_V1_SubscribeResponse()
            response.frames = events.map { event in .with { $0.event = Belfry_V1_Event(event) } }
            return try response.serializedBytes()
        }
        let ends: ([UInt8], [UInt8]) = (try front.serializedBytes(), try back.serializedBytes())
        return ends.0 + (events ?? []) + ends.1
    }
}

extension Belfry_V1_Snapshot {
    init(_ part: SnapshotPart) {
        self.init()
        asOfEvent = part.center.lastEvent
        delivered = part.delivered.map(Belfry_V1_Notification.init)
        pendingCount = UInt64(part.center.pendingCount)
        badge = part.center.badge
        settings = .init(part.center.settings)
        complete = part.isComplete
    }
}
