package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Opens a notification for a closer look, with the extension of its category (§19).
    ///
    /// `identifier` is the name of the new presentation; a notification that is open already keeps
    /// its presentation. `completion` is told the presentation's name. The notification is refused
    /// where it no longer exists or was replaced, and where too many are open.
    package func open(
        _ target: NotificationReference,
        as identifier: PresentationIdentifier,
        once key: OnceKey? = nil,
        completion: @escaping Completion<PresentationIdentifier>
    ) {
        submit(OpenCommand(target: target, identifier: identifier), once: key, completion)
    }

    /// Closes a presentation; its notification stays in the list.
    ///
    /// `identifier` is the presentation; one that is closed already is not refused. `completion` is
    /// told when it is closed.
    package func close(
        _ identifier: PresentationIdentifier,
        on device: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        submit(CloseCommand(identifier: identifier, device: device), once: key, completion)
    }

    /// Changes a presentation for the extension that shows it.
    ///
    /// `change` is what changes. `completion` is told when it is changed. The change is refused
    /// where the presentation is closed, and where its extension does not serve.
    package func change(
        _ identifier: PresentationIdentifier,
        of app: String,
        _ change: PresentationCommandChange,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        let command = ChangePresentationCommand(identifier: identifier, app: app, change: change)
        submit(command, once: key, completion)
    }

    /// Takes a content extension's answer to an act of the person (§19.2).
    ///
    /// `answer` is what becomes of the view and of the app. `serving` is the identifier of the call
    /// through which the extension was asked. `completion` is told when the answer is durable. The
    /// first answer counts: the same answer again is not refused, any other is `CALLBACK_ENDED`.
    package func completeContentExtension(
        _ question: ExtensionCallback.Name,
        with answer: ContentAnswer,
        of app: String,
        through serving: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        let command = CompleteContentExtensionCommand(
            question: question,
            answer: answer,
            app: app,
            serving: serving
        )
        submit(command, once: key, completion)
    }

    /// The presentation of an identifier, as of the last commit.
    ///
    /// - Returns: The presentation; nil where it is not open.
    package func presentation(_ identifier: PresentationIdentifier) -> OpenPresentation? {
        context.board.current[identifier]
    }
}

package enum PresentationCommandChange: Sendable {
    case actions([NotificationAction])
    case view(ContentView)
    /// The app opens, as by a tap on the notification.
    case openApp
    case dismiss
}

struct OpenCommand: CenterCommand {
    let target: NotificationReference
    let identifier: PresentationIdentifier

    var center: CenterName { target.center }

    var growth: Growth { .act }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<PresentationIdentifier> {
        let listed = try batch.listed(target)
        return .done(.success(try batch.presentationWork.open(listed, as: identifier)))
    }
}

struct CloseCommand: Command {
    let identifier: PresentationIdentifier
    let device: String

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        batch.presentationWork.close(identifier, on: device)
        return .done(.success(0))
    }
}

struct ChangePresentationCommand: Command {
    let identifier: PresentationIdentifier
    let app: String
    let change: PresentationCommandChange

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let work = batch.presentationWork
        let presentation = try work.presentation(identifier, of: app)
        switch change {
        case .actions(let actions): try work.setActions(actions, in: presentation)
        case .view(let view): try work.update(view, in: presentation)
        case .openApp: try work.performDefault(in: presentation)
        case .dismiss: work.dismiss(presentation)
        }
        return .done(.success(0))
    }
}

/// The press of a play button (NCE-7).
struct PressCommand: Command {
    let identifier: PresentationIdentifier
    let device: String
    let command: MediaCommand

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<RespondOutcome> {
        .done(batch.presentationWork.press(command, in: identifier, on: device))
    }
}
