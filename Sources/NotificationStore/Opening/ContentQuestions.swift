internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The acts of the person about which content extensions of a center's app are asked (§19.2).
///
/// The act is durable from the instant of the question. It is told to the app as if no extension
/// existed where no answer comes in time, where the extension ends, and after a crash, so that
/// nothing that the person does is lost (NCE-9).
struct ContentQuestions: CenterPart {
    let center: CenterWork

    /// Asks an extension how to go on with an act.
    func ask(_ act: CallbackRecord.ContentAct) throws(StoreFailure) {
        center.state.openResponseCount += 1
        _ = try center.callbacks.open(.content(act))
    }

    /// Takes the answer of the extension.
    func answer(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ act: CallbackRecord.ContentAct,
        with answer: ContentAnswer
    ) throws(StoreFailure) {
        try center.callbacks.close(callback, record, .completed, answer: .option(answer))
        try settle(act, answer)
    }

    /// Goes on without an answer: the view closes, and the app is told.
    func settleUnanswered(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ act: CallbackRecord.ContentAct
    ) throws(StoreFailure) {
        try center.callbacks.close(callback, record, .timedOut)
        try settle(act, Fault.actLostWithTheExtension.isPlanted ? .dismiss : .dismissAndForward)
    }

    private func settle(
        _ act: CallbackRecord.ContentAct,
        _ answer: ContentAnswer
    ) throws(StoreFailure) {
        let response = act.response
        if answer.tellsApp {
            try center.callbacks.respond(response)
            center.tellLaunch(act.launch, for: response)
        }
        if answer.closes { batch.presentationWork.close(center.number, response.delivery) }
        guard answer.leavesList else { return }
        let name = response.request.request.identifier
        if try center.delivered.contains(response.delivery) {
            try center.delivered.remove(response.delivery, reason: .person)
            batch.counts.removed += 1
        } else if let banner = center.state.banner(of: name, at: batch.now.elapsed),
            banner.delivery == response.delivery
        {
            center.state.hideBanner(of: name)
        } else {
            // The person may have snoozed the notification since (SNZ-1).
            let identifier = try center.identifier(name)
            guard identifier.record.snoozed == response.delivery else { return }
            try center.snoozed.remove(identifier, reason: .person)
        }
    }
}

struct CompleteContentExtensionCommand: Command {
    let question: ExtensionCallback.Name
    let answer: ContentAnswer
    let app: String
    let serving: String

    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let now = batch.now.elapsed
        guard batch.context.extensions.isServing(serving, as: .content, for: app, at: now) else {
            return .done(.failure(.extensionNotServing))
        }
        guard batch.begin(center: question.center),
            let center = try batch.knownCenter(question.center), center.name.app == app
        else { return .done(.failure(.callbackUnknown(question.number))) }
        defer { batch.endWork() }
        let refusal = try center.callbacks.complete(question.number, with: .option(answer))
        return .done(refusal.map { .failure($0) } ?? .success(0))
    }
}

extension CenterWork {
    /// The acts about which content extensions are asked.
    var contentQuestions: ContentQuestions { ContentQuestions(center: self) }

    /// The content extension that shows a category: the one that serves it, or else one that the
    /// app is registered with (NCE-1).
    func contentExtension(showing category: String) throws(StoreFailure) -> AppExtension? {
        guard !category.isEmpty else { return nil }
        let serving = batch.context.extensions.contentExtension(
            of: name.app,
            showing: category,
            at: batch.now.elapsed
        )
        if let serving { return serving }
        return try app().registration.extensions.first { item in
            item.kind == .content && item.categories.containsExactly(category)
        }
    }
}

extension Batch {
    /// The extension that shows a presentation, if it serves now.
    func serving(_ presentation: OpenPresentation) -> AppExtension? {
        let serving = context.extensions.contentExtension(
            of: presentation.notification.center.app,
            showing: presentation.source.category,
            at: now.elapsed
        )
        let isSame = serving?.identifier == presentation.contentExtension?.identifier
        return isSame ? serving : nil
    }
}
