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

extension Belfry_V1_NotificationContent {
    init(_ content: NotificationContent) {
        self.init()
        title = content.title
        subtitle = content.subtitle
        body = content.body
        if let badge = content.badge { self.badge = badge }
        badgeMode = content.badgeMode == .increment ? .increment : .set
        if let sound = content.sound { self.sound = Belfry_V1_Sound(sound) }
        attachments = content.attachments.map { .init($0) }
        categoryIdentifier = content.categoryIdentifier
        threadIdentifier = content.threadIdentifier
        userInfoJson = content.userInfoJSON
        launchImageName = content.launchImageName
        summaryArgument = content.summaryArgument
        if let count = content.givenSummaryArgumentCount { summaryArgumentCount = count }
        targetContentIdentifier = content.targetContentIdentifier
        if let level = content.givenInterruptionLevel {
            interruptionLevel = .init(rawValue: Int(level.rawValue)) ?? .active
        }
        relevanceScore = content.relevanceScore
        filterCriteria = content.filterCriteria
        if let presentation = content.foregroundPresentation {
            foregroundPresentation.options = optionList(presentation.rawValue)
        }
        if let communication = content.communication {
            self.communication = Belfry_V1_Communication(communication)
        }
        if let text = content.localizedTitle { localizedTitle = .init(text) }
        if let text = content.localizedSubtitle { localizedSubtitle = .init(text) }
        if let text = content.localizedBody { localizedBody = .init(text) }
        actions = content.actions.map(Belfry_V1_NotificationAction.init)
        if let progress = content.progress { self.progress = progress }
        updatesQuietly = content.updatesQuietly
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

extension Belfry_V1_Sound {
    init(_ sound: Sound) {
        self.init()
        kind = sound.kind == .ringtone ? .ringtone : .default
        name = sound.name
        critical = sound.isCritical
        if let volume = sound.volume { self.volume = volume }
    }
}
