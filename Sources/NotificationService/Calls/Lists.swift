internal import GRPC
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
<<<<<<< HEAD
            let order: ListQuery.Order =
                switch request.order {
                case .identifier: .identifier
                case .nextTriggerDate: .nextFireDate
                case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
                }
            let query = try Self.query(
                request.center,
                request.filter,
                order,
                request.pageSize,
                request.pageToken
            )
=======
            var query = try Self.query(request.center, request.filter, request.pageSize)
            switch request.order {
            case .identifier: query.order = .identifier
            case .nextTriggerDate: query.order = .nextFireDate
            case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
            }
            let tokens = PageTokens(rpc: "ListPending", query)
            query.token = try tokens.position(request.pageToken)
>>>>>>> svc
            store.listPending(query) { result in
                reply.finish(result.map { page in .init(page, tokens) })
            }
        }
        router.unary("NotificationCenterService/ListDelivered", role: .app) {
            (
                request: Belfry_V1_ListDeliveredRequest,
                reply: Reply<Belfry_V1_ListDeliveredResponse>
            )
                throws(Refusal) in
<<<<<<< HEAD
            let order: ListQuery.Order =
                switch request.order {
                case .identifier: .identifier
                case .newestFirst: .newestFirst
                case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
                }
            let query = try Self.query(
                request.center,
                request.filter,
                order,
                request.pageSize,
                request.pageToken
            )
=======
            var query = try Self.query(request.center, request.filter, request.pageSize)
            switch request.order {
            case .identifier: query.order = .identifier
            case .newestFirst: query.order = .newestFirst
            case .UNRECOGNIZED(let value): throw .invalid("order", "has no value \(value)")
            }
            let tokens = PageTokens(rpc: "ListDelivered", query)
            query.token = try tokens.position(request.pageToken)
>>>>>>> svc
            store.listDelivered(query) { result in
                reply.finish(result.map { page in .init(page, tokens) })
            }
        }
    }

    private static func query(
        _ center: Belfry_V1_Center,
        _ filter: Belfry_V1_NotificationFilter,
<<<<<<< HEAD
        _ order: ListQuery.Order,
        _ pageSize: Int32,
        _ pageToken: String
    ) throws(Refusal) -> ListQuery {
        var query = ListQuery(center: try CenterName(center))
        query.order = order
=======
        _ pageSize: Int32
    ) throws(Refusal) -> ListQuery {
        var query = ListQuery(center: try CenterName(center))
>>>>>>> svc
        query.identifiers = Set(try identifiers(filter.identifiers, "filter.identifiers"))
        query.threadIdentifier = filter.hasThreadIdentifier ? filter.threadIdentifier : nil
        query.categoryIdentifier = filter.hasCategoryIdentifier ? filter.categoryIdentifier : nil
        guard (0...largestPageSize).contains(Int(pageSize)) else {
            throw .invalid("page_size", "must be 1-\(largestPageSize), or 0 for \(Self.pageSize)")
        }
        query.pageSize = pageSize == 0 ? Self.pageSize : Int(pageSize)
<<<<<<< HEAD
        query.token = pageToken.isEmpty ? nil : try PageToken.bytes(pageToken, order)
=======
>>>>>>> svc
        return query
    }
}

<<<<<<< HEAD
/// A page token: the bytes of the store's position as hexadecimal digits.
enum PageToken {
    private static let digits = Array("0123456789abcdef".utf8)

    /// How long a position is: an identifier, an instant and an identifier, or a delivery.
    private static func byteCounts(_ order: ListQuery.Order) -> ClosedRange<Int> {
        let number = MemoryLayout<UInt64>.size
        return switch order {
        case .identifier: 1...Limits.identifierBytes
        case .nextFireDate: number + 1...number + Limits.identifierBytes
        case .newestFirst: number...number
        }
    }

    static func text(_ bytes: [UInt8]?) -> String {
        let bytes = bytes ?? []
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    static func bytes(_ text: String, _ order: ListQuery.Order) throws(Refusal) -> [UInt8] {
        let nibbles = text.utf8.compactMap { digits.firstIndex(of: $0).map(UInt8.init) }
        guard nibbles.count == text.utf8.count, nibbles.count.isMultiple(of: 2),
            byteCounts(order).contains(nibbles.count / 2)
        else {
            throw .invalid(
                "page_token",
                "is not a next_page_token of this list",
                reason: "PAGE_TOKEN_INVALID"
            )
        }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}

=======
>>>>>>> svc
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
    init(_ page: Page<Notification>, _ tokens: PageTokens) {
        self.init()
        notifications = page.entries.map(Belfry_V1_Notification.init)
        nextPageToken = tokens.text(page.nextToken)
        asOfEvent = page.asOfEvent
    }
}
