internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerNotificationCenterList(in router: inout Router) {
        listing("DeviceService/ListNotificationCenter", in: &router) {
            (
                request: Belfry_V1_ListNotificationCenterRequest,
                reply: Reply<Belfry_V1_ListNotificationCenterResponse>
            ) throws(Refusal) in
            var query = DeviceListQuery(device: try CenterName.deviceName(request.deviceID))
            query.apps = try RequestLimits.apps(request.appIds, on: query.device)
            query.pageSize = try RequestLimits.pageSize(request.pageSize)
            let tokens = PageTokens(rpc: "ListNotificationCenter", query, store.pageTokenKey)
            query.token = try tokens.position(request.pageToken)
            feeds.listNotificationCenter(query, for: reply.caller) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.groups = page.groups.map(Belfry_V1_NotificationGroup.init)
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
    }
}
