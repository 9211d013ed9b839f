internal import BelfryGRPC
internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

/// A unary call that is answered once, from any thread.
final class Reply<Response: Message>: Sendable {
    private let call: Guarded<ServerCall?>
    /// The call's place in the writer's queue, if it has a place.
    private let place: (shares: Shares<ConnectionIdentifier>, connection: ConnectionIdentifier)?

    init(_ call: consuming ServerCall) {
        self.call = Guarded(call)
        place = nil
    }

    /// Takes a place in the writer's queue for a call that makes a change; refuses the call and
    /// gives nil when its connection has no place left.
    init?(_ call: consuming ServerCall, in shares: Shares<ConnectionIdentifier>) {
        let connection = call.connection
        guard shares.take(connection) else {
            call.finish(Status(.connectionOverloaded))
            return nil
        }
        self.call = Guarded(call)
        place = (shares, connection)
    }

    /// The caller of a read: each connection has a share of the reading threads.
    var caller: ReadCaller {
        let share = call.withLock { call in
            switch call {
            case .some(let call): call.connection.number
            case .none: 0 as UInt
            }
        }
        return ReadCaller(share: share) { [self] in
            call.withLock { call in
                switch call {
                case .some(let call): call.isCancelled && !Fault.cancelledListRead.isPlanted
                case .none: true
                }
            }
        }
    }

    /// The source of the commands that a request of so many bytes makes.
    func source(ofBytes byteCount: Int, _ options: NotificationService.Options) -> CommandSource {
        CommandSource(
            registrant: registrant(options),
            connection: place?.connection.number ?? 0,
            byteCount: byteCount
        )
    }

    /// The trace context of the call; nil where it has none.
    var trace: TraceContext? { call.withLock { TraceContext(of: $0) } }

    /// The account for an app that the call registers; nil for a caller without a limit.
    func registrant(_ options: NotificationService.Options) -> Registrant? {
        call.withLock { call in
            switch call {
            case .some(let call): options.registrant(call.caller)
            case .none: nil
            }
        }
    }

    /// Answers the call; a second answer is a programmer error.
    func finish(_ result: Result<Response, Refusal>) {
        guard let call = call.withLock({ $0.take() }) else {
            preconditionFailure("a call was answered twice")
        }
        if let place { place.shares.giveBack(place.connection) }
        switch result {
        case .success(let response):
            guard let bytes = try? response.serializedBytes() as [UInt8] else {
                call.finish(Status(code: .internalError, message: "the reply does not serialize"))
                return
            }
            call.finish(bytes)
        case .failure(let refusal):
            call.finish(Status(refusal))
        }
    }
}

extension Router {
    /// Registers a unary rpc of the contract that makes no change: decodes its request, and turns
    /// its refusals into statuses.
    ///
    /// - Parameters:
    ///   - method: The rpc as `Service/Method`, without the package.
    ///   - handler: Answers through the reply, or throws the refusal.
    mutating func unary<Request: Message, Response: Message>(
        _ method: String,
        _ handler: @escaping @Sendable (Request, Reply<Response>) throws(Refusal) -> Void
    ) {
        register(method, Reply.init) { (bytes, reply) throws(Refusal) in
            try handler(try Request(wire: bytes), reply)
        }
    }

    /// Registers a unary rpc whose reply comes from `makeReply`; when `makeReply` gives nil, it has
    /// refused the call.
    fileprivate mutating func register<Response: Message>(
        _ method: String,
        _ makeReply: @escaping @Sendable (consuming ServerCall) -> Reply<Response>?,
        _ handler: @escaping @Sendable ([UInt8], Reply<Response>) throws(Refusal) -> Void
    ) {
        unary("/belfry.v1.\(method)") { bytes, call in
            if let remaining = call.remainingTime, remaining <= .zero {
                call.finish(Status(code: .deadlineExceeded, message: "the deadline has passed"))
                return
            }
            guard let reply = makeReply(call) else { return }
            do throws(Refusal) {
                try handler([UInt8](bytes), reply)
            } catch {
                reply.finish(.failure(error))
            }
        }
    }
}

extension NotificationService {
    /// Registers a unary rpc of the contract that makes a change; until it is answered, a call has
    /// one of its connection's places in the writer's queue.
    ///
    /// The handler gets the idempotency key of the request, if the request has a key.
    func mutation<Request: MutatingRequest, Response: Message>(
        _ method: String,
        in router: inout Router,
        _ handler:
            @escaping @Sendable (Request, OnceKey?, Reply<Response>) throws(Refusal) -> Void
    ) {
        changing(method, in: &router, handler)
    }

