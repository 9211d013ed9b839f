internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerRemoteNotifications(in router: inout Router) {
        mutation(
            "NotificationCenterService/RegisterForRemoteNotifications",
            in: &router
        ) {
            (
                request: Belfry_V1_RegisterForRemoteNotificationsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RegisterForRemoteNotificationsResponse>
            ) throws(Refusal) in
            store.registerForPushes(
                try CenterName(request.center),
                in: try PushEnvironment.optional(request.environment, "environment"),
                by: reply.registrant,
                once: key
            ) { result in
                reply.finish(
                    result.map { address in
                        .with { response in
                            response.token = address.token.text
                            response.environment = .init(address.environment)
                        }
                    }
                )
            }
        }
        mutation(
            "NotificationCenterService/UnregisterForRemoteNotifications",
            in: &router
        ) {
            (
                request: Belfry_V1_UnregisterForRemoteNotificationsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_UnregisterForRemoteNotificationsResponse>
            ) throws(Refusal) in
            store.unregisterForPushes(try CenterName(request.center), once: key) { result in
                reply.finish(result.map { ended in .with { $0.wasRegistered = !ended.isEmpty } })
            }
        }
    }

    func registerRegistrations(in router: inout Router) {
        mutation("PushService/SetTags", in: &router) {
            (
                request: Belfry_V1_SetTagsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SetTagsResponse>
            ) throws(Refusal) in
            let app = try appName(request.appID)
            let tags = try DeviceTags.checked(request.tags)
            store.setTags(tags, ofToken: request.token, of: app, once: key) { result in
                reply.finish(result.map { tags in .with { $0.tags = tags } })
            }
        }
        listing("PushService/ListRegistrations", in: &router) {
            (
                request: Belfry_V1_ListRegistrationsRequest,
                reply: Reply<Belfry_V1_ListRegistrationsResponse>
            ) throws(Refusal) in
            let app = try appName(request.appID)
            let expression = try TagExpression(refusing: request.tagExpression)
            let tokens = PageTokens(
                rpc: "ListRegistrations",
                app: app,
                tags: request.tagExpression,
                store.pageTokenKey
            )
            store.listRegistrations(
                of: app,
                fitting: expression,
                pageSize: try RequestLimits.pageSize(request.pageSize),
                token: try tokens.position(request.pageToken),
                for: reply.caller
            ) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.registrations = page.entries.map { .init($0) }
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
    }
}
