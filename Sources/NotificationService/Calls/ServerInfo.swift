internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerServer(in router: inout Router) {
        reading("ServerService/GetServerInfo", in: &router) {
            (_: Belfry_V1_GetServerInfoRequest, reply: Reply<Belfry_V1_GetServerInfoResponse>) in
            reply.finish(
                .success(
                    .with { response in
                        response.version = Self.version
                        response.supportsContentExtensions = true
                        response.profile = .init(store.profile)
                        response.clock = .init(store.clock)
                        response.conditions = store.conditions.map(Belfry_V1_Condition.init)
                        response.limits = .with { limits in
                            limits.pendingPerCenter = UInt64(store.limits.pendingPerCenter)
                            limits.pendingLimitPolicy = .init(store.limits.pendingLimitPolicy)
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
                            limits.batchRequests = UInt64(RequestLimits.items)
                            limits.pageSize = UInt64(RequestLimits.pageSize)
                        }
                    }
                )
            )
        }
    }
}

extension Belfry_V1_Profile {
    fileprivate init(_ profile: Profile) {
        switch profile {
        case .server: self = .server
        case .ios: self = .ios
        }
    }
}

extension Belfry_V1_PendingLimitPolicy {
    fileprivate init(_ policy: PendingLimitPolicy) {
        switch policy {
        case .rejectNew: self = .rejectNew
        case .keepSoonest: self = .keepSoonest
        case .keepLatestAdded: self = .keepLatestAdded
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
