internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

/// A request with a list whose elements are messages or texts: reading each takes long, and room in
/// memory, though it may have two bytes.
protocol ListRequest: Message {
    static var list: RequestList { get }
}

/// The list of a request, and how long it may be.
struct RequestList: Sendable {
    /// The number of the list's field.
    let number: UInt64
    let limit: Int
    /// Refuses a longer list, as the handler does.
    let refusal: @Sendable () -> Refusal

    init(_ number: UInt64, atMost limit: Int, refusal: @escaping @Sendable () -> Refusal) {
        self.number = number
        self.limit = limit
        self.refusal = refusal
    }

    /// The list of a batch.
    static func batch(_ number: UInt64, _ path: String) -> Self {
        Self(number, atMost: RequestLimits.items) { RequestLimits.batchTooLarge(path) }
    }

    /// A list of identifiers.
    static func names(_ number: UInt64, _ path: String) -> Self {
        Self(number, atMost: RequestLimits.items) { RequestLimits.tooManyNames(path) }
    }

    /// The fixes or sightings of a report.
    static func report(_ number: UInt64, _ path: String) -> Self {
        Self(number, atMost: Limits.reportsPerCall) { RequestLimits.reportTooLong(path) }
    }

    /// The categories that a call sets or changes.
    static func categories(_ number: UInt64) -> Self {
        Self(number, atMost: Limits.categoriesPerCenter) {
            .categoryLimit("categories", Limits.categoriesPerCenter)
        }
    }
}

extension Belfry_V1_AddBatchRequest: ListRequest {
    static let list = RequestList.batch(3, "requests")
}
extension Belfry_V1_CompleteWillPresentRequest: ListRequest {
    static let list = RequestList.batch(4, "answers")
}
extension Belfry_V1_CompleteResponseRequest: ListRequest {
    static let list = RequestList.batch(4, "answers")
}
extension Belfry_V1_CompleteBackgroundPushRequest: ListRequest {
    static let list = RequestList.batch(4, "answers")
}
extension Belfry_V1_RemovePendingRequest: ListRequest {
    static let list = RequestList.names(3, "identifiers")
}
extension Belfry_V1_RemoveDeliveredRequest: ListRequest {
    static let list = RequestList.names(3, "identifiers")
}
extension Belfry_V1_RemoveNotificationCategoriesRequest: ListRequest {
    static let list = RequestList.names(3, "identifiers")
}
extension Belfry_V1_WithdrawNotificationsRequest: ListRequest {
    static let list = RequestList.names(5, "identifiers")
}
extension Belfry_V1_WatchDeviceRequest: ListRequest {
    static let list = RequestList.names(2, "app_ids")
}
extension Belfry_V1_ListNotificationCenterRequest: ListRequest {
    static let list = RequestList.names(2, "app_ids")
}
extension Belfry_V1_ListSnoozedRequest: ListRequest {
    static let list = RequestList.names(2, "app_ids")
}
extension Belfry_V1_SetNotificationCategoriesRequest: ListRequest {
    static let list = RequestList.categories(3)
}
extension Belfry_V1_UpsertNotificationCategoriesRequest: ListRequest {
    static let list = RequestList.categories(3)
}
extension Belfry_V1_SetNotificationActionsRequest: ListRequest {
    static let list = RequestList(4, atMost: Limits.actionsPerCategory) {
        .tooManyActions(.written("actions"))
    }
}
extension Belfry_V1_SetStringTableRequest: ListRequest {
    static let list = RequestList(4, atMost: Limits.stringsPerTable) { .stringTableTooLarge }
}
extension Belfry_V1_SetTagsRequest: ListRequest {
    static let list = RequestList(4, atMost: Limits.tagsPerDevice) { DeviceTags.tooMany }
}
extension Belfry_V1_DismissRequest: ListRequest {
    static let list = RequestList(7, atMost: DismissTarget.listLimit) { .tooManyDismissed }
}
extension Belfry_V1_CreateTokenRequest: ListRequest {
    static let list = RequestList(4, atMost: RequestLimits.roles) { RequestLimits.wrongRoles }
}
extension Belfry_V1_ReportLocationRequest: ListRequest {
    static let list = RequestList.report(3, "fixes")
}
extension Belfry_V1_ReportBeaconsRequest: ListRequest {
    static let list = RequestList.report(3, "sightings")
}

extension Message {
    /// Judges the length of a large request by its bytes, before anything of it is read.
    ///
    /// A small one is read at once, since it has not many elements.
    static func checkLength(of bytes: [UInt8]) throws(Refusal) {
        guard bytes.count > Router.largestSmallByteCount else { return }
        let list = (Self.self as? any ListRequest.Type)?.list
        var (elements, others) = (0, 0)
        var fields = WireFields(bytes[...])
        do throws(AccessRefusal) {
            while let field = try fields.next() {
                if field.number == list?.number { elements += 1 } else { others += 1 }
                if others > RequestLimits.fields || elements > list?.limit ?? 0 { break }
            }
        } catch {
            throw malformed
        }
        if let list, elements > list.limit { throw list.refusal() }
        guard others <= RequestLimits.fields else { throw .tooManyFields }
    }

    /// The refusal of bytes that are no such message.
    static var malformed: Refusal {
        Refusal(
            .invalidArgument,
            reason: .malformedMessage,
            message: "the request is not a \(protoMessageName)"
        )
    }
}

extension Refusal {
    /// A request has more fields than any needs, which the server knows or not.
    fileprivate static let tooManyFields = Refusal(
        .invalidArgument,
        reason: .malformedMessage,
        message: "the request has more than 1,000 fields beside the elements of its list",
        facts: [.limit: "\(RequestLimits.fields)"]
    )
}
