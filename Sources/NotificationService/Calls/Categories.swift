internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerCategories(in router: inout Router) {
        mutation("NotificationCenterService/SetNotificationCategories", in: &router) {
            (
                request: Belfry_V1_SetNotificationCategoriesRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SetNotificationCategoriesResponse>
            )
                throws(Refusal) in
            store.setCategories(
                try [NotificationCategory](request.categories),
                of: try CenterName(request.center),
                by: reply.registrant,
                once: key
            ) { result in
                reply.finish(result.map { warnings in .with { $0.warnings = .init(warnings) } })
            }
        }
        listing("NotificationCenterService/GetNotificationCategories", in: &router) {
            (
                request: Belfry_V1_GetNotificationCategoriesRequest,
                reply: Reply<Belfry_V1_GetNotificationCategoriesResponse>
            )
                throws(Refusal) in
            noteCall(request)
            store.listCategories(of: try CenterName(request.center), for: reply.caller) { result in
                reply.finish(
                    result.map { categories in
                        .with { response in
                            response.categories = categories.map {
                                Belfry_V1_NotificationCategory($0)
                            }
                        }
                    }
                )
            }
        }
        mutation("NotificationCenterService/UpsertNotificationCategories", in: &router) {
            (
                request: Belfry_V1_UpsertNotificationCategoriesRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_UpsertNotificationCategoriesResponse>
            )
                throws(Refusal) in
            store.upsertCategories(
                try [NotificationCategory](request.categories),
                of: try CenterName(request.center),
                once: key
            ) { result in
                reply.finish(result.map { warnings in .with { $0.warnings = .init(warnings) } })
            }
        }
        mutation("NotificationCenterService/RemoveNotificationCategories", in: &router) {
            (
                request: Belfry_V1_RemoveNotificationCategoriesRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RemoveNotificationCategoriesResponse>
            )
                throws(Refusal) in
            store.removeCategories(
                try RequestLimits.identifiers(request.identifiers),
                from: try CenterName(request.center),
                once: key
            ) { result in
                reply.finish(result.map { removed in .with { $0.removedIdentifiers = removed } })
            }
        }
    }
}

extension [NotificationCategory] {
    fileprivate init(_ wire: [Belfry_V1_NotificationCategory]) throws(Refusal) {
        // Refuse a request that alone exceeds the limit before its categories are read; the store
        // checks the number of all categories of the center.
        guard wire.count <= Limits.categoriesPerCenter else {
            throw .categoryLimit("categories", Limits.categoriesPerCenter)
        }
        self.init()
        for (index, category) in wire.enumerated() {
            append(try NotificationCategory(category, "categories[\(index)]"))
        }
    }
}

extension [Belfry_V1_CategoryWarning] {
    fileprivate init(_ warnings: [CategoryWarning]) {
        self = warnings.map(Belfry_V1_CategoryWarning.init)
    }
}
