extension PersonAct {
    /// Decides the effect of an act of the person (§17).
    ///
    /// Dismissing a group is decided for each member by that member's category (NC-5). An act that
    /// brings the app to the front waits for the unlock: a locked device cannot show the app
    /// (D-24).
    ///
    /// - Parameters:
    ///   - category: The registered category of the notification, with the buttons that it shows;
    ///     nil where there is none: only opening and dismissing are then possible (RSP-1).
    ///   - isLocked: Whether the device is locked.
    /// - Returns: What happens, at once or after the unlock.
    /// - Throws: A refusal that names the action or the text (RSP-8).
    /// - Complexity: O(actions), no allocation.
    package func decision(
        for category: NotificationCategory?,
        isLocked: Bool
    ) throws(Refusal) -> ActDecision {
        switch self {
        case .open:
            return ActDecision(
                response: ActResponse(actionIdentifier: NotificationAction.defaultIdentifier),
                needsUnlock: isLocked,
                launch: .foreground,
                leavesList: true
            )
        case .dismiss:
            let isReported = category?.options.contains(.customDismissAction) ?? false
            return ActDecision(
                response: isReported
                    ? ActResponse(actionIdentifier: NotificationAction.dismissIdentifier) : nil,
                needsUnlock: false,
                launch: isReported ? .background : .none,
                leavesList: true
            )
        case .swipeAway:
            // Only the banner leaves; the notification stays in the list (DEL-1).
            return ActDecision(response: nil, needsUnlock: false, launch: .none, leavesList: false)
        case .action(let identifier, let text):
            let offered = category?.displayedActions(hasRoom: true)
            let action = offered?.first { $0.identifier.isExactly(identifier) }
            guard let action else { throw .unknownAction }
            let userText = try action.userText(typed: text)
            if let offer = category?.snooze,
                action.identifier.isExactly(NotificationAction.snoozeIdentifier)
            {
                // Let a person snooze on the lock screen: nothing is shown and no app runs (SNZ-4).
                return ActDecision(
                    response: nil,
                    needsUnlock: false,
                    launch: .none,
                    leavesList: true,
                    snooze: .after(nanoseconds: offer.nanoseconds)
                )
            }
            return ActDecision(
                response: ActResponse(
                    actionIdentifier: action.identifier,
                    userText: userText
                ),
                needsUnlock: isLocked && action.needsUnlock,
                launch: action.options.contains(.foreground) ? .foreground : .background,
                leavesList: true
            )
        }
    }
}

extension NotificationAction {
    /// The text of a response: empty where nothing was typed (§3.4).
    fileprivate func userText(typed text: String?) throws(Refusal) -> String? {
        guard textInput != nil else {
            guard text == nil else {
                throw .invalid([.text], "the action takes no text", reason: .textNotExpected)
            }
            return nil
        }
        let text = text ?? ""
        guard text.utf8.count <= Limits.userTextBytes else {
            throw .invalid(
                [.text],
                "is \(text.utf8.count) bytes; at most \(Limits.userTextBytes) are sent",
                reason: .textTooLong
            )
        }
        return text
    }
}

extension Refusal {
    /// Refuses an action that the notification does not offer (RSP-8).
    package static let unknownAction = Refusal.invalid(
        [.actionIdentifier],
        "the notification offers no action with this identifier",
        reason: .actionUnknown
    )
}
