internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    private static let pushToTags = "PushService/PushToTags"

    func registerPushToTags(in router: inout Router) {
        router.serverStream("/belfry.v1.\(Self.pushToTags)") {
            bytes,
            stream in
            let bytes = [UInt8](bytes)
            let follower = PushFollower(stream)
            do throws(Refusal) {
                let request = try Belfry_V1_PushToTagsRequest(wire: bytes)
                var push = try TagPush(request, at: store.clock.now().wall)
                push.content.headers.trace = TraceContext(of: stream)
                let key = try Self.key(of: request, by: options.registrant(stream.caller))
                let place = try subscriptionShares.place(for: stream, of: push.app)
                follower.begin(push, key, after: request.afterOutcome, in: feeds, place)
            } catch {
                stream.finish(Status(error))
            }
            return follower
        }
        reading("PushService/GetPushStatus", in: &router) {
            (
                request: Belfry_V1_GetPushStatusRequest,
                reply: Reply<Belfry_V1_GetPushStatusResponse>
            ) throws(Refusal) in
            let app = try appName(request.appID)
            let status = try store.pushStatus(try TagPushNumber(request.pushID), of: app)
            reply.finish(.success(.init(status)))
        }
        mutation("PushService/CancelPush", in: &router) {
            (
                request: Belfry_V1_CancelPushRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CancelPushResponse>
            ) throws(Refusal) in
            let app = try appName(request.appID)
            store.cancelPush(try TagPushNumber(request.pushID), of: app, once: key) { result in
                reply.finish(result.map { status in .with { $0.totals = .init(status) } })
            }
        }
    }

    /// The key of a push to many, without the position at which the caller goes on: a retry may
    /// name another position.
    private static func key(
        of request: Belfry_V1_PushToTagsRequest,
        by registrant: Registrant?
    ) throws(Refusal) -> OnceKey {
        guard !request.idempotencyKey.isEmpty else { throw .idempotencyKeyRequired }
        var content = request
        content.afterOutcome = 0
        let bytes: [UInt8]? = try? content.serializedBytes()
        return try OnceKey(
            request.idempotencyKey,
            method: pushToTags,
            request: bytes ?? [],
            by: registrant
        )
    }
}

extension TagPush {
    /// For how long a push can be scheduled ahead, in nanoseconds: a year.
    private static let scheduledNanoseconds = 366 * 24 * 3600 * Int64.nanosecondsPerSecond

    init(_ wire: Belfry_V1_PushToTagsRequest, at now: WallInstant) throws(Refusal) {
        let app = try appName(wire.appID)
        let expression = try TagExpression(refusing: wire.tagExpression)
        let content = try TagPushContent(wire.headers, wire.payloadJson, of: app, at: now)
        var date: WallInstant?
        if wire.hasDeliverAt {
            let deliverAt = try WallInstant(wire.deliverAt, "deliver_at")
            let latest = now.advanced(byNanoseconds: Self.scheduledNanoseconds)
            // Allow any date while the clock is not set: it is unknown how far ahead the date lies
            // (DT-4).
            guard deliverAt <= latest || !now.isTime else {
                throw .invalid("deliver_at", "is more than a year ahead")
            }
            date = deliverAt
        }
        self.init(app: app, expression: expression, content: content, deliverAt: date)
    }
}

extension TagExpression {
    /// Reads the tag expression of a request.
    init(refusing text: String) throws(Refusal) {
        do throws(TagExpressionFault) {
            try self.init(text)
        } catch {
            throw .tagExpressionInvalid(error)
        }
    }
}

extension TagPushNumber {
    /// Reads the identifier of a push to many: its number; a push has no other.
    init(_ wire: String) throws(Refusal) {
        guard wire.utf8.count <= 20, let number = UInt64(wire), "\(number)" == wire else {
            throw .pushNotFound
        }
        self.init(rawValue: number)
    }
}

/// One open `PushToTags` stream: the outcomes of a push to many become messages.
private final class PushFollower: FeedSink, ServerStreamDelegate {
    private struct State {
        var place: StreamPlace?
        var feed: TagPushFeed?
        var push: TagPushNumber = 0
        var isEnded = false
        var isLast = false
    }

    private let stream: ServerStream
    private let state = Guarded(State())

    init(_ stream: ServerStream) {
        self.stream = stream
    }

    /// Takes the push, and follows it once it is durable.
    func begin(
        _ push: TagPush,
        _ key: OnceKey,
        after position: UInt64,
        in feeds: Feeds,
        _ place: StreamPlace
    ) {
        state.withLock { $0.place = place }
        feeds.store.pushToTags(push, after: position, once: key) { [self] result in
            do throws(Refusal) {
                let number = try result.get()
                state.withLock { $0.push = number }
                try feeds.followPush(number, of: push.app, after: position, sink: self)
            } catch {
                stream.finish(Status(error))
            }
        }
    }

    // MARK: From the feed

    func begin(_ feed: TagPushFeed) {
        let isEnded = state.withLock { state in
            state.feed = feed
            return state.isEnded
        }
        if isEnded { feed.cancel() }
    }

    func send(_ message: TagPushMessage) {
        let push = state.withLock { state in
            state.isLast = message.status != nil
            return state.push
        }
        stream.send(Belfry_V1_PushToTagsResponse(message, of: push))
    }

    func end(_ refusal: Refusal) {
        stream.end(refusal)
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        let (feed, isLast) = state.withLock { ($0.feed, $0.isLast) }
        if isLast { stream.finish(.ok) } else { feed?.sent() }
    }

    func ended(cancelled: Bool) {
        let (feed, place) = state.withLock { state in
            state.isEnded = true
            return (state.feed.take(), state.place.take())
        }
        defer { withExtendedLifetime(place) {} }
        feed?.cancel()
    }
}
