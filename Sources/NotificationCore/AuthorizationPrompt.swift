/// A prompt: a question to the person whether an app may notify (§4, A-2, A-7).
///
/// A prompt stays open however long the app waits; only an answer or a change of the settings ends
/// it.
package struct AuthorizationPrompt: Hashable, Sendable {
    /// The kinds of prompts; the numbers are stored.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// The first prompt: allow or deny. The person has not decided yet.
        case initial = 0
        /// An app with a quiet grant asks for more: allow, deny, keep the quiet grant, or turn it
        /// off.
        case upgrade = 1
        /// The prompt beside each quiet notification: keep or turn off. May become ``upgrade``.
        case quiet = 2
    }

    /// How notifications arrive after the person keeps a quiet grant.
    package enum Delivery: UInt8, Hashable, Sendable, CaseIterable {
        /// At once, and still quietly.
        case immediately = 0
        /// In the scheduled summary; only where the person has it on.
        case scheduledSummary = 1
    }

    /// The person's answer, within the choices of the prompt's kind.
    package enum Answer: Hashable, Sendable {
        /// Allow these options, at least one of those asked for. Critical alerts have to be named.
        case allow(AuthorizationOptions)
        /// Allow nothing.
        case deny
        /// Keep a quiet grant, as quiet as it is.
        case keep(Delivery)
        /// End a quiet grant.
        case turnOff
    }

    package private(set) var kind: Kind
    /// Everything that the app has asked for so far; never ``AuthorizationOptions/provisional``.
    package private(set) var options: AuthorizationOptions

    package init(kind: Kind, options: AuthorizationOptions) {
        self.kind = kind
        self.options = options.subtracting(.provisional)
    }

    /// Makes the prompt that a request for `options` leads to.
    ///
    /// - Parameters:
    ///   - options: What the app asks for; provisional makes it the prompt of a quiet grant.
    ///   - settings: The settings after a quiet grant, or the settings for which
    ///     ``NotificationSettings/requesting(_:entitlements:isEphemeral:)`` asked for a prompt.
    /// - Precondition: The person has not decided yet, or the grant is quiet.
    package init(asking options: AuthorizationOptions, under settings: NotificationSettings) {
        let status = settings.authorizationStatus
        precondition(status == .notDetermined || status == .provisional, "a decided app asks")
        let isQuiet = options.contains(.provisional)
        self.init(
            kind: status == .notDetermined ? .initial : isQuiet ? .quiet : .upgrade,
            options: settings.requestedOptions.union(options)
        )
    }

    /// Adds the options that a later call asks for while the prompt is open.
    ///
    /// The later caller waits for the same answer. An app that asks for provisional gets a quiet
    /// grant at once, and a first prompt then stays open as an upgrade (D-23).
    package mutating func join(_ options: AuthorizationOptions) {
        switch (kind, options.contains(.provisional)) {
        case (.initial, true), (.quiet, false): kind = .upgrade
        case (.initial, false), (.upgrade, _), (.quiet, true): break
        }
        self.options.formUnion(options.subtracting(.provisional))
    }

    /// The options that the person may choose from: only those that the app may have.
    package func offered(under entitlements: Entitlements) -> AuthorizationOptions {
        options.offered(under: entitlements)
    }

    /// The options that a plain yes allows: all offered options except critical alerts, or critical
    /// alerts where nothing else is offered.
    package func allowedByYes(under entitlements: Entitlements) -> AuthorizationOptions {
        let offered = offered(under: entitlements)
        let standard = offered.subtracting(.criticalAlert)
        return standard.haveAPermission ? standard : offered
    }

    /// Whether the prompt is still open for an app of this status.
    ///
    /// The person may have decided in the settings meanwhile.
    package func isOpen(for status: AuthorizationStatus) -> Bool {
        switch kind {
        case .initial: status == .notDetermined
        case .upgrade, .quiet: status == .provisional
        }
    }

    fileprivate func checkFits(
        _ answer: Answer,
        under entitlements: Entitlements
    ) throws(Refusal) {
        switch (answer, kind) {
        case (.allow, .quiet), (.deny, .quiet):
            throw .answerInvalid("a quiet grant is kept or turned off")
        case (.keep, .initial), (.turnOff, .initial):
            throw .answerInvalid("only a quiet grant is kept or turned off: allow or deny")
        case (.allow(let allowed), _) where !allowed.isSubset(of: options):
            throw .answerInvalid("allows what was not asked for")
        case (.allow(let allowed), _) where !allowed.isSubset(of: offered(under: entitlements)):
            throw .answerInvalid("allows what the app has no entitlement for")
        case (.allow, _), (.deny, _), (.keep, _), (.turnOff, _):
            break
        }
    }
}

extension NotificationSettings {
    /// Gives the settings after the person answered `prompt` (§4, A-7, A-8).
    ///
    /// An option that the app asked for and the person did not allow is off. Critical alerts
    /// without the entitlement are not offered and stay not supported.
    ///
    /// - Parameters:
    ///   - answer: What the person said.
    ///   - prompt: The open prompt.
    ///   - entitlements: What the app was registered with.
    ///   - isSummaryOn: Whether the person has the scheduled summary on.
    /// - Returns: The settings, authorized or denied.
    /// - Throws: A refusal that names `answer`: `ANSWER_INVALID` where the prompt does not offer
    ///   the answer or nothing would be allowed, `PROMPT_ENDED` where the person has decided in the
    ///   settings, `SUMMARY_OFF` where the scheduled summary is off.
    package func answering(
        _ answer: AuthorizationPrompt.Answer,
        to prompt: AuthorizationPrompt,
        entitlements: Entitlements = [],
        isSummaryOn: Bool = false
    ) throws(Refusal) -> NotificationSettings {
        guard prompt.isOpen(for: authorizationStatus) else { throw .promptEnded }
        try prompt.checkFits(answer, under: entitlements)
        switch answer {
        case .allow(let allowed):
            // Allow an app that asks for no permission to have a settings screen of its own.
            let isForNothing = !prompt.options.haveAPermission(under: entitlements)
            guard allowed.haveAPermission || isForNothing else {
                throw .answerInvalid("allows nothing that was asked for: deny it instead")
            }
            return allowing(allowed, of: prompt.options, entitlements: entitlements)
        case .deny, .turnOff:
            return denied(prompt.options, entitlements: entitlements)
        case .keep(.immediately):
            var settings = kept(prompt.options, entitlements: entitlements)
            if isSummaryOn { settings.scheduledDelivery = .disabled }
            return settings
        case .keep(.scheduledSummary):
            guard isSummaryOn else { throw .summaryOff }
            var settings = kept(prompt.options, entitlements: entitlements)
            settings.scheduledDelivery = .enabled
            return settings
        }
    }
}

extension Refusal {
    fileprivate static func answerInvalid(_ problem: String) -> Refusal {
        invalid([.answer], problem, reason: .answerInvalid)
    }

    fileprivate static let promptEnded = Refusal(
        .failedPrecondition,
        reason: .promptEnded,
        message: "the prompt has ended, since the person has decided in the settings",
        fields: [WrongField([.answer], "the prompt has ended")]
    )

    fileprivate static let summaryOff = Refusal(
        .failedPrecondition,
        reason: .summaryOff,
        message: "the scheduled summary is off: keep it for immediate delivery instead",
        fields: [WrongField([.answer], "the scheduled summary is off")]
    )
}
