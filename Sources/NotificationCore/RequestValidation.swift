extension NotificationRequest {
    /// Checks the request as far as that needs no center: steps 3-5 of §6.2.
    ///
    /// Paths in the refusals are relative to the request. The trigger was checked when it was made.
    ///
    /// - Throws: The first refusal in the order of the specification.
    /// - Complexity: O(bytes of `user_info_json`).
    public func validate() throws(Refusal) {
        guard (1...Limits.identifierBytes).contains(identifier.utf8.count) else {
            throw .identifierInvalid("identifier")
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
                "is \(byteCount) bytes; at most \(Limits.contentBytes) are kept",
                reason: "CONTENT_TOO_LARGE"
            )
        }
        try validateNames()
        try localizedTitle?.validate("content.localized_title")
        try localizedSubtitle?.validate("content.localized_subtitle")
        try localizedBody?.validate("content.localized_body")
        if let badge, badge < 0 { throw .badgeInvalid("content.badge") }
        guard (0...1).contains(relevanceScore) else {
            throw .invalid(
                "content.relevance_score",
                "must be 0-1",
                reason: "RELEVANCE_SCORE_INVALID"
            )
        }
        guard summaryArgumentCount > 0 else {
            throw .invalid(
                "content.summary_argument_count",
                "must be at least 1",
                reason: "SUMMARY_ARGUMENT_COUNT_INVALID"
            )
        }
        try sound?.validate()
        for (index, attachment) in attachments.enumerated() {
            try attachment.validate("content.attachments[\(index)]")
        }
        try communication?.validate()
        if !userInfoJSON.isEmpty {
            do {
                try JSONObjectCheck.check(userInfoJSON)
            } catch {
                throw .invalid(
                    "content.user_info_json",
                    error.description,
                    reason: "USER_INFO_INVALID"
                )
            }
        }
    }
}

extension NotificationContent {
    /// Each name has a limit of its own: names are compared, sorted and kept in tokens.
    private func validateNames() throws(Refusal) {
        for (field, text, limit) in [
            ("category_identifier", categoryIdentifier, Limits.categoryIdentifierBytes),
            ("thread_identifier", threadIdentifier, Limits.nameBytes),
            ("launch_image_name", launchImageName, Limits.shortNameBytes),
            ("summary_argument", summaryArgument, Limits.nameBytes),
            ("target_content_identifier", targetContentIdentifier, Limits.nameBytes),
            ("filter_criteria", filterCriteria, Limits.focusFilterValueBytes),
            (
                "communication.conversation_id", communication?.conversationIdentifier ?? "",
                Limits.nameBytes
            ),
            ("communication.group_name", communication?.groupName ?? "", Limits.nameBytes),
            (
                "communication.avatar_attachment_id", communication?.avatarAttachment ?? "",
                Limits.shortNameBytes
            ),
        ] where text.utf8.count > limit {
            throw .invalid(
                "content.\(field)",
                "is \(text.utf8.count) bytes; at most \(limit) are kept",
                reason: "CONTENT_TOO_LARGE"
            )
        }
    }
}

extension Sound {
    fileprivate func validate() throws(Refusal) {
        guard name.utf8.count <= Limits.soundNameBytes else {
            throw .invalid(
                "content.sound.name",
                "a sound's name is at most \(Limits.soundNameBytes) bytes of UTF-8"
            )
        }
        if let problem = FileName.problem(in: name) {
            throw .invalid("content.sound.name", problem)
        }
        guard let volume else { return }
        guard isCritical, (0...1).contains(volume) else {
            throw .invalid(
                "content.sound.volume",
                isCritical ? "must be 0-1" : "only a critical sound has a volume of its own",
                reason: "SOUND_VOLUME_INVALID"
            )
        }
    }
}
