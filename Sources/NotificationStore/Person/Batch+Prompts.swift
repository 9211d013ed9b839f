internal import BelfryLMDB
internal import NotificationCore

// Questions to the person (§4). A center has at most one that is open; its row stays
// when it has ended, so that a late answer is told so.

extension Batch {
    /// What a center's app is registered with.
    func app(of number: UInt32) throws(LMDBError) -> AppRecord {
        // A file that is older than registrations knows the centers alone.
        try transaction.app(number, tables) ?? AppRecord(registeredAt: now.wall)
    }

    /// Keeps what a center's app is registered with.
    func setApp(_ number: UInt32, _ app: AppRecord) throws(LMDBError) {
        hasChanged = true
        try transaction.put(app.bytes, forKey: Key.number(number), in: tables.apps)
    }

    /// The question of a center's app that is open.
    func openPrompt(
        of center: CenterState
    ) throws(LMDBError) -> (number: UInt64, record: PromptRecord)? {
        guard let number = center.openPrompt else { return nil }
        guard let record = try transaction.prompt(number, tables), record.isOpen else {
            throw .disagrees(Key.number(number), in: tables.prompts)
        }
        return (number, record)
    }

    /// Asks the person for `options`, or adds them to the question that is open.
    ///
    /// - Returns: The prompt's number.
    func ask(
        _ options: AuthorizationOptions,
        for center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) -> UInt64 {
        if let open = try openPrompt(of: center) {
            var record = open.record
            record.prompt.join(options)
            if record != open.record {
                try setPrompt(open.number, record)
                tell(.prompt(center.name), on: center.name.device)
            }
            return open.number
        }
        let prompt = state.nextSequence
        state.nextSequence += 1
        let record = PromptRecord(
            center: number,
            prompt: AuthorizationPrompt(asking: options, under: center.settings),
            openedAt: now.wall
        )
        try setPrompt(prompt, record)
        center.openPrompt = prompt
        tell(.prompt(center.name), on: center.name.device)
        return prompt
    }

    /// Ends the question that is open, if there is one; the calls that wait for it go on.
    func endPrompt(of center: inout CenterState, number: UInt32) throws(LMDBError) {
        guard let open = try openPrompt(of: center) else { return }
        var record = open.record
        record.isOpen = false
        try setPrompt(open.number, record)
        var app = try app(of: number)
        app.endedPrompts.append(open.number)
        try setApp(number, app)
        center.openPrompt = nil
        news.endedPrompts.insert(open.number)
        let status = center.settings.authorizationStatus
        tell(.promptClosed(open.number, center.name, status), on: center.name.device)
    }

    /// Gives a center other settings, with the event that tells of them, and ends a question that
    /// they have answered.
    ///
    /// Whether the app is in the summary is the device's to say.
    func change(
        _ settings: NotificationSettings,
        of center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        var settings = settings
        let device = try device(of: center)
        // An app of which nobody has decided has no place in the summary either.
        if settings.authorizationStatus != .notDetermined {
            settings.scheduledDelivery = device.scheduledDelivery(of: center.name.app)
        }
        let isSeen = !settings.looksLike(center.settings)
        center.settings = settings
        if isSeen {
            try record(.settingsChanged(settings), for: &center, number: number)
        }
        if let open = try openPrompt(of: center),
            !open.record.prompt.isOpen(for: settings.authorizationStatus)
        {
            try endPrompt(of: &center, number: number)
        }
    }

    private func setPrompt(_ number: UInt64, _ record: PromptRecord) throws(LMDBError) {
        hasChanged = true
        try transaction.put(record.bytes, forKey: Key.number(number), in: tables.prompts)
    }
}
