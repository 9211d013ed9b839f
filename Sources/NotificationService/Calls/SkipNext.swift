internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension NotificationService {
    func registerSkipNext(in router: inout Router) {
        mutation("NotificationCenterService/SkipNext", in: &router) {
            (
                request: Belfry_V1_SkipNextRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SkipNextResponse>
            ) throws(Refusal) in
            guard (1...Limits.identifierBytes).contains(request.identifier.utf8.count) else {
                throw .identifierInvalid([.identifier])
            }
            store.skipNext(
                request.identifier,
                of: try CenterName(request.center),
                once: key
            ) { result in
                reply.finish(result.map(Belfry_V1_SkipNextResponse.init))
            }
        }
    }
}

extension Belfry_V1_SkipNextResponse {
    fileprivate init(_ reply: SkipReply) {
        self.init()
        skippedDate = .init(reply.skipped)
        if let next = reply.nextFire { nextTriggerDate = .init(next) }
    }
}
