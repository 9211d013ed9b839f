internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import StandardServices
internal import SwiftProtobuf

extension NotificationService {
    func registerAdd(in router: inout Router) {
        mutation("NotificationCenterService/Add", in: &router) {
            (
                call: AddCall<Belfry_V1_AddRequest>,
                key: OnceKey?,
                reply: Reply<Belfry_V1_AddResponse>
            ) throws(Refusal) in
            let request = try call.request(tracedBy: reply.trace)
            store.add(request, to: try call.centerName(), once: key) { result in
                reply.finish(written: result.map { added in WireWriter(added.write) })
            }
        }
        mutation("NotificationCenterService/AddBatch", in: &router) {
            (
                call: AddCall<Belfry_V1_AddBatchRequest>,
                key: OnceKey?,
                reply: Reply<Belfry_V1_AddBatchResponse>
            ) throws(Refusal) in
            let requests = try call.requests(tracedBy: reply.trace, for: reply.caller)
            store.addBatch(requests, to: try call.centerName(), once: key) { result in
                reply.finish(written: result.map(WireWriter.init(batch:)))
            }
        }
    }
}

/// The message of a call that adds: scanned where it is usual, else decoded and not yet judged.
enum AddCall<Decoded: Message & MutatingRequest & AppRequest>: MutatingRequest, AppRequest {
    case scanned(ScannedAdd)
    case decoded(Decoded)

    init(wire bytes: [UInt8]) throws(Refusal) {
        let isBatch = Decoded.self == Belfry_V1_AddBatchRequest.self
        if let add = ScannedAdd(bytes, atMost: isBatch ? RequestLimits.items : 1) {
            self = .scanned(add)
        } else {
            self = .decoded(try Decoded(wire: bytes))
        }
    }

    var idempotencyKey: String {
        switch self {
        case .scanned(let add): add.idempotencyKey
        case .decoded(let message): message.idempotencyKey
        }
    }

    var replyBytes: Int {
        switch self {
        case .scanned(let add): add.requests.count * itemReplyBytes
        case .decoded(let message): message.replyBytes
        }
    }

    var center: Belfry_V1_Center {
        switch self {
        case .scanned(let add): .init(add.center)
        case .decoded(let message): message.center
        }
    }

    /// The center to which the call adds.
    ///
    /// - Throws: The refusal of a name that no center has.
    func centerName() throws(Refusal) -> CenterName {
        switch self {
        case .scanned(let add): add.center
        case .decoded(let message): try CenterName(message.center)
        }
    }
}

extension AddCall<Belfry_V1_AddRequest> {
    /// The request to add, with the trace context of the call.
    func request(tracedBy trace: TraceContext?) throws(Refusal) -> NotificationRequest {
        switch self {
        case .scanned(let add): add.requests[0].traced(by: trace)
        case .decoded(let message):
            try NotificationRequest(message.request, within: [.request]).traced(by: trace)
        }
    }
}

extension AddCall<Belfry_V1_AddBatchRequest> {
    /// The requests of the batch, or their refusals, with the trace context of the call.
    ///
    /// - Throws: The refusal of the batch's length, or of a caller who is gone.
    func requests(
        tracedBy trace: TraceContext?,
        for caller: ReadCaller
    ) throws(Refusal) -> [Result<NotificationRequest, Refusal>] {
        var requests: [Result<NotificationRequest, Refusal>] = []
        switch self {
        case .scanned(let add):
            if caller.isGone() { throw .callerGone }
            for request in add.requests { requests.append(.success(request.traced(by: trace))) }
        case .decoded(let message):
            try RequestLimits.checkBatch(message.requests.count, "requests")
            for (index, wire) in message.requests.enumerated() {
                // Do not check the rest for nobody: a recurrence takes long.
                if caller.isGone() { throw .callerGone }
                let checked = Result { () throws(Refusal) in
                    try NotificationRequest(wire, within: .element(index, of: .requests))
                        .traced(by: trace)
                }
                requests.append(checked)
            }
        }
        return requests
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

    fileprivate consuming func traced(by trace: TraceContext?) -> NotificationRequest {
        self.trace = trace
        return self
    }
}

extension AddReply {
    /// Writes the fields of an `AddResponse`.
    func write(to writer: inout WireWriter) {
        writer.put(1, identifier)
        switch state {
        case .pending(let nextFire):
            writer.put(Belfry_V1_RequestState.pending)
            if let nextFire { writer.put(3, nextFire) }
        case .arriving: writer.put(Belfry_V1_RequestState.arriving)
        case .delivered(let delivery):
            writer.put(Belfry_V1_RequestState.delivered)
            writer.put(5, present: delivery.rawValue)
        case .gone: writer.put(Belfry_V1_RequestState.gone)
        }
        for identifier in evicted { writer.put(4, present: identifier) }
        writer.put(6, number.rawValue)
        writer.put(7, asOfEvent.rawValue)
    }
}

extension WireWriter {
    fileprivate mutating func put(_ state: Belfry_V1_RequestState) { put(2, state.rawValue) }

    /// Begins with the fields of an `AddBatchResponse`.
    init(batch results: [Result<AddReply, Refusal>]) {
        self.init(capacity: 64 * results.count)
        for result in results {
            message(1) { outcome in
                switch result {
                case .success(let reply): outcome.message(1) { reply.write(to: &$0) }
                case .failure(let refusal): outcome.put(2, Belfry_V1_ItemError(refusal))
                }
            }
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
