internal import BelfryLMDB
internal import NotificationCore

/// The prompts of a center: questions to the person about its app (§4).
///
/// A center has at most one open prompt. The row of an ended prompt stays, so that a late answer is
/// recognized.
struct Prompts {
    let center: CenterWork
    private var batch: Batch { center.batch }

    /// The open prompt.
    func open() throws(LMDBError) -> (number: UInt64, record: PromptRecord)? {
        guard let number = center.state.openPrompt else { return nil }
        guard let record = try batch.transaction.prompt(number, batch.tables), record.isOpen else {
            throw .disagrees(Key.number(number), in: batch.tables.prompts)
        }
        return (number, record)
    }

    /// Asks the person for `options`, or adds them to the open prompt.
    ///
    /// - Returns: The prompt's number.
    /// - Throws: What the store reports.
    func ask(_ options: AuthorizationOptions) throws(LMDBError) -> UInt64 {
        if let open = try open() {
            var record = open.record
            record.prompt.join(options)
            if record != open.record {
                try put(open.number, record)
                center.tell(.prompt(center.name))
            }
            return open.number
        }
        let prompt = batch.state.nextSequence
        batch.state.nextSequence += 1
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
    func end() throws(LMDBError) {
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

    private func put(_ number: UInt64, _ record: PromptRecord) throws(LMDBError) {
        batch.hasChanged = true
        let key = Key.number(number)
        try batch.transaction.put(record.bytes, forKey: key, in: batch.tables.prompts)
    }
}

extension CenterWork {
    /// Changes the center's settings, with their event, and ends a prompt that is decided by them
    ///
    ///
    /// Whether the app is in the summary is taken from the device's state.
    func change(_ settings: NotificationSettings) throws(LMDBError) {
        var settings = settings
        // An app about which the person has not decided has no place in the summary.
        if settings.authorizationStatus != .notDetermined {
            settings.scheduledDelivery = try device().scheduledDelivery(of: name.app)
        }
        let isSeen = !settings.looksLike(state.settings)
        state.settings = settings
        if isSeen { try events.record(.settingsChanged(settings)) }
        if let open = try prompts.open(),
            !open.record.prompt.isOpen(for: settings.authorizationStatus)
        {
            try prompts.end()
        }
    }
}
