extension NotificationRequest {
    /// Checks the request as far as that needs no center: steps 3-5 of §6.2.
    ///
    /// Paths in the refusals are relative to the request. The trigger was checked when it was made.
    ///
    /// - Throws: The first refusal in the order of the specification.
    /// - Complexity: O(bytes of the user info).
    package func validate() throws(Refusal) {
        guard (1...Limits.identifierBytes).contains(identifier.utf8.count) else {
            throw .identifierInvalid([.identifier])
        }
        guard replacementKey.utf8.count <= Limits.identifierBytes else {
            throw .invalid(
                [.replacementKey],
                "a replacement key is at most \(Limits.identifierBytes) bytes of UTF-8",
                reason: .identifierInvalid
            )
        }
        if let expiresAfterNanoseconds {
            guard trigger != nil, trigger?.region == nil else {
                throw .invalid([.expiresAfter], "needs a trigger by time: else nothing is late")
            }
            guard expiresAfterNanoseconds > 0,
                expiresAfterNanoseconds <= Limits.intervalNanoseconds
            else {
                throw .invalid([.expiresAfter], "must be more than 0 and at most 100 years")
            }
        }
        guard content.isPerceptible else { throw .noContent([.content]) }
        try content.validate()
    }
}

extension NotificationContent {
    func validate() throws(Refusal) {
        guard byteCount <= Limits.contentBytes else {
            throw .invalid(
                [.content],
                "is \(byteCount) bytes; at most \(Limits.contentBytes) are kept",
                reason: .contentTooLarge
            )
        }
        try validateNames()
        try localizedTitle?.validate([.content, .localizedTitle])
        try localizedSubtitle?.validate([.content, .localizedSubtitle])
        try localizedBody?.validate([.content, .localizedBody])
        if let badge, badge < 0 { throw .badgeInvalid([.content, .badge]) }
        guard (0...1).contains(relevanceScore) else {
            throw .invalid(
                [.content, .relevanceScore],
                "must be 0-1",
                reason: .relevanceScoreInvalid
            )
        }
        guard progress.map({ (0...1).contains($0) }) ?? true else {
            throw .invalid([.content, .progress], "must be 0-1", reason: .progressInvalid)
        }
        do {
            try actions.validate()
        } catch {
            throw error.within([.content])
        }
        guard summaryArgumentCount > 0 else {
            throw .invalid(
                [.content, .summaryArgumentCount],
                "must be at least 1",
                reason: .summaryArgumentCountInvalid
            )
        }
        try sound?.validate()
        for (index, attachment) in attachments.enumerated() {
            try attachment.validate(([.content, .attachments] as FieldPath)[index])
        }
        try communication?.validate()
        if !userInfoJSON.isEmpty {
            do {
                try JSONObjectCheck.check(userInfoJSON)
            } catch {
                throw .invalid(
                    [.content, .userInfo],
                    error.description,
                    reason: .userInfoInvalid
                )
            }
        }
    }
}

extension NotificationContent {
    /// Each name has a limit of its own: names are compared, sorted and kept in tokens.
    private func validateNames() throws(Refusal) {
        try validate(
            categoryIdentifier,
            upTo: Limits.categoryIdentifierBytes,
            [.content, .categoryIdentifier]
        )
        try validate(threadIdentifier, upTo: Limits.nameBytes, [.content, .threadIdentifier])
        try validate(launchImageName, upTo: Limits.shortNameBytes, [.content, .launchImageName])
        try validate(summaryArgument, upTo: Limits.nameBytes, [.content, .summaryArgument])
        try validate(
            targetContentIdentifier,
            upTo: Limits.nameBytes,
            [.content, .targetContentIdentifier]
        )
        try validate(
            filterCriteria,
            upTo: Limits.focusFilterValueBytes,
            [.content, .filterCriteria]
        )
        guard let communication else { return }
        try validate(
            communication.conversationIdentifier,
            upTo: Limits.nameBytes,
            [.content, .communication, .conversation]
        )
        try validate(
            communication.groupName,
            upTo: Limits.nameBytes,
            [.content, .communication, .groupName]
        )
        try validate(
            communication.avatarAttachment,
            upTo: Limits.shortNameBytes,
            [.content, .communication, .avatar]
        )
    }

    /// Checks the length of a name; the path is made for a refusal alone.
    private func validate(
        _ text: String,
        upTo limit: Int,
        _ path: @autoclosure () -> FieldPath
    ) throws(Refusal) {
        guard text.utf8.count > limit else { return }
        throw .invalid(
            path(),
            "is \(text.utf8.count) bytes; at most \(limit) are kept",
            reason: .contentTooLarge
        )
    }
}

extension Sound {
    fileprivate func validate() throws(Refusal) {
        guard name.utf8.count <= Limits.soundNameBytes else {
            throw .invalid(
                [.content, .sound, .name],
                "a sound's name is at most \(Limits.soundNameBytes) bytes of UTF-8"
            )
        }
        if let problem = FileName.problem(in: name) {
            throw .invalid([.content, .sound, .name], problem)
        }
        guard let volume else { return }
        guard isCritical, (0...1).contains(volume) else {
            throw .invalid(
                [.content, .sound, .volume],
                isCritical ? "must be 0-1" : "only a critical sound has a volume of its own",
                reason: .soundVolumeInvalid
            )
        }
    }
}
