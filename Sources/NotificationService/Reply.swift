internal import BelfryGRPC
internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import StandardServices
internal import SwiftProtobuf

/// A unary call that is answered once, from any thread.
final class Reply<Response: Message>: Sendable {
    private let call: Guarded<ServerCall?>
    /// Where the call has a place in the writer's queue; nil where it has none.
    private let shares: Shares<ConnectionIdentifier>?
    private let rooms: ReplyRooms
    /// The account for what the call registers or stores; nil for a caller without a limit.
    let registrant: Registrant?
    private let connection: ConnectionIdentifier
    /// The room that was taken for a long reply.
    private let room = Guarded<ReplyRoom?>(nil)

    init(_ call: consuming ServerCall, of service: NotificationService) {
        registrant = service.options.registrant(call.caller)
        connection = call.connection
        rooms = service.feeds.replies
        self.call = Guarded(call)
        shares = nil
    }

    /// Takes a place in the writer's queue for a call that makes a change; refuses the call and
    /// gives nil when its connection has no place left.
    init?(changing call: consuming ServerCall, of service: NotificationService) {
        let connection = call.connection
        guard service.connectionShares.take(connection) else {
            call.finish(Status(.connectionOverloaded))
            return nil
        }
        registrant = service.options.registrant(call.caller)
        self.connection = connection
        rooms = service.feeds.replies
        self.call = Guarded(call)
        shares = service.connectionShares
    }

    /// Carries the call out when there is room for its reply.
    ///
    /// `byteCount` is the most that the reply has, about; `request` waits with the call.
    func enter(
        for byteCount: Int,
        _ request: [UInt8],
        _ body: @escaping @Sendable () throws(Refusal) -> Void
    ) {
        rooms.enter(turnOwner, for: byteCount, requestByteCount: request.count) { [self] result in
            do throws(Refusal) {
                let room = try result.get()
                self.room.withLock { $0 = room }
                guard !isLate else { return finish(.deadlinePassed) }
                try body()
            } catch {
                finish(.failure(error))
            }
        }
    }

    private var turnOwner: TurnOwner { TurnOwner(registrant, on: connection) }

    private var isLate: Bool {
        call.withLock { call in
            switch call {
            case .some(let call): call.remainingTime.map { $0 <= .zero } ?? false
            case .none: false
            }
        }
    }

    /// The caller of a read: each account has a share of the reading threads, or each connection of
    /// a caller without a limit.
    var caller: ReadCaller {
        watchCaller()
        return ReadCaller(share: turnOwner) { [self] in isCallerGone }
    }

    /// Lets the server learn at once when the caller goes, not only once the call has lasted.
    func watchCaller() { _ = isCallerGone }

    private var isCallerGone: Bool {
        call.withLock { call in
            switch call {
            case .some(let call): call.isCancelled && !Fault.cancelledListRead.isPlanted
            case .none: true
            }
        }
    }

    /// Asks something about who called; nil once the call is answered.
    func asking<Answer>(_ question: (Caller) -> Answer?) -> Answer? {
        call.withLock { call in
            switch call {
            case .some(let call): question(call.caller)
            case .none: nil
            }
        }
    }

    /// The source of the commands that a request of so many bytes makes.
    func source(ofBytes byteCount: Int) -> CommandSource {
        CommandSource(
            registrant: registrant,
            connection: connection.number,
            byteCount: byteCount
        )
    }

    /// The trace context of the call; nil where it has none.
    var trace: TraceContext? { call.withLock { TraceContext(of: $0) } }

    /// Answers the call; a second answer is a programmer error.
    func finish(_ result: Result<Response, Refusal>) {
        finish(bytes: result.map { $0.encoded() })
    }

    /// Answers the call with a response whose fields are written.
    func finish(written result: Result<WireWriter, Refusal>) {
        finish(bytes: result.map(\.bytes))
    }

    private func finish(bytes result: Result<[UInt8], Refusal>) {
        let room = room.withLock { $0.take() }
        let call = take()
        switch result {
        case .success(let bytes):
            let isLong = bytes.count > ReplyRooms.shortByteCount
            let kept = isLong ? (room ?? rooms.room(of: turnOwner)) : nil
            if let kept {
                let ending = call.ending
                kept.keep(bytes.count) { ending.abort(Status(.replyNotRead)) }
            }
            call.finish(bytes, keeping: kept)
        case .failure(let refusal):
            call.finish(Status(refusal))
        }
    }

    private func finish(_ status: Status) { take().finish(status) }

    /// Takes the call, to be finished, and gives its place back.
    private func take() -> ServerCall {
        guard let call = call.withLock({ $0.take() }) else {
            preconditionFailure("a call was answered twice")
        }
        shares?.giveBack(connection)
        return call
    }
}

extension NotificationService {
    /// Registers a unary rpc of the contract that makes no change: decodes its request, and turns
    /// its refusals into statuses.
    ///
    /// `method` is the rpc as `Service/Method`, without the package; `handler` answers through the
    /// reply, or throws the refusal.
    func reading<Request: Message, Response: Message>(
        _ method: String,
        in router: inout Router,
        _ handler: @escaping @Sendable (Request, Reply<Response>) throws(Refusal) -> Void
    ) {
        reading(method, in: &router, replyBytes: 0, handler)
    }

    /// Registers a unary rpc that makes no change, and whose reply may be as long as a page.
    func listing<Request: Message, Response: Message>(
        _ method: String,
        in router: inout Router,
        _ handler: @escaping @Sendable (Request, Reply<Response>) throws(Refusal) -> Void
    ) {
        reading(method, in: &router, replyBytes: store.limits.bytesPerPage, handler)
    }

