internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension NotificationService {
    func registerLists(in router: inout Router) {
        listing("NotificationCenterService/ListPending", in: &router) {
            (
                request: Belfry_V1_ListPendingRequest,
                reply: Reply<Belfry_V1_ListPendingResponse>
            )
                throws(Refusal) in
            noteCall(request)
            var query = try ListQuery(request.center, request.filter, request.pageSize)
            switch request.order {
            case .identifier: query.order = .identifier
            case .nextTriggerDate: query.order = .nextFireDate
            case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
            }
            let tokens = PageTokens(rpc: "ListPending", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            store.listPending(query, for: reply.caller) { result in
                reply.finish(
                    written: result.map { page in page.written(tokens) { $0.write(to: &$1) } }
                )
            }
        }
        listing("NotificationCenterService/ListUpcoming", in: &router) {
            (
                request: Belfry_V1_ListUpcomingRequest,
                reply: Reply<Belfry_V1_ListUpcomingResponse>
            )
                throws(Refusal) in
            noteCall(request)
            var query = try ListQuery(request.center, request.filter, request.pageSize)
            let window = try UpcomingWindow(request)
            let tokens = PageTokens(rpc: "ListUpcoming", query, window, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            store.listUpcoming(query, window, for: reply.caller) { result in
                reply.finish(
                    written: result.map { page in page.written(tokens) { $0.write(to: &$1) } }
                )
            }
        }
        reading("NotificationCenterService/ListTriggerDates", in: &router) {
            (
                request: Belfry_V1_ListTriggerDatesRequest,
                reply: Reply<Belfry_V1_ListTriggerDatesResponse>
            )
                throws(Refusal) in
            noteCall(request)
            let center = try CenterName(request.center)
            let count = try Belfry_V1_ListTriggerDatesResponse.count(of: request)
            let trigger = try Trigger(request)
            store.listDates(
                of: trigger,
                on: center.device,
                atMost: count,
                for: reply.caller
            ) { result in
                reply.finish(result.map(Belfry_V1_ListTriggerDatesResponse.init))
            }
        }
        listing("NotificationCenterService/ListDelivered", in: &router) {
            (
                request: Belfry_V1_ListDeliveredRequest,
                reply: Reply<Belfry_V1_ListDeliveredResponse>
            )
                throws(Refusal) in
            noteCall(request)
            var query = try ListQuery(request.center, request.filter, request.pageSize)
            switch request.order {
            case .identifier: query.order = .identifier
            case .newestFirst: query.order = .newestFirst
            case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
            }
            let tokens = PageTokens(rpc: "ListDelivered", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            store.listDelivered(query, for: reply.caller) { result in
                reply.finish(
                    written: result.map { page in page.written(tokens) { $0.write(to: &$1) } }
                )
            }
        }
    }
}

extension ListQuery {
    /// Reads the filter and the page size of a list; the order and the page token are read by the
    /// caller.
    fileprivate init(
        _ center: Belfry_V1_Center,
        _ filter: Belfry_V1_NotificationFilter,
        _ pageSize: Int32
    ) throws(Refusal) {
        self.init(center: try CenterName(center))
        identifiers = try RequestLimits.identifiers(filter.identifiers, "filter.identifiers")
        threadIdentifier = filter.hasThreadIdentifier ? filter.threadIdentifier : nil
        categoryIdentifier = filter.hasCategoryIdentifier ? filter.categoryIdentifier : nil
        try Self.atMost(Limits.nameBytes, threadIdentifier, "filter.thread_identifier")
        try Self.atMost(
            Limits.categoryIdentifierBytes,
            categoryIdentifier,
            "filter.category_identifier"
        )
        self.pageSize = try RequestLimits.pageSize(pageSize)
    }

    /// Refuses a text of more than `limit` bytes.
    private static func atMost(
        _ limit: Int,
        _ text: String?,
        _ path: String
    ) throws(Refusal) {
        guard let text, text.utf8.count > limit else { return }
        throw .invalid(path, "is at most \(limit) bytes")
    }
}

extension Page {
    /// The fields of a `ListPendingResponse`, `ListUpcomingResponse` or `ListDeliveredResponse`.
    func written(
        _ tokens: PageTokens,
        _ write: (Entry, inout WireWriter) -> Void
    ) -> WireWriter {
        var writer = WireWriter(capacity: 256 * entries.count)
        for entry in entries { writer.message(1) { write(entry, &$0) } }
        writer.put(2, tokens.text(nextToken))
        writer.put(3, asOfEvent.rawValue)
        return writer
    }
}

extension PendingRequest {
    /// Writes the fields of a `PendingRequest`.
    func write(to writer: inout WireWriter) {
        writer.message(1) { request.write(to: &$0) }
        if let nextFire { writer.put(2, nextFire) }
        writer.put(3, addedAt)
    }
}

extension UpcomingRequest {
    /// Writes the fields of an `UpcomingRequest`.
    func write(to writer: inout WireWriter) {
        writer.message(1) { request.write(to: &$0) }
        for date in upcoming.dates { writer.put(2, date) }
        writer.put(3, upcoming.hasMore)
    }
}

extension UpcomingWindow {
    /// The longest window.
    private static let longestNanoseconds: Int64 = 366 * 86_400 * .nanosecondsPerSecond
    /// The window of a request that names none.
    private static let usualNanoseconds: Int64 = 7 * 86_400 * .nanosecondsPerSecond
    /// The most dates of one request.
    private static let mostDates = 1_000
    /// The most dates of one request where the request names no number.
    private static let usualDates = 100

    /// Reads how far ahead a list looks, and how many dates it gives.
    fileprivate init(_ request: Belfry_V1_ListUpcomingRequest) throws(Refusal) {
        var nanoseconds = Self.usualNanoseconds
        if request.hasWindow {
            nanoseconds = try Int64(request.window, "window", reason: .windowInvalid)
            guard nanoseconds > 0, nanoseconds <= Self.longestNanoseconds else {
                throw .invalid(
                    "window",
                    "must be more than 0 and at most 366 days",
                    reason: .windowInvalid
                )
            }
        }
        let count = Int(request.datesPerRequest)
        guard (0...Self.mostDates).contains(count) else {
            throw .invalid(
                "dates_per_request",
                "must be 1-\(Self.mostDates), or 0 for \(Self.usualDates)"
            )
        }
        self.init(nanoseconds: nanoseconds, datesPerRequest: count == 0 ? Self.usualDates : count)
    }
}

extension Trigger {
    /// Reads the trigger that a caller asks about.
    fileprivate init(_ request: Belfry_V1_ListTriggerDatesRequest) throws(Refusal) {
        guard request.hasTrigger else { throw .invalid("trigger", "is required") }
        do {
            try self.init(request.trigger)
        } catch {
            throw error.within([.trigger])
        }
    }
}

extension Belfry_V1_ListTriggerDatesResponse {
    /// The most dates of a trigger.
    private static let mostDates = 100
    /// The dates of a trigger where the request names no number.
    private static let usualDates = 5

    /// Reads how many dates a caller asks for.
    fileprivate static func count(
        of request: Belfry_V1_ListTriggerDatesRequest
    ) throws(Refusal) -> Int {
        let count = Int(request.count)
        guard (0...mostDates).contains(count) else {
            throw .invalid("count", "must be 1-\(mostDates), or 0 for \(usualDates)")
        }
        return count == 0 ? usualDates : count
    }

    init(_ found: TriggerDates?) {
        self.init()
        guard let found else { return }
        dates = found.upcoming.dates.map { .init($0) }
        hasMore_p = found.upcoming.hasMore
        timeZone = found.timeZone ?? ""
    }
}
