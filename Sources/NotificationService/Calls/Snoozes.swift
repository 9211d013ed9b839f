internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSnoozes(in router: inout Router) {
        mutation("DeviceService/Snooze", in: &router) {
            (
                request: Belfry_V1_SnoozeRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SnoozeResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let target = try NotificationReference(request.notification, on: device)
            store.snooze(target, until: try SnoozeEnd(request), once: key) { result in
                reply.finish(result.map { snooze in .with { $0.until = .init(snooze.until) } })
            }
        }
        listing("DeviceService/ListSnoozed", in: &router) {
            (
                request: Belfry_V1_ListSnoozedRequest,
                reply: Reply<Belfry_V1_ListSnoozedResponse>
            ) throws(Refusal) in
            var query = DeviceListQuery(device: try CenterName.deviceName(request.deviceID))
            query.apps = try RequestLimits.apps(request.appIds, on: query.device)
            query.pageSize = try RequestLimits.pageSize(request.pageSize)
            let tokens = PageTokens(rpc: "ListSnoozed", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            feeds.listSnoozed(query, for: reply.caller) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.notifications = page.entries.map { entry in
                                .with {
                                    $0.notification = .init(entry.shown)
                                    $0.until = .init(entry.until)
                                }
                            }
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
    }
}

extension SnoozeEnd {
    fileprivate init(_ request: Belfry_V1_SnoozeRequest) throws(Refusal) {
        switch request.end {
        case .duration(let duration):
            self = .after(
                nanoseconds: try Int64(duration, "duration", reason: .snoozeInvalid)
            )
        case .until(let instant):
            self = .at(try WallInstant(instant, "until", reason: .snoozeInvalid))
        case nil:
            throw .invalid("end", "say when it comes back", reason: .snoozeInvalid)
        }
    }
}
