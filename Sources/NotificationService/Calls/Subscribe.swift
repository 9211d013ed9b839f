internal import GRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import Synchronization

extension NotificationService {
    func registerSubscribe(in router: inout Router) {
        router.serverStream("/belfry.v1.DelegateService/Subscribe", role: Role.app.rawValue) {
            bytes,
            stream in
            let subscriber = Subscriber(stream, clock: store.clock)
            do {
                let request = try SubscriptionRequest(
                    try Belfry_V1_SubscribeRequest(wire: [UInt8](bytes))
                )
                subscriber.follow(try store.subscribe(request, sink: subscriber))
            } catch let error as Refusal {
                stream.finish(Status(error))
            } catch {
                stream.finish(Status(code: .internalError, message: "subscribing failed"))
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
        let capabilities: DelegateCapabilities = try optionSet(wire.capabilities, "capabilities")
        guard capabilities.isEmpty else {
            throw .unimplemented("capabilities", "capabilities are")
        }
        switch wire.appState {
        case .notRunning: break
        case .suspended, .background, .foreground:
            throw .unimplemented("app_state", "app states are")
        case .UNRECOGNIZED(let value): throw .invalid("app_state", "has no value \(value)")
        }
        guard !wire.hasStandingPresentation else {
            throw .unimplemented("standing_presentation", "standing answers are")
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

/// The questions that a subscriber answers; none in this version.
private struct DelegateCapabilities: OptionSet {
    let rawValue: UInt32
}

/// One open `Subscribe` stream: the store's messages become frames.
private final class Subscriber: SubscriptionSink, ServerStreamDelegate {
    private struct State {
        var subscription: Subscription?
        var isEnded = false
    }

    private let identifier = UUIDText.random()
    private let stream: ServerStream
    private let clock: Clock
    private let state = Mutex(State())

    init(_ stream: ServerStream, clock: Clock) {
        self.stream = stream
        self.clock = clock
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
            let response = Belfry_V1_SubscribeResponse(
                message,
                subscription: identifier,
                now: clock.now().wall
            )
            stream.send(try response.serializedBytes())
        } catch {
            stream.finish(Status(code: .internalError, message: "the events do not serialize"))
        }
    }

    func end(_ refusal: Refusal) {
        // A subscriber that takes nothing would never be told by an orderly end.
        if refusal.kind == .resourceExhausted {
            stream.abort(Status(refusal))
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

extension Belfry_V1_SubscribeResponse {
    init(_ message: SubscriptionMessage, subscription: String, now: WallInstant) {
        self.init()
        if let event = message.startedAt {
            var started = Belfry_V1_SubscriptionStarted()
            started.subscriptionID = subscription
            started.lastEventNumber = event
            frames.append(.with { $0.started = started })
        }
        if let part = message.snapshot {
            frames.append(.with { $0.snapshot = Belfry_V1_Snapshot(part) })
        }
        frames += message.events.map { event in .with { $0.event = Belfry_V1_Event(event) } }
        if message.isCaughtUp, let position = message.bookmark {
            frames.append(.with { $0.caughtUp = .with { $0.lastEventNumber = position } })
        }
        if message.isHeartbeat {
            frames.append(.with { $0.heartbeat = .with { $0.now = .init(now) } })
        }
        if let position = message.bookmark { bookmark = position }
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
