internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The prompts of a center: questions to the person about its app (§4).
///
/// A center has at most one open prompt. The row of an ended prompt stays, so that a late answer is
/// recognized.
struct Prompts: CenterPart {
    let center: CenterWork

    func open() throws(StoreFailure) -> (number: PromptNumber, record: PromptRecord)? {
        guard let number = center.state.openPrompt else { return nil }
        let record = try batch.transaction.rowIfAny(number, in: batch.tables.prompts)
        guard let record, record.isOpen else { throw .disagrees(number, in: tables.prompts) }
        return (number, record)
    }

    /// Asks the person for `options`, or adds them to the open prompt.
    func ask(_ options: AuthorizationOptions) throws(StoreFailure) -> PromptNumber {
        if let open = try open() {
            var record = open.record
            record.prompt.join(options)
            if record != open.record {
                try put(open.number, record)
                center.tell(.prompt(center.name))
            }
            return open.number
        }
        let prompt = PromptNumber(rawValue: batch.state.takeNumber())
        let record = PromptRecord(
            center: center.number,
            prompt: AuthorizationPrompt(asking: options, under: center.state.settings),
            openedAt: batch.now.wall
        )
        try put(prompt, record)
        center.state.openPrompt = prompt
        center.tell(.prompt(center.name))
        return prompt
    }

    /// Ends the open prompt, if there is one; the calls that wait for the prompt go on.
    func end() throws(StoreFailure) {
        guard let open = try open() else { return }
        var record = open.record
        record.isOpen = false
        try put(open.number, record)
        var app = try center.app()
        app.endedPrompts.append(open.number)
        try center.setApp(app)
        center.state.openPrompt = nil
        batch.news.endedPrompts.insert(open.number)
        let status = center.state.settings.authorizationStatus
        center.tell(.promptClosed(open.number, center.name, status))
    }

    private func put(_ number: PromptNumber, _ record: PromptRecord) throws(StoreFailure) {
        batch.hasChanged = true
        try batch.transaction.put(record, at: number, in: batch.tables.prompts)
    }
}

extension CenterWork {
    /// Changes the center's settings, with their event, and ends a prompt that is decided by them
    ///
    ///
    /// Whether the app is in the summary is taken from the device's state.
    func change(_ settings: NotificationSettings) throws(StoreFailure) {
        var settings = settings
        // Leave the setting: an app about which the person has not decided is not in the summary.
        if settings.authorizationStatus != .notDetermined {
            settings.scheduledDelivery = try device().scheduledDelivery(of: name.app)
        }
        let isTold = Fault.settingsChangedForNothing.isPlanted && settings != state.settings
        let isSeen = !settings.looksLike(state.settings) || isTold
        state.settings = settings
        if isSeen { try events.record(.settingsChanged(settings)) }
        if let open = try prompts.open(),
            !open.record.prompt.isOpen(for: settings.authorizationStatus)
        {
            try prompts.end()
        }
    }
}
