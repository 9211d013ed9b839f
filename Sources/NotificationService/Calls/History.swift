internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerHistory(in router: inout Router) {
        listing("DeviceService/ListHistory", in: &router) {
            (
                request: Belfry_V1_ListHistoryRequest,
                reply: Reply<Belfry_V1_ListHistoryResponse>
            ) throws(Refusal) in
            var query = try HistoryQuery(request)
            let tokens = PageTokens(rpc: "ListHistory", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            var center = Belfry_V1_Center()
            center.appID = query.app
            center.deviceID = query.device
            feeds.listHistory(query, for: reply.caller) { [center] result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.entries = page.entries.map { .init($0, of: center) }
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
    }
}

extension HistoryQuery {
    /// The longest text that is searched for, in bytes.
    private static let textBytes = 256

    fileprivate init(_ request: Belfry_V1_ListHistoryRequest) throws(Refusal) {
        let device = try CenterName.deviceName(request.deviceID)
        let center: CenterName
        do throws(Refusal) {
            center = try CenterName(app: request.appID, device: device)
        } catch {
            throw .invalid(
                "app_id",
                error.fields.first?.problem ?? "is no app",
                reason: error.reason
            )
        }
        self.init(device: device, app: center.app)
        guard request.text.utf8.count <= Self.textBytes else {
            throw .invalid("text", "is at most \(Self.textBytes) bytes")
        }
        text = request.text
        guard request.identifier.utf8.count <= Limits.identifierBytes else {
            throw .identifierInvalid([.identifier])
        }
        identifier = request.identifier
        if request.hasSince { since = try WallInstant(request.since, "since") }
        if request.hasBefore { before = try WallInstant(request.before, "before") }
        pageSize = try RequestLimits.pageSize(request.pageSize)
    }
}

extension Belfry_V1_HistoryEntry {
    fileprivate init(_ entry: HistoryPage.Entry, of center: Belfry_V1_Center) {
        self.init()
        event = Belfry_V1_Event(entry.event, of: center)
        event.keepWhatThePersonMaySee(hidingTexts: entry.hidesTexts)
        if let shown = entry.shown {
            title = shown.rendered.title
            subtitle = shown.rendered.subtitle
            body = shown.rendered.body
            redacted = shown.rendered.isHidden
        }
        if let added = entry.addedAt { addedAt = .init(added) }
    }
}

extension Belfry_V1_Event {
    /// Takes out what is the app's own, and the person's texts where they are hidden.
    fileprivate mutating func keepWhatThePersonMaySee(hidingTexts: Bool) {
        switch kind {
        case .delivered(var told):
            told.notification.keepIdentifier()
            kind = .delivered(told)
        case .held(var told):
            told.notification.keepIdentifier()
            kind = .held(told)
        case .suppressed: suppressed.clearTrace()
        case .missed: missed.clearTrace()
        case .responseCompleted where hidingTexts: responseCompleted.clearUserText()
        case .responseExpired where hidingTexts: responseExpired.clearUserText()
        default: break
        }
    }
}

extension Belfry_V1_Notification {
    fileprivate mutating func keepIdentifier() {
        let identifier = request.identifier
        request = .with {
            $0.identifier = identifier
            // A request has a content, also where nothing is told of it.
            $0.content = .init()
        }
        clearTrace()
    }
}
