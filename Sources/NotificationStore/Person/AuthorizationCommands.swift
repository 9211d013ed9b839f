internal import BelfryLMDB
public import NotificationCore

/// Who answers a permission prompt.
public enum PromptAnswer: Hashable, Sendable {
    /// Every prompt is granted at once.
    case grant
    /// Every prompt is denied at once.
    case deny
    /// The person, for whom the caller waits this long at most, in nanoseconds; not negative.
    case ask(waitNanoseconds: Int64)
}

/// What the person says to an app that asks.
public enum PersonsAnswer: Hashable, Sendable {
    /// A plain yes to all that was asked for: ``AuthorizationPrompt/allowedByYes(under:)``.
    case allowAll
    /// An answer in full.
    case answer(AuthorizationPrompt.Answer)
}

/// What an app is told that asked for permission.
public struct AuthorizationReply: Hashable, Sendable {
    /// The settings after it.
    public var settings: NotificationSettings
    /// The prompt that still waits for the person; nil where somebody has decided.
    public var prompt: UInt64?
}

extension Store {
    /// Asks for `options`, registering the app where it is new (§4).
    ///
    /// While a question is open the call joins it and waits for the same answer. Waiting costs the
    /// writer nothing.
    ///
    /// - Parameters:
    ///   - options: What the app asks for.
    ///   - center: The center.
    ///   - answer: Who answers where the person has to be asked.
    ///   - key: Makes a retry act once; one that comes while the first call waits joins it.
    ///   - completion: Told the settings after it, once they are durable: when somebody has
    ///     decided, or else when the time to wait has passed: real time, also while the store runs
    ///     on a manual clock.
    public func requestAuthorization(
        _ options: AuthorizationOptions,
        for center: CenterName,
        answer: PromptAnswer,
        once key: OnceKey? = nil,
        completion: @escaping Completion<AuthorizationReply>
    ) {
        submit(
            RequestAuthorizationCommand(
                center: center,
                options: options,
                answer: answer,
                mayRegister: registersNewApps
            ),
            once: key,
            completion
        )
    }

    /// Answers an app that asks the person.
    ///
    /// - Parameters:
    ///   - prompt: Which question.
    ///   - device: The device that it is asked on.
    ///   - answer: What the person says.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the app's settings after it, once they are durable. Refused are a
    ///     question that is not there (`PROMPT_NOT_FOUND`), one that has ended (`PROMPT_ENDED`) and
    ///     what ``NotificationSettings/answering(_:to:entitlements:isSummaryOn:)`` refuses.
    public func answerPrompt(
        _ prompt: UInt64,
        on device: String,
        with answer: PersonsAnswer,
        once key: OnceKey? = nil,
        completion: @escaping Completion<NotificationSettings>
    ) {
        submit(
            AnswerPromptCommand(prompt: prompt, device: device, answer: answer),
            once: key,
            completion
        )
    }

    /// Ends every wait for a person with UNAVAILABLE, now and from now on.
    ///
    /// Call it before the calls that wait are to end. Prompts stay open.
    public func endWaits() { writer.endWaits() }
}

struct RequestAuthorizationCommand: CenterCommand {
    let center: CenterName
    let options: AuthorizationOptions
    let answer: PromptAnswer
    let mayRegister: Bool
    /// What it waits for, once it asked.
    private var wait: Wait?

    init(
        center: CenterName,
        options: AuthorizationOptions,
        answer: PromptAnswer,
        mayRegister: Bool
    ) {
        self.center = center
        self.options = options
        self.answer = answer
        self.mayRegister = mayRegister
    }

    mutating func apply(to batch: Batch) throws(LMDBError) -> Step<AuthorizationReply> {
        let known = try batch.center(center)
        if let wait { return try goOn(wait, known, batch) }
        guard mayRegister || known != nil else { return .done(.failure(.notRegistered(center))) }
        let center = try batch.register(center)
        let registration = try center.app().registration
        let entitlements = registration.entitlements
        let step = center.state.settings.requesting(
            options,
            entitlements: entitlements,
            isEphemeral: registration.isEphemeral
        )
        // Who has not decided yet sees one question, whatever is asked for meanwhile; what is
        // granted quietly does not wait for it (A-5, D-23).
        let joins =
            center.state.openPrompt != nil
            && center.state.settings.authorizationStatus == .notDetermined
            && !registration.isEphemeral && !options.contains(.provisional)
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

    /// Takes settings that nobody has to be asked for.
    ///
    /// A quiet grant offers to be kept or turned off, until the person decides.
    private func settle(
        _ settings: NotificationSettings,
        _ center: CenterWork
    ) throws(LMDBError) {
        let offersMore = settings.authorizationStatus == .provisional
        let asked = options.union(.provisional)
        // Before the change, which would end a first question: it goes on as the one for the rest.
        if offersMore && center.state.openPrompt != nil { _ = try center.prompts.ask(asked) }
        try center.change(settings)
        if offersMore && center.state.openPrompt == nil { _ = try center.prompts.ask(asked) }
    }

    /// Ends the wait where the prompt has ended, or the time has passed.
    private func goOn(
        _ wait: Wait,
        _ known: CenterWork?,
        _ batch: Batch
    ) throws(LMDBError) -> Step<AuthorizationReply> {
        // Unregistering takes the prompt with it, also where the app has come back since.
        guard let known, let record = try batch.transaction.prompt(wait.prompt, batch.tables),
            record.center == known.number
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

    mutating func resume(_ reader: inout ByteReader) throws(LMDBError) {
        wait = try reader.optional { reader throws(LMDBError) in
            Wait(prompt: try reader.number(), end: ElapsedInstant(nanoseconds: try reader.number()))
        }
    }
}

struct AnswerPromptCommand: Command {
    let prompt: UInt64
    let device: String
    let answer: PersonsAnswer

    func apply(to batch: Batch) throws(LMDBError) -> Step<NotificationSettings> {
        guard let record = try batch.transaction.prompt(prompt, batch.tables) else {
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
        let settings: NotificationSettings
        do {
            settings = try center.state.settings.answering(
                answer,
                to: record.prompt,
                entitlements: app.registration.entitlements,
                isSummaryOn: isSummaryOn
            )
        } catch {
            return .done(.failure(error))
        }
        if case .keep = answer {
            try center.summary.setInSummary(settings.scheduledDelivery)
        }
        try center.change(settings)
        return .done(.success(center.state.settings))
    }
}

extension Refusal {
    /// No app has asked so on this device.
    fileprivate static let promptNotFound = Refusal(
        .notFound,
        reason: "PROMPT_NOT_FOUND",
        message: "prompt_id: no app asks so on this device",
        fields: [Field("prompt_id", "names no prompt of this device")]
    )

    /// Somebody has answered before.
    fileprivate static let promptEnded = Refusal(
        .failedPrecondition,
        reason: "PROMPT_ENDED",
        message: "prompt_id: the prompt has ended, since the person has decided",
        fields: [Field("prompt_id", "the prompt has ended")]
    )
}
