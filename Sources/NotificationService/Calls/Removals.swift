internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerRemovals(in router: inout Router) {
        mutation("NotificationCenterService/RemovePending", in: &router) {
            (
                request: Belfry_V1_RemovePendingRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RemovePendingResponse>
            )
                throws(Refusal) in
            let identifiers = try RequestLimits.identifiers(request.identifiers)
            store.removePending(identifiers, from: try CenterName(request.center), once: key) {
                result in
                reply.finish(result.map { removed in .with { $0.removedIdentifiers = removed } })
            }
        }
        mutation("NotificationCenterService/RemoveAllPending", in: &router) {
            (
                request: Belfry_V1_RemoveAllPendingRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RemoveAllPendingResponse>
            ) throws(Refusal) in
            store.removeAllPending(from: try CenterName(request.center), once: key) { result in
                reply.finish(result.map { count in .with { $0.removedCount = UInt64(count) } })
            }
        }
        mutation("NotificationCenterService/RemoveDelivered", in: &router) {
            (
                request: Belfry_V1_RemoveDeliveredRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RemoveDeliveredResponse>
            ) throws(Refusal) in
            let identifiers = try RequestLimits.identifiers(request.identifiers)
            store.removeDelivered(identifiers, from: try CenterName(request.center), once: key) {
                result in
                reply.finish(result.map { removed in .with { $0.removedIdentifiers = removed } })
            }
        }
        mutation("NotificationCenterService/RemoveAllDelivered", in: &router) {
            (
                request: Belfry_V1_RemoveAllDeliveredRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RemoveAllDeliveredResponse>
            ) throws(Refusal) in
            store.removeAllDelivered(from: try CenterName(request.center), once: key) { result in
                reply.finish(result.map { count in .with { $0.removedCount = UInt64(count) } })
            }
        }
    }
}