    private func changing<Request: MutatingRequest, Response: Message>(
        _ method: String,
        in router: inout Router,
        _ handler:
            @escaping @Sendable (Request, OnceKey?, Reply<Response>) throws(Refusal) -> Void
    ) {
        let (shares, options) = (connectionShares, options)
        router.register(method) { call in
            Reply(call, in: shares)
        } _: { (bytes: [UInt8], reply: Reply<Response>) throws(Refusal) in
            let request = try Request(wire: bytes)
            let key =
                request.idempotencyKey.isEmpty
                ? nil
                : try OnceKey(
                    request.idempotencyKey,
                    method: method,
                    request: bytes,
                    by: reply.registrant(options)
                )
            let source = reply.source(ofBytes: bytes.count, options)
            try CommandSource.$current.withValue(source) {
                Result { () throws(Refusal) in try handler(request, key, reply) }
            }.get()
        }
    }
}

extension NotificationService {
    /// Registers a unary rpc of an app that makes a change, like the general `mutation`.
    ///
    /// Also a refused call is noted as a call of the app. An app that missed the deadline of a
    /// callback counts as responsive again after a call (D-27).
    func mutation<Request: MutatingRequest & AppRequest, Response: Message>(
        _ method: String,
        in router: inout Router,
        _ handler:
            @escaping @Sendable (Request, OnceKey?, Reply<Response>) throws(Refusal) -> Void
    ) {
        changing(method, in: &router) {
            (request: Request, key: OnceKey?, reply: Reply<Response>) throws(Refusal) in
            noteCall(request)
            try handler(request, key, reply)
        }
    }

    /// Notes a call of an app, if the request names a valid center.
    func noteCall(_ request: some AppRequest) {
        guard feeds.hasSilentApps, let center = try? CenterName(request.center),
            !Fault.silentAppNotBelievedAgain.isPlanted
        else { return }
        feeds.noteCall(of: center)
    }
}

/// A request that an app itself makes, as its center's client or as its delegate.
protocol AppRequest: Message {
    var center: Belfry_V1_Center { get }
}

extension Belfry_V1_RequestAuthorizationRequest: AppRequest {}
extension Belfry_V1_GetNotificationSettingsRequest: AppRequest {}
extension Belfry_V1_AddRequest: AppRequest {}
extension Belfry_V1_AddBatchRequest: AppRequest {}
extension Belfry_V1_ListPendingRequest: AppRequest {}
extension Belfry_V1_ListUpcomingRequest: AppRequest {}
extension Belfry_V1_RemovePendingRequest: AppRequest {}
extension Belfry_V1_SkipNextRequest: AppRequest {}
extension Belfry_V1_RemoveAllPendingRequest: AppRequest {}
extension Belfry_V1_ListDeliveredRequest: AppRequest {}
extension Belfry_V1_RemoveDeliveredRequest: AppRequest {}
extension Belfry_V1_RemoveAllDeliveredRequest: AppRequest {}
extension Belfry_V1_SetBadgeCountRequest: AppRequest {}
extension Belfry_V1_SetNotificationCategoriesRequest: AppRequest {}
extension Belfry_V1_GetNotificationCategoriesRequest: AppRequest {}
extension Belfry_V1_UpsertNotificationCategoriesRequest: AppRequest {}
extension Belfry_V1_RemoveNotificationCategoriesRequest: AppRequest {}
extension Belfry_V1_UpdateAppStateRequest: AppRequest {}
extension Belfry_V1_CompleteWillPresentRequest: AppRequest {}
extension Belfry_V1_CompleteResponseRequest: AppRequest {}
extension Belfry_V1_CompleteBackgroundPushRequest: AppRequest {}
extension Belfry_V1_GetRichPushRequest: AppRequest {}
extension Belfry_V1_ListRichPushesRequest: AppRequest {}
extension Belfry_V1_MarkRichPushReadRequest: AppRequest {}
extension Belfry_V1_RegisterForRemoteNotificationsRequest: AppRequest {}
extension Belfry_V1_UnregisterForRemoteNotificationsRequest: AppRequest {}

/// A request of an rpc that makes a change.
protocol MutatingRequest: Message {
    /// The idempotency key, a version 7 UUID; empty means no key.
    var idempotencyKey: String { get }
}

