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
        /// The text before the cursor.
        var before = ""
        /// The text after the cursor.
        var after = ""
        /// The presentation that the notification is open in; empty where it is not open.
        var presentation = ""

        /// The text that is typed so far.
        var text: String { before + after }

        /// Changes the text, or the place of the cursor.
        mutating func press(_ key: Key) {
            switch key {
            case .backspace: _ = before.popLast()
            case .delete: after = String(after.dropFirst())
            case .eraseLine: (before, after) = ("", "")
            case .home: (before, after) = ("", text)
            case .end: (before, after) = (text, "")
            case .left: goLeft()
            case .right: goRight()
            case .wordLeft:
                goLeft(while: { !$0.isLetter && !$0.isNumber })
                goLeft(while: { $0.isLetter || $0.isNumber })
            case .wordRight:
                goRight(while: { !$0.isLetter && !$0.isNumber })
                goRight(while: { $0.isLetter || $0.isNumber })
            case .character(let character):
                // A mark joins the letter before it.
                before.append(character)
            default: break
            }
        }

        private mutating func goLeft() {
            if let last = before.popLast() { after = String(last) + after }
        }

        private mutating func goLeft(while isPassed: (Character) -> Bool) {
            while let last = before.last, isPassed(last) { goLeft() }
        }

        private mutating func goRight() {
            guard let first = after.first else { return }
            before.append(first)
            after.removeFirst()
        }

        private mutating func goRight(while isPassed: (Character) -> Bool) {
            while let first = after.first, isPassed(first) { goRight() }
        }
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
                before: text,
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
