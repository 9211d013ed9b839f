internal import Faults
package import NotificationCore
internal import NotificationRecords

/// The way in which a permission prompt is answered.
package enum PromptAnswer: Hashable, Sendable {
    /// Every prompt is granted at once.
    case grant
    /// Every prompt is denied at once.
    case deny
    /// The person answers; the caller waits at most this long, in nanoseconds; not negative.
    case ask(waitNanoseconds: Int64)
}

package enum PersonsAnswer: Hashable, Sendable {
    /// A plain yes, which allows ``AuthorizationPrompt/allowedByYes(under:)``.
    case allowAll
    /// An answer in detail.
    case answer(AuthorizationPrompt.Answer)
}

/// The reply to an app that asked for permission.
package struct AuthorizationReply: Hashable, Sendable {
    package var settings: NotificationSettings
    /// The prompt that still waits for the person; nil where it is decided.
    package var prompt: PromptNumber?
}

extension Store {
    /// Asks for `options`, registering the app where it is new (§4).
    ///
    /// While a prompt is open, the call joins it and waits for the same answer. A waiting call
    /// costs the writer nothing.
    ///
    /// - Parameters:
    ///   - options: What the app asks for.
    ///   - center: The center.
    ///   - answer: Who answers where the person has to be asked.
    ///   - registrant: For whom a new app counts; nil for a caller without a limit.
    ///   - key: Makes a retry act once; a retry during the first call joins it.
    ///   - completion: Told the settings after the call, once they are durable and decided, or once
    ///     the time to wait has passed. That time is real time, even where the store runs on a
    ///     manual clock.
    package func requestAuthorization(
        _ options: AuthorizationOptions,
        for center: CenterName,
        answer: PromptAnswer,
        by registrant: Registrant? = nil,
        once key: OnceKey? = nil,
        completion: @escaping Completion<AuthorizationReply>
    ) {
        let command = RequestAuthorizationCommand(
            center: center,
            options: options,
            answer: answer,
            registrant: registrant,
            mayRegister: registersNewApps
        )
        submit(command, once: key, completion)
    }

    /// Answers the prompt of an app as the person.
    ///
    /// `completion` is told the app's settings after the answer, once they are durable. The answer
    /// is refused where the prompt does not exist (`PROMPT_NOT_FOUND`) or has ended
    /// (`PROMPT_ENDED`), and as by
    /// ``NotificationSettings/answering(_:to:entitlements:isSummaryOn:)``.
    package func answerPrompt(
        _ prompt: PromptNumber,
        on device: String,
        with answer: PersonsAnswer,
        once key: OnceKey? = nil,
        completion: @escaping Completion<NotificationSettings>
    ) {
        let command = AnswerPromptCommand(prompt: prompt, device: device, answer: answer)
        submit(command, once: key, completion)
    }

    /// Ends every wait for a person with UNAVAILABLE, now and from now on.
    ///
    /// Call this before waiting calls have to end. Prompts stay open.
    package func endWaits() { writer.endWaits() }
}

struct RequestAuthorizationCommand: CenterCommand {
    let center: CenterName
    let options: AuthorizationOptions
    let answer: PromptAnswer
    let registrant: Registrant?
    let mayRegister: Bool
    /// The command's wait, once it has asked.
    var wait: Wait?

    var growth: Growth { .asked }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<AuthorizationReply> {
        let known = try batch.center(center)
        if let wait { return try goOn(wait, known, batch) }
        guard mayRegister || known != nil else { return .done(.failure(.notRegistered(center))) }
        let center = try batch.register(self.center, by: registrant)
        let registration = try center.app().registration
        let entitlements = registration.entitlements
        let step = center.state.settings.requesting(
            options,
            entitlements: entitlements,
            isEphemeral: registration.isEphemeral
        )
        // A person who has not decided yet sees one prompt, which later calls join; a quiet grant
        // does not wait for the prompt (A-5, D-23).
        let joins =
            center.state.openPrompt != nil
            && center.state.settings.authorizationStatus == .notDetermined
            && !registration.isEphemeral
            && (!options.contains(.provisional) || Fault.promptHoldsTheQuietGrant.isPlanted)
        if case .settled(let settings) = step, !joins {
            try settle(settings, center)
            return .done(.success(AuthorizationReply(settings: center.state.settings)))
        }
        let asked = try center.prompts.open()?.record.prompt.options ?? []
        let all = asked.union(options)
        switch answer {
        case .grant:
            try center.change(center.state.settings.granted(all, entitlements: entitlements))
        case .deny:
            try center.change(center.state.settings.denied(all, entitlements: entitlements))
        case .ask(let waitNanoseconds):
            let prompt = try center.prompts.ask(options)
            guard waitNanoseconds > 0, batch.mayWait(for: self.center) else {
                let settings = center.state.settings
                return .done(.success(AuthorizationReply(settings: settings, prompt: prompt)))
            }
            let wait = Wait(
                prompt: prompt,
                end: batch.clock.waited.advanced(byNanoseconds: waitNanoseconds)
            )
            self.wait = wait
            return .waits(wait)
        }
        return .done(.success(AuthorizationReply(settings: center.state.settings)))
    }

