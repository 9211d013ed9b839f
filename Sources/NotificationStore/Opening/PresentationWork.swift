internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The open notifications, as a batch changes them (§19).
///
/// Extensions and watchers are told once the batch is durable. A presentation closes by itself when
/// its notification leaves the list or is replaced, when the device is locked, and when the app is
/// unregistered.
struct PresentationWork {
    let batch: Batch

    // MARK: Open and close

    /// Opens a notification, or finds its open presentation.
    ///
    /// A notification whose text is hidden opens without its extension: what the extension shows is
    /// hidden too (§10).
    func open(
        _ listed: ListedWork,
        as identifier: PresentationIdentifier
    ) throws(StoreFailure) -> PresentationIdentifier {
        let center = listed.center
        // Refuse: a snoozed notification is not on the screen.
        if case .snoozed = listed.place { throw .refused(.notificationNotFound) }
        if let open = batch.presentations.of(center.number, listed.delivery) {
            return open.identifier
        }
        let content = listed.record.request.content
        let category = content.shown(
            by: try batch.transaction.category(
                content.categoryIdentifier,
                of: center.number,
                batch.tables
            )
        )
        let isHidden = center.state.settings.showPreviews.hidesText(
            whileLocked: try center.device().isLocked
        )
        let presentation = OpenPresentation(
            identifier,
            of: listed.reference,
            from: OpenPresentation.Source(
                center: center.number,
                sequence: listed.sequence,
                date: listed.date,
                hasEntry: listed.hasEntry,
                category: content.categoryIdentifier,
                thread: content.groupingThread
            ),
            // Keep the button for a snooze, which is not the app's (SNZ-4).
            actions: Array(category?.actions.prefix(NotificationCategory.roomyActionCount) ?? []),
            contentExtension: isHidden
                ? nil : try center.contentExtension(showing: content.categoryIdentifier)
        )
        try StoreFailure.refuse(batch.presentations.insert(presentation, within: batch.limits))
        batch.tell(ContentNews(showing: presentation))
        return identifier
    }

    /// Closes a presentation of a device; one that is not open stays as it is.
    func close(_ identifier: PresentationIdentifier, on device: String) {
        guard batch.presentations[identifier]?.notification.center.device == device else { return }
        close(identifier)
    }

    /// Closes all presentations of a device that was locked, since their views are hidden now.
    func closeAll(on device: String) {
        guard !batch.presentations.isEmpty else { return }
        for presentation in batch.presentations.on(device: device) {
            close(presentation.identifier)
        }
    }

    /// Closes all presentations of a center, whose app was unregistered.
    func closeAll(of center: CenterNumber) {
        guard !batch.presentations.isEmpty else { return }
        for presentation in batch.presentations.of(center) { close(presentation.identifier) }
    }

    /// Closes the presentation of a delivery that no longer exists.
    func close(_ center: CenterNumber, _ delivery: DeliveryNumber) {
        guard !batch.presentations.isEmpty,
            let presentation = batch.presentations.of(center, delivery)
        else { return }
        close(presentation.identifier)
    }

    private func close(_ identifier: PresentationIdentifier) {
        guard let closed = batch.presentations.remove(identifier) else { return }
        batch.tell(ContentNews(.closed, of: closed))
        tell(.closed, of: closed)
    }

    /// Notes a delivery: it replaces the open notification of its identifier, and is told to the
    /// extension of each open notification of its thread (NCE-3).
    func noteDelivery(
        _ delivery: DeliveryNumber,
        of request: RequestHead,
        _ sequence: RequestNumber,
        in center: CenterWork
    ) throws(StoreFailure) {
        let open = batch.presentations.of(center.number)
        guard !open.isEmpty else { return }
        let thread = try center.records.request(sequence).request.content.groupingThread
        for presentation in open {
            if presentation.notification.identifier.isExactly(request.identifier) {
                close(presentation.identifier)
            } else if !thread.isEmpty, presentation.source.thread.isExactly(thread) {
                let shown = ContentNews.Shown(
                    reference: center.reference(request.identifier, delivery),
                    sequence: sequence,
                    date: batch.now.wall,
                    actions: presentation.actions
                )
                batch.tell(ContentNews(.presented(shown), of: presentation))
            }
        }
    }

    // MARK: Acts of the person

