public import NotificationProtocol

extension NotificationCenterClient {
    /// Replaces all categories, and registers the app if it is not registered.
    ///
    /// - Parameters:
    ///   - categories: All categories; an empty array removes every category.
    ///   - key: The idempotency key, if any.
    /// - Returns: Warnings about categories that were stored but may be mistakes.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func setCategories(
        _ categories: [Belfry_V1_NotificationCategory],
        key: String = ""
    ) async throws(ClientError) -> [Belfry_V1_CategoryWarning] {
        var request = Belfry_V1_SetNotificationCategoriesRequest()
        request.center = center
        request.idempotencyKey = key
        request.categories = categories
        let response: Belfry_V1_SetNotificationCategoriesResponse = try await call(
            "SetNotificationCategories",
            request
        )
        return response.warnings
    }

    /// Gets the categories, ordered by identifier.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func categories() async throws(ClientError) -> [Belfry_V1_NotificationCategory] {
        var request = Belfry_V1_GetNotificationCategoriesRequest()
        request.center = center
        let response: Belfry_V1_GetNotificationCategoriesResponse = try await call(
            "GetNotificationCategories",
            request
        )
        return response.categories
    }

    /// Adds categories; a category replaces an older category with the same identifier.
    ///
    /// - Parameters:
    ///   - categories: The categories to add; an empty array changes nothing.
    ///   - key: The idempotency key, if any.
    /// - Returns: Warnings about categories that were stored but may be mistakes.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func upsertCategories(
        _ categories: [Belfry_V1_NotificationCategory],
        key: String = ""
    ) async throws(ClientError) -> [Belfry_V1_CategoryWarning] {
        var request = Belfry_V1_UpsertNotificationCategoriesRequest()
        request.center = center
        request.idempotencyKey = key
        request.categories = categories
        let response: Belfry_V1_UpsertNotificationCategoriesResponse = try await call(
            "UpsertNotificationCategories",
            request
        )
        return response.warnings
    }

    /// Removes categories, and gives the identifiers of the removed categories.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func removeCategories(
        _ identifiers: [String],
        key: String = ""
    ) async throws(ClientError) -> [String] {
        var request = Belfry_V1_RemoveNotificationCategoriesRequest()
        request.center = center
        request.idempotencyKey = key
        request.identifiers = identifiers
        let response: Belfry_V1_RemoveNotificationCategoriesResponse = try await call(
            "RemoveNotificationCategories",
            request
        )
        return response.removedIdentifiers
    }
}
