extension NotificationRequest {
    /// Checks what can be judged without a center: steps 3-5 of semantics.md 6.2.
    ///
    /// Paths in the refusals are relative to the request. The trigger checked itself when it was
    /// made.
    ///
    /// - Throws: The first refusal in the order of the specification.
    /// - Complexity: O(bytes of `user_info_json`).
    public func validate() throws(Refusal) {
        guard (1...Limits.identifierBytes).contains(identifier.utf8.count) else {
            throw .invalid(
                "identifier",
                "an identifier is 1-\(Limits.identifierBytes) bytes of UTF-8"
            )
        }
        guard content.isPerceptible else { throw .noContent("content") }
        try content.validate()
    }
}

extension NotificationContent {
    func validate() throws(Refusal) {
        guard byteCount <= Limits.contentBytes else {
            throw .invalid(
                "content",
                "is \(byteCount) bytes; at most \(Limits.contentBytes) are kept"
            )
        }
        if let badge, badge < 0 { throw .badgeInvalid("content.badge") }
        guard (0...1).contains(relevanceScore) else {
            throw .invalid("content.relevance_score", "must be 0-1")
        }
        guard summaryArgumentCount > 0 else {
            throw .invalid("content.summary_argument_count", "must be at least 1")
        }
        if let volume = sound?.volume, !(0...1).contains(volume) {
            throw .invalid("content.sound.volume", "must be 0-1")
        }
        if !userInfoJSON.isEmpty {
            do {
                try JSONObjectCheck.check(userInfoJSON)
            } catch {
                throw .invalid("content.user_info_json", error.description)
            }
        }
    }
}
