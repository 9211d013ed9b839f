internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerAdmin(in router: inout Router) {
        reading("AdminService/GetClock", in: &router) {
            (_: Belfry_V1_GetClockRequest, reply: Reply<Belfry_V1_GetClockResponse>) in
            reply.finish(.success(.with { $0.clock = .init(store.clock) }))
        }
        mutation("AdminService/AdvanceClock", in: &router) {
            (
                request: Belfry_V1_AdvanceClockRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_AdvanceClockResponse>
            )
                throws(Refusal) in
            store.advanceClock(
                try ClockTarget(request),
                passesCallbacks: request.expireCallbacks,
                once: key
            ) { result in
                reply.finish(result.map(Belfry_V1_AdvanceClockResponse.init))
            }
        }
        mutation("AdminService/SetClock", in: &router) {
            (
                request: Belfry_V1_SetClockRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SetClockResponse>
            )
                throws(Refusal) in
            guard request.hasTo else { throw .clockTarget([.to], "must be there") }
            let instant = try WallInstant(request.to, "to", reason: .clockTargetInvalid)
            store.setClock(to: instant, once: key) { result in
                reply.finish(
                    result.map { now in .with { $0.clock = .init(now, isManual: true) } }
                )
            }
        }
        mutation("AdminService/Suspend", in: &router) {
            (
                request: Belfry_V1_SuspendRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SuspendResponse>
            )
                throws(Refusal) in
            guard request.hasBy else { throw .clockTarget([.by], "must be there") }
            let time = try Int64(request.by, "by", reason: .clockTargetInvalid)
            store.suspend(by: time, once: key) { result in
                reply.finish(result.map(Belfry_V1_SuspendResponse.init))
            }
        }
        mutation("AdminService/RevokeDeviceToken", in: &router) {
            (
                request: Belfry_V1_RevokeDeviceTokenRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RevokeDeviceTokenResponse>
            )
                throws(Refusal) in
            let reason: TokenEnd = try choice(request.revocation, "revocation")
            store.revokeToken(request.token, as: reason, once: key) { result in
                reply.finish(result.map { date in .with { $0.revokedAt = .init(date) } })
            }
        }
        reading("AdminService/GetStats", in: &router) {
            (
                _: Belfry_V1_GetStatsRequest,
                reply: Reply<Belfry_V1_GetStatsResponse>
            )
                throws(Refusal) in
            var stats = try Belfry_V1_GetStatsResponse(of: feeds, refused: options.refusedCalls())
            if let pushes = options.webPushes?.totals {
                stats.counters.webPushesSent = pushes.sent
                stats.counters.webPushesFailed = pushes.failed
                stats.counters.webPushesDropped = pushes.dropped
            }
            reply.finish(.success(stats))
        }
    }
}

extension ClockTarget {
    init(_ wire: Belfry_V1_AdvanceClockRequest) throws(Refusal) {
        switch wire.target {
        case .by(let duration):
            self = .by(nanoseconds: try Int64(duration, "by", reason: .clockTargetInvalid))
        case .to(let date):
            self = .to(try WallInstant(date, "to", reason: .clockTargetInvalid))
        case .toNextDue: self = .toNextDue
        case nil: throw .clockTarget(.written("target"), "must be one of by, to, to_next_due")
        }
    }
}

extension Belfry_V1_AdvanceClockResponse {
    init(_ advance: ClockAdvance) {
        self.init()
        clock = .init(advance.now, isManual: true)
        fired = UInt64(advance.firedCount)
        events = UInt64(advance.eventCount)
        positions = advance.positions
        switch advance.stop {
        case .target: stoppedBy = .target
        case .callback:
            stoppedBy = .callback
            callbackID = advance.callback.map { "\($0)" } ?? ""
        case .nothingDue: stoppedBy = .nothingDue
        }
    }
}

extension Belfry_V1_SuspendResponse {
    init(_ advance: ClockAdvance) {
        self.init()
        clock = .init(advance.now, isManual: true)
        fired = UInt64(advance.firedCount)
        events = UInt64(advance.eventCount)
        positions = advance.positions
    }
}

extension ClockAdvance {
    /// The largest number of centers that one response names.
    private static let positionLimit = 1_000