extension Belfry_V1_RequestAuthorizationRequest: MutatingRequest {}
extension Belfry_V1_CompleteServiceExtensionRequest: MutatingRequest {}
extension Belfry_V1_AddRequest: MutatingRequest {}
extension Belfry_V1_AddBatchRequest: MutatingRequest {}
extension Belfry_V1_RemovePendingRequest: MutatingRequest {}
extension Belfry_V1_SkipNextRequest: MutatingRequest {}
extension Belfry_V1_RemoveAllPendingRequest: MutatingRequest {}
extension Belfry_V1_RemoveDeliveredRequest: MutatingRequest {}
extension Belfry_V1_RemoveAllDeliveredRequest: MutatingRequest {}
extension Belfry_V1_SetBadgeCountRequest: MutatingRequest {}
extension Belfry_V1_SetNotificationCategoriesRequest: MutatingRequest {}
extension Belfry_V1_UpsertNotificationCategoriesRequest: MutatingRequest {}
extension Belfry_V1_RemoveNotificationCategoriesRequest: MutatingRequest {}
extension Belfry_V1_RegisterAppRequest: MutatingRequest {}
extension Belfry_V1_UnregisterAppRequest: MutatingRequest {}
extension Belfry_V1_SetStringTableRequest: MutatingRequest {}
extension Belfry_V1_SetSoundRequest: MutatingRequest {}
extension Belfry_V1_UpdateSettingsRequest: MutatingRequest {}
extension Belfry_V1_AnswerAuthorizationPromptRequest: MutatingRequest {}
extension Belfry_V1_UpdateAppStateRequest: MutatingRequest {}
extension Belfry_V1_CompleteWillPresentRequest: MutatingRequest {}
extension Belfry_V1_CompleteResponseRequest: MutatingRequest {}
extension Belfry_V1_UpdateDeviceStateRequest: MutatingRequest {}
extension Belfry_V1_ReportLocationRequest: MutatingRequest {}
extension Belfry_V1_ReportBeaconsRequest: MutatingRequest {}
extension Belfry_V1_RespondRequest: MutatingRequest {}
extension Belfry_V1_DismissRequest: MutatingRequest {}
extension Belfry_V1_SnoozeRequest: MutatingRequest {}
extension Belfry_V1_OpenSettingsRequest: MutatingRequest {}
extension Belfry_V1_OpenNotificationRequest: MutatingRequest {}
extension Belfry_V1_CloseNotificationRequest: MutatingRequest {}
extension Belfry_V1_CompleteContentExtensionRequest: MutatingRequest {}
extension Belfry_V1_SetNotificationActionsRequest: MutatingRequest {}
extension Belfry_V1_UpdateContentViewRequest: MutatingRequest {}
extension Belfry_V1_PerformDefaultActionRequest: MutatingRequest {}
extension Belfry_V1_DismissContentExtensionRequest: MutatingRequest {}
extension Belfry_V1_PutAttachmentRequest: MutatingRequest {}
extension Belfry_V1_RegisterForRemoteNotificationsRequest: MutatingRequest {}
extension Belfry_V1_UnregisterForRemoteNotificationsRequest: MutatingRequest {}
extension Belfry_V1_SetTagsRequest: MutatingRequest {}
extension Belfry_V1_PushRequest: MutatingRequest {}
extension Belfry_V1_WithdrawNotificationsRequest: MutatingRequest {}
extension Belfry_V1_CompleteBackgroundPushRequest: MutatingRequest {}
extension Belfry_V1_CancelPushRequest: MutatingRequest {}
extension Belfry_V1_CreateRichPushRequest: MutatingRequest {}
extension Belfry_V1_MarkRichPushReadRequest: MutatingRequest {}
extension Belfry_V1_RevokeDeviceTokenRequest: MutatingRequest {}
extension Belfry_V1_AdvanceClockRequest: MutatingRequest {}
extension Belfry_V1_SetClockRequest: MutatingRequest {}
extension Belfry_V1_SuspendRequest: MutatingRequest {}

extension Message {
    init(wire bytes: [UInt8]) throws(Refusal) {
        do {
            try self.init(serializedBytes: bytes)
        } catch {
            throw Refusal(
                .invalidArgument,
                reason: .malformedMessage,
                message: "the request is not a \(Self.protoMessageName)"
            )
        }
    }
}
