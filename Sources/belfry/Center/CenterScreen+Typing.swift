internal import NotificationProtocol
internal import SwiftProtobuf

// The text that the person types.

extension CenterScreen {
    /// A text that the person types.
    struct Reply: Equatable {
        /// The notification that the text answers.
        var notification: Belfry_V1_NotificationRef
        /// The action that sends the text.
        var action: Belfry_V1_NotificationAction
        /// The text so far.
        var typed = TypedText()
        /// The presentation that the notification is open in; empty where it is not open.
        var presentation = ""
    }

    /// Begins a reply, with the text that could not be sent before.
    mutating func beginReply(
        to notification: Belfry_V1_NotificationRef,
        by action: Belfry_V1_NotificationAction,
        presentation: String = ""
    ) {
        let text = look.unsent.removeValue(forKey: notification) ?? ""
        mode = .replying(
            Reply(
                notification: notification,
                action: action,
                typed: TypedText(before: text),
                presentation: presentation
            )
        )
    }

    /// Notes why an act was not done; the text of a reply is kept for another try.
    mutating func fail(_ intent: CenterIntent, because reason: String) {
        note = Note(text: reason, isError: true)
        if case .dismiss(let references) = intent {
            rearrange { $0.list.dismissals.forget(references) }
            note?.text = "\(references.count) not dismissed: \(reason)"
            return
        }
        let reference: Belfry_V1_NotificationRef?
        let act: Belfry_V1_RespondRequest.OneOf_Act
        switch intent {
        case .respond(let notification, let done): (reference, act) = (notification, done)
        case .act(let presentation, let done):
            let isOpen = opened?.presentationID == presentation
            (reference, act) = (isOpen ? opened?.notification.notification : nil, done)
        case .set(let change):
            change.before.show(in: &self)
            note?.text = "\(change.label) not changed: \(reason)"
            return
        case .answer(let prompt, _): return mark(prompt, isAnswered: false)
        default: return
        }
        guard case .action(let action) = act, !action.userText.isEmpty, let reference else {
            return
        }
        look.unsent[reference] = action.userText
        note?.text += " Your text is kept: reply again."
    }
}