    fileprivate var positions: [Belfry_V1_CenterPosition] {
        // Sort the centers before they are cut off, so that a retry gets the same bytes.
        lastEvents.sorted { ($0.key.app, $0.key.device) < ($1.key.app, $1.key.device) }
            .prefix(Self.positionLimit)
            .map { name, event in
                .with { position in
                    position.center = .init(name)
                    position.lastEventNumber = event.rawValue
                }
            }
    }
}

extension Belfry_V1_GetStatsResponse {
    /// Counts and sizes of the server for a response.
    ///
    /// Bounded: the reasons are the server's own names.
    init(of feeds: Feeds, refused: [String: UInt64]) throws(Refusal) {
        self.init()
        let store = feeds.store
        let counts = store.counts
        let usage = try store.usage()
        startedAt = .init(store.openedAt)
        counters.adds = UInt64(counts.adds)
        counters.removes = UInt64(counts.removed)
        counters.fired = UInt64(counts.fired)
        counters.delivered = UInt64(counts.delivered)
        counters.suppressed = UInt64(counts.suppressed)
        counters.missed = UInt64(counts.missed)
        counters.evicted = UInt64(counts.evicted)
        counters.batches = UInt64(counts.batches)
        counters.commands = UInt64(counts.commands)
        counters.events = UInt64(counts.events)
        counters.refusedCalls = refused.values.reduce(0, +)
        counters.refusedCallsByReason = refused.sorted { $0.key < $1.key }.map { reason, count in
            .with {
                $0.reason = reason
                $0.count = count
            }
        }
        lateness.count = UInt64(counts.lateness.count)
        lateness.p50 = .init(nanoseconds: counts.lateness.percentile(0.5))
        lateness.p99 = .init(nanoseconds: counts.lateness.percentile(0.99))
        lateness.max = .init(nanoseconds: counts.lateness.maximumNanoseconds)
        lateness.histogram = .init(counts.lateness.durations)
        stages.queueWait = .init(counts.stages.queueWait)
        stages.making = .init(counts.stages.making)
        stages.commit = .init(counts.stages.commit)
        stages.replies = .init(counts.stages.replies)
        self.store.usedBytes = UInt64(usage.usedBytes)
        self.store.fileBytes = UInt64(usage.fileBytes)
        self.store.mapBytes = UInt64(usage.mapBytes)
        self.store.limitBytes = UInt64(usage.limitBytes)
        self.store.freeDiskBytes = UInt64(usage.freeDiskBytes)
        self.store.records = UInt64(usage.records)
        self.store.pending = UInt64(usage.pending)
        self.store.arriving = UInt64(usage.arriving)
        self.store.delivered = UInt64(usage.delivered)
        if usage.idempotencyFloorMilliseconds > 0 {
            floors.idempotencyKeys = .init(
                WallInstant(nanoseconds: usage.idempotencyFloorMilliseconds * 1_000_000)
            )
        }
        let kept = store.limits.eventNanoseconds
        floors.events = .init(store.clock.now().wall.advanced(byNanoseconds: -kept))
        queue.length = UInt64(usage.queuedCommands)
        queue.capacity = UInt64(store.limits.queuedCommands)
        queue.longest = UInt64(usage.longestQueue)
        subscriptions = UInt64(feeds.subscriptionCount)
        conditions = store.conditions.map(Belfry_V1_Condition.init)
    }
}

extension Belfry_V1_Condition {
    init(_ condition: StoreCondition) {
        switch condition {
        case .clockNotSet: self = .clockNotSet
        case .storeFull: self = .storeFull
        case .dueWorkWaits: self = .dueWorkWaits
        case .rowsDamaged: self = .rowsDamaged
        case .overloaded: self = .overloaded
        case .callerAtLimit: self = .callerAtLimit
        }
    }
}

extension Belfry_V1_Histogram {
    init(_ histogram: DurationHistogram) {
        self.init()
        let ends = DurationHistogram.ends
        bounds = ends.indices.map { .init(nanoseconds: ends[$0]) }
        counts = histogram.counts.map(UInt64.init)
        sum = .init(nanoseconds: histogram.sumNanoseconds)
    }
}
