/// A question to the person that waits for an answer (§4, A-2, A-7).
///
/// It stays open however long the app waits; only an answer or a change in the settings ends it.
public struct AuthorizationPrompt: Hashable, Sendable {
    /// What sort of question it is; the numbers are stored.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// The first: allow or deny. Nobody has decided.
        case initial = 0
        /// A quietly granted app asks for more: allow or deny, or keep it quiet or turn it off.
        case upgrade = 1
        /// What each quiet notification offers: keep or turn off. May become ``upgrade``.
        case quiet = 2
    }

    /// How the notifications of a kept quiet grant arrive.
    public enum Delivery: UInt8, Hashable, Sendable, CaseIterable {
        /// At once, and still quietly.
        case immediately = 0
        /// In the scheduled summary; only where the person has it on.
        case scheduledSummary = 1
    }

    /// What the person says.
    public enum Answer: Hashable, Sendable {
        /// Allow these, at least one, of what was asked for. Critical alerts have to be named.
        case allow(AuthorizationOptions)
        /// Allow nothing.
        case deny
        /// Keep a quiet grant, as quiet as it is.
        case keep(Delivery)
        /// End a quiet grant.
        case turnOff
    }

    /// The sort of question.
    public private(set) var kind: Kind
    /// Everything that the app has asked for so far; never ``AuthorizationOptions/provisional``.
    public private(set) var options: AuthorizationOptions

    /// Makes a question from its stored parts.
    public init(kind: Kind, options: AuthorizationOptions) {
        self.kind = kind
        self.options = options.subtracting(.provisional)
    }

    /// Makes the question that asking for `options` leads to.
    ///
    /// - Parameters:
    ///   - options: What the app asks for; with provisional it is what a quiet grant offers.
    ///   - settings: The settings after a quiet grant, or those that
    ///     ``NotificationSettings/requesting(_:entitlements:isEphemeral:)`` gave a prompt for.
    /// - Precondition: Nobody has decided, or the grant is quiet.
    public init(asking options: AuthorizationOptions, under settings: NotificationSettings) {
        let status = settings.authorizationStatus
        precondition(status == .notDetermined || status == .provisional, "a decided app asks")
        let isQuiet = options.contains(.provisional)
        self.init(
            kind: status == .notDetermined ? .initial : isQuiet ? .quiet : .upgrade,
            options: settings.requestedOptions.union(options)
        )
    }

    /// Adds what a later call asks for while the question is open.
    ///
    /// Its caller waits for the same answer. Who asks for provisional has a quiet grant at once,
    /// and a first question goes on as the one for the rest (D-23).
    public mutating func join(_ options: AuthorizationOptions) {
        switch (kind, options.contains(.provisional)) {
        case (.initial, true), (.quiet, false): kind = .upgrade
        case (.initial, false), (.upgrade, _), (.quiet, true): break
        }
        self.options.formUnion(options.subtracting(.provisional))
    }

    /// What the person may choose from: an app is offered nothing that it may not have.
    public func offered(under entitlements: Entitlements) -> AuthorizationOptions {
        options.offered(under: entitlements)
    }

    /// What a plain yes allows: all that is offered but critical alerts, unless there is nothing
    /// else.
    public func allowedByYes(under entitlements: Entitlements) -> AuthorizationOptions {
        let offered = offered(under: entitlements)
        let standard = offered.subtracting(.criticalAlert)
        return standard.haveAPermission ? standard : offered
    }

    /// Whether an app of this status still waits for the answer.
    ///
    /// The person may have decided in the settings meanwhile.
    public func isOpen(for status: AuthorizationStatus) -> Bool {
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
    /// What was asked for and is not among the allowed is off. Critical alerts without the
    /// entitlement are not offered and stay not supported.
    ///
    /// - Parameters:
    ///   - answer: What the person said.
    ///   - prompt: The open question.
    ///   - entitlements: What the app was registered with.
    ///   - isSummaryOn: Whether the person has the scheduled summary on.
    /// - Returns: The settings, authorized or denied.
    /// - Throws: A refusal that names `answer`: `ANSWER_INVALID` where the question does not offer
    ///   it or nothing would be allowed, `PROMPT_ENDED` where the person has decided in the
    ///   settings, `SUMMARY_OFF` where there is no summary to deliver in.
    public func answering(
        _ answer: AuthorizationPrompt.Answer,
        to prompt: AuthorizationPrompt,
        entitlements: Entitlements = [],
        isSummaryOn: Bool = false
    ) throws(Refusal) -> NotificationSettings {
        guard prompt.isOpen(for: authorizationStatus) else { throw .promptEnded }
        try prompt.checkFits(answer, under: entitlements)
        switch answer {
        case .allow(let allowed):
            // An app that only says that it has settings of its own is allowed that.
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
        invalid("answer", problem, reason: "ANSWER_INVALID")
    }

    fileprivate static let promptEnded = Refusal(
        .failedPrecondition,
        reason: "PROMPT_ENDED",
        message: "answer: the prompt has ended, since the person has decided in the settings",
        fields: [Field("answer", "the prompt has ended")]
    )

    fileprivate static let summaryOff = Refusal(
        .failedPrecondition,
        reason: "SUMMARY_OFF",
        message: "answer: the scheduled summary is off: keep it for immediate delivery instead",
        fields: [Field("answer", "the scheduled summary is off")]
    )
}
