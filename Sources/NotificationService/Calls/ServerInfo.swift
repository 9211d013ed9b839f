internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerServer(in router: inout Router) {
        router.unary("ServerService/GetServerInfo", role: .any) {
            (_: Belfry_V1_GetServerInfoRequest, reply: Reply<Belfry_V1_GetServerInfoResponse>) in
            reply.finish(
                .success(
                    .with { response in
                        response.version = self.options.version
                        response.profile = .init(rawValue: Int(store.profile.rawValue)) ?? .server
                        response.clock = .init(store.clock)
                        response.limits = .with { limits in
                            limits.pendingPerCenter = UInt64(store.limits.pendingPerCenter)
                            let policy = Int(store.limits.pendingLimitPolicy.rawValue)
                            limits.pendingLimitPolicy = .init(rawValue: policy) ?? .rejectNew
                            limits.deliveredPerCenter = UInt64(store.limits.deliveredPerCenter)
                            limits.deliveredRetention = .init(
                                nanoseconds: store.limits.deliveredNanoseconds
                            )
                            limits.eventRetention = .init(
                                nanoseconds: store.limits.eventNanoseconds
                            )
                            limits.eventBytesPerCenter = UInt64(store.limits.eventBytesPerCenter)
                            let subscriptions = self.subscriptionShares.ownerLimit
                            limits.subscriptionsPerCenter = UInt64(subscriptions)
                            limits.contentBytes = UInt64(Limits.contentBytes)
                            limits.identifierBytes = UInt64(Limits.identifierBytes)
                            limits.messageBytes = UInt64(self.options.maximumReceiveBytes)
                            limits.batchRequests = UInt64(Self.batchRequests)
                            limits.pageSize = UInt64(Self.largestPageSize)
                        }
                    }
                )
            )
        }
    }
}

extension Belfry_V1_ClockState {
    init(_ clock: Clock) {
        self.init(clock.now(), isManual: clock.isManual)
    }

    init(_ now: Now, isManual: Bool) {
        self.init()
        kind = isManual ? .manual : .system
        self.now = .init(now.wall)
        elapsed = .init(nanoseconds: now.elapsed.nanoseconds)
    }
}
