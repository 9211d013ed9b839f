internal import NotificationCore
internal import NotificationProtocol

extension NotificationContent {
    /// Reads a content; the paths of refusals are relative to the request.
    init(_ wire: Belfry_V1_NotificationContent) throws(Refusal) {
        self.init()
        title = wire.title
        subtitle = wire.subtitle
        body = wire.body
        badge = wire.hasBadge ? wire.badge : nil
        badgeMode = try choice(wire.badgeMode, "content.badge_mode")
        sound = wire.hasSound ? try Sound(wire.sound) : nil
        categoryIdentifier = wire.categoryIdentifier
        threadIdentifier = wire.threadIdentifier
        userInfoJSON = wire.userInfoJson
        launchImageName = wire.launchImageName
        summaryArgument = wire.summaryArgument
        givenSummaryArgumentCount =
            wire.hasSummaryArgumentCount ? wire.summaryArgumentCount : nil
        targetContentIdentifier = wire.targetContentIdentifier
        givenInterruptionLevel =
            wire.hasInterruptionLevel
            ? try choice(wire.interruptionLevel, "content.interruption_level") : nil
        relevanceScore = wire.relevanceScore
        filterCriteria = wire.filterCriteria
        foregroundPresentation =
            wire.hasForegroundPresentation
            ? try optionSet(
                wire.foregroundPresentation.options,
                "content.foreground_presentation.options"
            )
            : nil
        guard wire.attachments.count <= Limits.attachments else {
            throw .invalid(
                "content.attachments",
                "at most \(Limits.attachments) are kept",
                reason: .contentTooLarge
            )
        }
        for (index, attachment) in wire.attachments.enumerated() {
            attachments.append(
                try NotificationAttachment(attachment, "content.attachments[\(index)]")
            )
        }
        communication = wire.hasCommunication ? try Communication(wire.communication) : nil
        localizedTitle = wire.hasLocalizedTitle ? LocalizedText(wire.localizedTitle) : nil
        localizedSubtitle =
            wire.hasLocalizedSubtitle ? LocalizedText(wire.localizedSubtitle) : nil
        localizedBody = wire.hasLocalizedBody ? LocalizedText(wire.localizedBody) : nil
        actions = try NotificationAction.list(wire.actions, "content.actions")
        progress = wire.hasProgress ? wire.progress : nil
        updatesQuietly = wire.updatesQuietly
    }
}

extension Communication {
    fileprivate init(_ wire: Belfry_V1_Communication) throws(Refusal) {
        let path = "content.communication."
        guard wire.kind != .unspecified else {
            throw .communicationInvalid(.written(path + "kind"), "say what it is")
        }
        self.init(
            kind: try choice(wire.kind, path + "kind"),
            sender: wire.sender,
            recipients: wire.recipients,
            conversationIdentifier: wire.conversationID,
            groupName: wire.groupName,
            avatarAttachment: wire.avatarAttachmentID
        )
    }
}

extension Sound {
    init(_ wire: Belfry_V1_Sound) throws(Refusal) {
        self.init(
            kind: try choice(wire.kind, "content.sound.kind"),
            name: wire.name,
            isCritical: wire.critical,
            volume: wire.hasVolume ? wire.volume : nil
        )
    }
}

extension NotificationContent {
    /// Writes the fields of a `NotificationContent`.
    func write(to writer: inout WireWriter) {
        writer.put(1, title)
        writer.put(2, subtitle)
        writer.put(3, body)
        if let badge { writer.put(4, present: badge) }
        writer.put(5, badgeMode.rawValue)
        if let sound { writer.message(6) { sound.write(to: &$0) } }
        for attachment in attachments { writer.put(7, Belfry_V1_AttachmentReference(attachment)) }
        writer.put(8, categoryIdentifier)
        writer.put(9, threadIdentifier)
        writer.put(10, userInfoJSON)
        writer.put(11, launchImageName)
        writer.put(12, summaryArgument)
        if let count = givenSummaryArgumentCount { writer.put(13, present: count) }
        writer.put(14, targetContentIdentifier)
        if let level = givenInterruptionLevel { writer.put(15, present: level.rawValue) }
        writer.put(16, relevanceScore)
        writer.put(17, filterCriteria)
        if let options = foregroundPresentation { writer.message(18) { $0.put(1, options) } }
        if let communication { writer.put(19, Belfry_V1_Communication(communication)) }
        if let text = localizedTitle { writer.put(20, Belfry_V1_LocalizedText(text)) }
        if let text = localizedSubtitle { writer.put(21, Belfry_V1_LocalizedText(text)) }
        if let text = localizedBody { writer.put(22, Belfry_V1_LocalizedText(text)) }
        for action in actions { writer.put(23, Belfry_V1_NotificationAction(action)) }
        if let progress { writer.put(24, present: progress) }
        writer.put(25, updatesQuietly)
    }
}

extension Belfry_V1_Communication {
    init(_ communication: Communication) {
        self.init()
        kind = .init(rawValue: Int(communication.kind.rawValue)) ?? .unspecified
        sender = communication.sender
        recipients = communication.recipients
        conversationID = communication.conversationIdentifier
        groupName = communication.groupName
        avatarAttachmentID = communication.avatarAttachment
    }
}

extension Sound {
    fileprivate func write(to writer: inout WireWriter) {
        writer.put(1, kind.rawValue)
        writer.put(2, name)
        writer.put(3, isCritical)
        if let volume { writer.put(4, present: volume) }
    }
}
