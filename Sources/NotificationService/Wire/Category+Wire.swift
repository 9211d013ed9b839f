internal import NotificationCore
internal import NotificationProtocol

extension NotificationCategory {
    /// Reads a category; `path` is the category's path in the request, such as `categories[3]`.
    init(_ wire: Belfry_V1_NotificationCategory, _ path: String) throws(Refusal) {
        self.init(
            identifier: wire.identifier,
            intentIdentifiers: wire.intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: wire.hiddenPreviewsBodyPlaceholder,
            summaryFormat: wire.categorySummaryFormat,
            options: try optionSet(wire.options, path + ".options")
        )
        actions = try NotificationAction.list(wire.actions, path + ".actions")
        if wire.hasLocalizedHiddenPreviewsBodyPlaceholder {
            localizedHiddenPreviewsBodyPlaceholder =
                LocalizedText(wire.localizedHiddenPreviewsBodyPlaceholder)
        }
        if wire.hasLocalizedCategorySummaryFormat {
            localizedSummaryFormat = LocalizedText(wire.localizedCategorySummaryFormat)
        }
        if wire.hasSnooze { snooze = try SnoozeOffer(wire.snooze, path + ".snooze") }
    }
}

extension SnoozeOffer {
    fileprivate init(_ wire: Belfry_V1_SnoozeOffer, _ path: String) throws(Refusal) {
        self.init(
            nanoseconds: try Int64(wire.duration, path + ".duration", reason: .snoozeInvalid),
            title: wire.title,
            localizedTitle: wire.hasLocalizedTitle ? LocalizedText(wire.localizedTitle) : nil
        )
    }
}

extension NotificationAction {
    /// Reads the actions of a category, or the buttons of an open notification.
    static func list(
        _ wire: [Belfry_V1_NotificationAction],
        _ path: String
    ) throws(Refusal) -> [NotificationAction] {
        guard wire.count <= Limits.actionsPerCategory else {
            throw .tooManyActions(.written(path))
        }
        var actions: [NotificationAction] = []
        for (index, action) in wire.enumerated() {
            actions.append(try NotificationAction(action, "\(path)[\(index)]"))
        }
        return actions
    }

    fileprivate init(_ wire: Belfry_V1_NotificationAction, _ path: String) throws(Refusal) {
        self.init(
            identifier: wire.identifier,
            title: wire.title,
            options: try optionSet(wire.options, path + ".options")
        )
        if wire.hasIcon {
            switch wire.icon.image {
            case .templateImageName(let name): icon = .templateImage(name)
            case .systemImageName(let name): icon = .systemImage(name)
            case nil:
                throw .invalid(
                    path + ".icon",
                    "must be one of template_image_name, system_image_name",
                    reason: .actionInvalid
                )
            }
        }
        if wire.hasTextInput {
            textInput = ActionTextInput(
                buttonTitle: wire.textInput.buttonTitle,
                placeholder: wire.textInput.placeholder
            )
        }
        localizedTitle = wire.hasLocalizedTitle ? LocalizedText(wire.localizedTitle) : nil
    }
}

extension Belfry_V1_NotificationCategory {
    init(_ category: NotificationCategory) {
        self.init()
        identifier = category.identifier
        actions = category.actions.map(Belfry_V1_NotificationAction.init)
        intentIdentifiers = category.intentIdentifiers
        hiddenPreviewsBodyPlaceholder = category.hiddenPreviewsBodyPlaceholder
        categorySummaryFormat = category.summaryFormat
        options = optionList(category.options.rawValue)
        if let text = category.localizedHiddenPreviewsBodyPlaceholder {
            localizedHiddenPreviewsBodyPlaceholder = .init(text)
        }
        if let text = category.localizedSummaryFormat {
            localizedCategorySummaryFormat = .init(text)
        }
        if let offer = category.snooze {
            snooze.duration = .init(nanoseconds: offer.nanoseconds)
            snooze.title = offer.title
            if let text = offer.localizedTitle { snooze.localizedTitle = .init(text) }
        }
    }
}

extension Belfry_V1_NotificationAction {
    init(_ action: NotificationAction) {
        self.init()
        identifier = action.identifier
        title = action.title
        options = optionList(action.options.rawValue)
        switch action.icon {
        case .templateImage(let name): icon.templateImageName = name
        case .systemImage(let name): icon.systemImageName = name
        case nil: break
        }
        if let input = action.textInput {
            textInput.buttonTitle = input.buttonTitle
            textInput.placeholder = input.placeholder
        }
        if let text = action.localizedTitle { localizedTitle = .init(text) }
    }
}

extension Belfry_V1_CategoryWarning {
    init(_ warning: CategoryWarning) {
        self.init()
        switch warning.code {
        case .actionMeaningDiffers: kind = .actionMeaningDiffers
        case .actionsNotAllShown: kind = .actionsNotAllShown
        }
        path = warning.path.wireName
        message = warning.message
    }
}
