public import NotificationProtocol

extension NotificationCenterClient {
    /// Replaces all categories, and registers an app that is new.
    ///
    /// - Parameters:
    ///   - categories: All of them; none removes those that are there.
    ///   - key: The idempotency key, if any.
    /// - Returns: What is taken, and may not be meant.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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

    /// Gives the categories, by identifier.
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

    /// Adds categories, each in the place of the one with its identifier.
    ///
    /// - Parameters:
    ///   - categories: What to add; none changes nothing.
    ///   - key: The idempotency key, if any.
    /// - Returns: What is taken, and may not be meant.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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

    /// Removes categories, and gives the identifiers of those that were there.
    ///
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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