    private func reading<Request: Message, Response: Message>(
        _ method: String,
        in router: inout Router,
        replyBytes: Int,
        _ handler: @escaping @Sendable (Request, Reply<Response>) throws(Refusal) -> Void
    ) {
        router.register(method) { call in
            Reply<Response>(call, of: self)
        } _: { bytes, reply in
            reply.enter(for: replyBytes, bytes) { () throws(Refusal) in
                try handler(try Request(wire: bytes), reply)
            }
        }
    }
}

extension Router {
    /// Registers a unary rpc whose reply comes from `makeReply`; when `makeReply` gives nil, it has
    /// refused the call.
    fileprivate mutating func register<Response: Message>(
        _ method: String,
        _ makeReply: @escaping @Sendable (consuming ServerCall) -> Reply<Response>?,
        _ handler: @escaping @Sendable ([UInt8], Reply<Response>) throws(Refusal) -> Void
    ) {
        unary("/belfry.v1.\(method)") { bytes, call in
            if let remaining = call.remainingTime, remaining <= .zero {
                return call.finish(.deadlinePassed)
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

extension Status {
    fileprivate static let deadlinePassed = Status(
        code: .deadlineExceeded,
        message: "the deadline has passed"
    )
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
        router.register(method) { call in
            Reply(changing: call, of: self)
        } _: { (bytes: [UInt8], reply: Reply<Response>) throws(Refusal) in
            let request = try Request(wire: bytes)
            reply.enter(for: max(bytes.count, request.replyBytes), bytes) { () throws(Refusal) in
                let key =
                    request.idempotencyKey.isEmpty
                    ? nil
                    : try OnceKey(
                        request.idempotencyKey,
                        method: method,
                        request: bytes,
                        by: reply.registrant
                    )
                let source = reply.source(ofBytes: bytes.count)
                try CommandSource.$current.withValue(source) {
                    Result { () throws(Refusal) in try handler(request, key, reply) }
                }.get()
            }
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
protocol AppRequest {
    var center: Belfry_V1_Center { get }
}

extension Belfry_V1_RequestAuthorizationRequest: AppRequest {}
extension Belfry_V1_GetNotificationSettingsRequest: AppRequest {}
extension Belfry_V1_AddRequest: AppRequest {}
extension Belfry_V1_AddBatchRequest: AppRequest {}
extension Belfry_V1_ListPendingRequest: AppRequest {}
extension Belfry_V1_ListUpcomingRequest: AppRequest {}
extension Belfry_V1_ListTriggerDatesRequest: AppRequest {}
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
protocol MutatingRequest: Sendable {
    /// Reads the bytes of a call, without a judgement of the values in them.
    ///
    /// - Throws: `MALFORMED_MESSAGE` where they are no such message, or the refusal of its length.
    init(wire bytes: [UInt8]) throws(Refusal)
    /// The idempotency key, a version 7 UUID; empty means no key.
    var idempotencyKey: String { get }
    /// About the most bytes of the reply, where it may be long and longer than the request.
    var replyBytes: Int { get }
}

extension MutatingRequest {
    var replyBytes: Int { 0 }

    /// The bytes of an error, and of the reference to a notification.
    var itemReplyBytes: Int { 512 }
}

extension Belfry_V1_AddBatchRequest {
    var replyBytes: Int { requests.count * itemReplyBytes }
}

extension Belfry_V1_CompleteWillPresentRequest {
    var replyBytes: Int { answers.count * itemReplyBytes }
}

extension Belfry_V1_CompleteResponseRequest {
    var replyBytes: Int { answers.count * itemReplyBytes }
}

extension Belfry_V1_CompleteBackgroundPushRequest {
    var replyBytes: Int { answers.count * itemReplyBytes }
}

extension Belfry_V1_SetNotificationCategoriesRequest {
    var replyBytes: Int { categories.count * itemReplyBytes }
}

extension Belfry_V1_UpsertNotificationCategoriesRequest {
    var replyBytes: Int { categories.count * itemReplyBytes }
}

extension Belfry_V1_DismissRequest {
    var replyBytes: Int {
        switch target {
        case .notification: 0
        case .groupID, .all: RequestLimits.items * itemReplyBytes
        case nil: notifications.count * itemReplyBytes
        }
    }
}

extension Belfry_V1_OpenNotificationRequest {
    var replyBytes: Int { Limits.contentBytes + Limits.contentViewBytes }
}

extension Belfry_V1_UpdateDeviceStateRequest {
    var replyBytes: Int { Limits.contentBytes }
}

extension Belfry_V1_UnregisterAppRequest {
    var replyBytes: Int { RequestLimits.items * itemReplyBytes }
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
extension Belfry_V1_CreateWebPushSubscriptionRequest: MutatingRequest {}
extension Belfry_V1_DeleteWebPushSubscriptionRequest: MutatingRequest {}
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
extension Belfry_V1_CreateTokenRequest: MutatingRequest {}
extension Belfry_V1_RevokeTokenRequest: MutatingRequest {}
extension Belfry_V1_AdvanceClockRequest: MutatingRequest {}
extension Belfry_V1_SetClockRequest: MutatingRequest {}
extension Belfry_V1_SuspendRequest: MutatingRequest {}

extension Message {
    init(wire bytes: [UInt8]) throws(Refusal) {
        try Self.checkLength(of: bytes)
        do {
            try self.init(serializedBytes: bytes)
        } catch {
            throw Self.malformed
        }
    }
}