    /// Acts on an open notification as the person (§19.2).
    func respond(
        _ act: PersonAct,
        to identifier: PresentationIdentifier,
        on device: String
    ) throws(StoreFailure) -> RespondOutcome {
        guard let presentation = batch.presentations[identifier],
            presentation.notification.center.device == device
        else { throw .refused(.presentationNotFound) }
        // Begin with the presentation: it alone tells the center of the command.
        guard batch.begin(center: presentation.source.center) else {
            throw .refused(.presentationNotFound)
        }
        defer { batch.endWork() }
        guard let listed = try batch.listed(presentation) else {
            throw .refused(.notificationNotFound)
        }
        let actions = Fault.buttonsOfTheCategoryPressed.isPlanted ? nil : presentation.actions
        let decision = try listed.decision(of: act, offering: actions)
        if decision.needsUnlock {
            return try UnlockWaits(batch: batch, device: device).wait(for: decision, on: listed)
        }
        return try perform(decision, in: presentation, listed)
    }

    /// Asks the extension about an action that it handles, and tells the app of any other act.
    @discardableResult
    func perform(
        _ decision: ActDecision,
        in presentation: OpenPresentation,
        _ listed: ListedWork
    ) throws(StoreFailure) -> RespondOutcome {
        guard let response = decision.response, !response.isDefault,
            let serving = batch.serving(presentation), serving.appearance.handlesResponses
        else { return try listed.perform(decision) }
        let limit = batch.limits.responsesPerCenter
        guard listed.center.state.openResponseCount < limit else {
            throw .refused(.responseLimit(limit))
        }
        try listed.center.contentQuestions.ask(
            CallbackRecord.ContentAct(
                presentation: presentation.identifier,
                contentExtension: serving.identifier,
                launch: decision.launch,
                response: listed.response(response)
            )
        )
        return .handledByExtension
    }

    /// Presses the play button of a view (NCE-7).
    func press(
        _ command: MediaCommand,
        in identifier: PresentationIdentifier,
        on device: String
    ) -> Result<RespondOutcome, Refusal> {
        guard let presentation = batch.presentations[identifier],
            presentation.notification.center.device == device
        else { return .failure(.presentationNotFound) }
        guard batch.serving(presentation) != nil else { return .failure(.viewNotServed) }
        guard let media = presentation.view?.media, media.buttonType != .none else {
            return .failure(.noMedia)
        }
        batch.tell(ContentNews(.media(command), of: presentation))
        return .success(.handledByExtension)
    }

    // MARK: Acts of the extension

    /// The presentation that an app's extension names; the command is refused where the extension
    /// cannot change it.
    func presentation(
        _ identifier: PresentationIdentifier,
        of app: String
    ) throws(StoreFailure) -> OpenPresentation {
        guard let presentation = batch.presentations[identifier],
            presentation.notification.center.app == app
        else { throw .refused(.presentationNotFound) }
        guard batch.serving(presentation) != nil else { throw .refused(.viewNotServed) }
        return presentation
    }

    /// Replaces the buttons of a presentation (NCE-5).
    func setActions(
        _ actions: [NotificationAction],
        in presentation: OpenPresentation
    ) throws(StoreFailure) {
        var changed = presentation
        changed.actions = actions
        try StoreFailure.refuse(batch.presentations.update(changed, within: batch.limits))
        tell(.actions(actions), of: presentation)
    }

    /// Shows another view in a presentation.
    func update(
        _ view: ContentView,
        in presentation: OpenPresentation
    ) throws(StoreFailure) {
        var changed = presentation
        changed.view = presentation.view?.updated(by: view) ?? view
        try StoreFailure.refuse(batch.presentations.update(changed, within: batch.limits))
        tell(.view(view), of: presentation)
    }

    /// Opens the app, as a tap on the notification does (NCE-6).
    func performDefault(in presentation: OpenPresentation) throws(StoreFailure) {
        let device = presentation.notification.center.device
        _ = try respond(.open, to: presentation.identifier, on: device)
    }

    /// Closes the view; the notification stays (NCE-6).
    func dismiss(_ presentation: OpenPresentation) { close(presentation.identifier) }

    private func tell(_ change: DeviceNews.PresentationChange, of presentation: OpenPresentation) {
        let center = presentation.notification.center
        batch.tell(.presentation(presentation.identifier, center, change), on: center.device)
    }
}

extension ActResponse {
    /// Whether the person opened the notification, which no extension handles: it opens the app.
    fileprivate var isDefault: Bool {
        actionIdentifier.isExactly(NotificationAction.defaultIdentifier)
    }
}

extension Batch {
    var presentationWork: PresentationWork { PresentationWork(batch: self) }
}