    /// Applies settings that need no prompt.
    ///
    /// A quiet grant has a prompt to keep it or turn it off, until the person decides.
    private func settle(
        _ settings: NotificationSettings,
        _ center: CenterWork
    ) throws(StoreFailure) {
        let offersMore = settings.authorizationStatus == .provisional
        let asked = options.union(.provisional)
        // Ask before the settings change: the change would end a first prompt, and this one stays
        // open as an upgrade.
        if offersMore && center.state.openPrompt != nil { _ = try center.prompts.ask(asked) }
        try center.change(settings)
        if offersMore && center.state.openPrompt == nil { _ = try center.prompts.ask(asked) }
    }

    /// Ends the wait where the prompt has ended, or the time has passed.
    private func goOn(
        _ wait: Wait,
        _ known: CenterWork?,
        _ batch: Batch
    ) throws(StoreFailure) -> Step<AuthorizationReply> {
        // Look for the row: the prompt is gone when its app was unregistered, even if the app is
        // registered again.
        let record = try batch.transaction.rowIfAny(wait.prompt, in: batch.tables.prompts)
        guard let known, let record, record.center == known.number
        else { return .done(.failure(.notRegistered(center))) }
        guard !record.isOpen || wait.end <= batch.clock.waited else { return .waits(wait) }
        return .done(
            .success(
                AuthorizationReply(
                    settings: known.state.settings,
                    prompt: record.isOpen ? wait.prompt : nil
                )
            )
        )
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(wait) { writer, wait in
            writer.put(wait.prompt)
            writer.put(wait.end.nanoseconds)
        }
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        wait = try reader.optional { reader throws(RowProblem) in
            Wait(prompt: try reader.serial(), end: ElapsedInstant(nanoseconds: try reader.number()))
        }
    }
}

struct AnswerPromptCommand: Command {
    let prompt: PromptNumber
    let device: String
    let answer: PersonsAnswer

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<NotificationSettings> {
        guard let record = try batch.transaction.rowIfAny(prompt, in: batch.tables.prompts) else {
            return .done(.failure(.promptNotFound))
        }
        let center = try batch.center(record.center)
        guard center.name.device == device,
            try batch.number(of: center.name) == record.center
        else { return .done(.failure(.promptNotFound)) }
        guard record.isOpen else { return .done(.failure(.promptEnded)) }
        let app = try center.app()
        let answer =
            switch answer {
            case .allowAll:
                AuthorizationPrompt.Answer.allow(
                    record.prompt.allowedByYes(under: app.registration.entitlements)
                )
            case .answer(let answer): answer
            }
        let isSummaryOn = try batch.device(device).summary.isEnabled
        let settings = try StoreFailure.ofRefusal { () throws(Refusal) in
            try center.state.settings.answering(
                answer,
                to: record.prompt,
                entitlements: app.registration.entitlements,
                isSummaryOn: isSummaryOn
            )
        }
        if case .keep = answer {
            try center.summary.setInSummary(settings.scheduledDelivery)
        }
        try center.change(settings)
        return .done(.success(center.state.settings))
    }
}

extension Refusal {
    /// This device has no such prompt.
    fileprivate static let promptNotFound = Refusal(
        .notFound,
        reason: .promptNotFound,
        message: "no app asks so on this device",
        fields: [WrongField([.prompt], "names no prompt of this device")]
    )

    /// The prompt has ended before.
    fileprivate static let promptEnded = Refusal(
        .failedPrecondition,
        reason: .promptEnded,
        message: "the prompt has ended, since the person has decided",
        fields: [WrongField([.prompt], "the prompt has ended")]
    )
}
