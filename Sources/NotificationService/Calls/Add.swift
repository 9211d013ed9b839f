internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import StandardServices

extension NotificationService {
    func registerAdd(in router: inout Router) {
        mutation("NotificationCenterService/Add", in: &router) {
            (
                request: Belfry_V1_AddRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_AddResponse>
            ) throws(Refusal) in
            var notification = try NotificationRequest(request.request, within: [.request])
            notification.trace = reply.trace
            store.add(notification, to: try CenterName(request.center), once: key) { result in
                reply.finish(result.map(Belfry_V1_AddResponse.init))
            }
        }
        mutation("NotificationCenterService/AddBatch", in: &router) {
            (
                request: Belfry_V1_AddBatchRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_AddBatchResponse>
            )
                throws(Refusal) in
            try RequestLimits.checkBatch(request.requests.count, "requests")
            let (trace, caller) = (reply.trace, reply.caller)
            var requests: [Result<NotificationRequest, Refusal>] = []
            for (index, wire) in request.requests.enumerated() {
                // Do not check the rest for nobody: a recurrence takes long.
                if caller.isGone() { throw .callerGone }
                let checked = Result { () throws(Refusal) in
                    var request = try NotificationRequest(
                        wire,
                        within: .element(index, of: .requests)
                    )
                    request.trace = trace
                    return request
                }
                requests.append(checked)
            }
            store.addBatch(requests, to: try CenterName(request.center), once: key) { result in
                reply.finish(result.map(Belfry_V1_AddBatchResponse.init))
            }
        }
    }
}

extension NotificationRequest {
    /// Reads a request that is part of another request; the paths of refusals begin with the path
    /// of the part.
    init(
        _ wire: Belfry_V1_NotificationRequest,
        within path: @autoclosure () -> FieldPath
    ) throws(Refusal) {
        do {
            try self.init(wire)
        } catch {
            throw error.within(path())
        }
    }
}

extension Belfry_V1_AddResponse {
    init(_ reply: AddReply) {
        self.init()
        identifier = reply.identifier
        switch reply.state {
        case .pending(let nextFire):
            state = .pending
            if let nextFire { nextTriggerDate = .init(nextFire) }
        case .arriving:
            state = .arriving
        case .delivered(let delivery):
            state = .delivered
            self.delivery = delivery.rawValue
        case .gone:
            state = .gone
        }
        evictedIdentifiers = reply.evicted
        requestNumber = reply.number.rawValue
        asOfEvent = reply.asOfEvent.rawValue
    }
}

extension Belfry_V1_AddBatchResponse {
    init(_ results: [Result<AddReply, Refusal>]) {
        self.init()
        self.results = results.map { result in
            var wire = Belfry_V1_AddBatchResult()
            switch result {
            case .success(let reply): wire.added = .init(reply)
            case .failure(let refusal): wire.error = .init(refusal)
            }
            return wire
        }
    }
}

extension Belfry_V1_ItemError {
    init(_ refusal: Refusal) {
        self.init()
        code = refusal.kind.code.rawValue
        message = refusal.wireMessage
        reason = refusal.reason.wireName
        domain = refusal.domain
        metadata = refusal.wireMetadata
        fieldViolations = refusal.violations.map { field in
            var wire = Belfry_V1_FieldViolation()
            wire.field = field.field
            wire.description_p = field.description
            return wire
        }
    }
}
