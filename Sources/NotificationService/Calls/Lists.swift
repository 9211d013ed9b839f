internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension NotificationService {
    private static let pageSize = 100
    /// Entries of one page.
    static let largestPageSize = 1_000

    func registerLists(in router: inout Router) {
        router.unary("NotificationCenterService/ListPending", role: .app) {
            (
                request: Belfry_V1_ListPendingRequest,
                reply: Reply<Belfry_V1_ListPendingResponse>
            )
                throws(Refusal) in
            noteCall(request)
            var query = try Self.query(request.center, request.filter, request.pageSize)
            switch request.order {
            case .identifier: query.order = .identifier
            case .nextTriggerDate: query.order = .nextFireDate
            case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
            }
            let tokens = PageTokens(rpc: "ListPending", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            store.listPending(query, for: reply.caller) { result in
                reply.finish(result.map { page in .init(page, tokens) })
            }
        }
        router.unary("NotificationCenterService/ListDelivered", role: .app) {
            (
                request: Belfry_V1_ListDeliveredRequest,
                reply: Reply<Belfry_V1_ListDeliveredResponse>
            )
                throws(Refusal) in
            noteCall(request)
            var query = try Self.query(request.center, request.filter, request.pageSize)
            switch request.order {
            case .identifier: query.order = .identifier
            case .newestFirst: query.order = .newestFirst
            case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
            }
            let tokens = PageTokens(rpc: "ListDelivered", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            store.listDelivered(query, for: reply.caller) { result in
                reply.finish(result.map { page in .init(page, tokens) })
            }
        }
    }

    private static func query(
        _ center: Belfry_V1_Center,
        _ filter: Belfry_V1_NotificationFilter,
        _ pageSize: Int32
    ) throws(Refusal) -> ListQuery {
        var query = ListQuery(center: try CenterName(center))
        query.identifiers = try identifiers(filter.identifiers, "filter.identifiers")
        query.threadIdentifier = filter.hasThreadIdentifier ? filter.threadIdentifier : nil
        query.categoryIdentifier = filter.hasCategoryIdentifier ? filter.categoryIdentifier : nil
        try atMost(Limits.nameBytes, query.threadIdentifier, "filter.thread_identifier")
        try atMost(
            Limits.categoryIdentifierBytes,
            query.categoryIdentifier,
            "filter.category_identifier"
        )
        query.pageSize = try Self.pageSize(pageSize)
        return query
    }

    /// Refuses a text of more bytes than what it names can have.
    private static func atMost(
        _ limit: Int,
        _ text: String?,
        _ path: String
    ) throws(Refusal) {
        guard let text, text.utf8.count > limit else { return }
        throw .invalid(path, "is at most \(limit) bytes")
    }

    /// Reads how many entries a page may have.
    static func pageSize(_ wire: Int32) throws(Refusal) -> Int {
        guard (0...largestPageSize).contains(Int(wire)) else {
            throw .invalid("page_size", "must be 1-\(largestPageSize), or 0 for \(pageSize)")
        }
        return wire == 0 ? pageSize : Int(wire)
    }
}

extension Belfry_V1_ListPendingResponse {
    init(_ page: Page<PendingRequest>, _ tokens: PageTokens) {
        self.init()
        requests = page.entries.map { entry in
            var wire = Belfry_V1_PendingRequest()
            wire.request = .init(entry.request)
            wire.nextTriggerDate = .init(entry.nextFire)
            wire.addedAt = .init(entry.addedAt)
            return wire
        }
        nextPageToken = tokens.text(page.nextToken)
        asOfEvent = page.asOfEvent
    }
}

extension Belfry_V1_ListDeliveredResponse {
    init(_ page: Page<DeliveredNotification>, _ tokens: PageTokens) {
        self.init()
        notifications = page.entries.map(Belfry_V1_Notification.init)
        nextPageToken = tokens.text(page.nextToken)
        asOfEvent = page.asOfEvent
    }
}
