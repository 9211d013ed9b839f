internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The changes of a center while the app's service extension changes its pushes (§18).

extension CenterModel {
    /// A push that waits for the extension.
    struct ServiceWork {
        /// A question to the extension: it is told of the end 3 s before it.
        struct Asked {
            var number: Int
            var deadline: Int64
            var isExpiring = false

            /// When something happens about it.
            var next: Int64 { isExpiring ? deadline : deadline - Limits.expiringNanoseconds }
        }

        /// One at a time is asked about (NSE-10).
        var asked: Asked?
        var bestAttempt: NotificationContent?
    }

    /// Lets the extension change a push, where it serves; no manifest names it.
    mutating func arriveAtService(_ fired: Event.Fired) {
        guard isServed else { return deliver(fired) }
        let identifier = fired.request.identifier
        let older = arriving[identifier] == nil ? 0 : 1
        guard arriving.count - older < limits.arrivingPerCenter else {
            return show(fired, .fallback)
        }
        withdraw(identifier)
        arriving[identifier] = Arriving(
            fired: fired,
            number: nextSequence,
            since: elapsed,
            service: ServiceWork()
        )
        nextSequence += 1
        askService()
    }

    /// Asks the extension about the oldest push that waits; where none serves, shows them.
    mutating func askService() {
        let waiting = arriving.values.filter { $0.service != nil }.min { $0.number < $1.number }
        guard let waiting, waiting.service?.asked == nil else { return }
        let identifier = waiting.fired.request.identifier
        guard isServed else {
            endService(identifier, waiting, .fallback)
            return askService()
        }
        let deadline = elapsed + Limits.serviceExtensionNanoseconds
        arriving[identifier]?.service?.asked = .init(number: nextSequence, deadline: deadline)
        nextSequence += 1
    }

    /// The extension gives content in place of a push, for now or for good.
    mutating func answerAsService(
        _ identifier: String,
        _ content: NotificationContent,
        isBestAttempt: Bool
    ) -> ExtensionOutcome {
        guard let answered = arriving[identifier], let asked = answered.service?.asked else {
            return .fallback
        }
        let hasText = !content.title.isEmpty
        var outcome: ExtensionOutcome =
            isBestAttempt || asked.isExpiring ? .bestAttempt : .modified
        if !hasText { outcome = .ignoredNoText }
        arriving[identifier]?.service?.bestAttempt = hasText ? content : nil
        guard !isBestAttempt, let ended = arriving[identifier] else { return outcome }
        endService(identifier, ended, outcome)
        askService()
        return outcome
    }

    /// The extension is told that its time ends, or its time is over.
    mutating func endServiceTime(of identifier: String) {
        guard let waiting = arriving[identifier], let asked = waiting.service?.asked else { return }
        if asked.isExpiring {
            endUnanswered(identifier, waiting)
        } else {
            arriving[identifier]?.service?.asked?.isExpiring = true
        }
    }

    /// The extension is gone.
    mutating func endService() {
        isServed = false
        let asked = arriving.values.first { $0.service?.asked != nil }
        if let asked { endUnanswered(asked.fired.request.identifier, asked) }
    }

    private mutating func endUnanswered(_ identifier: String, _ waiting: Arriving) {
        let isKept = waiting.service?.bestAttempt != nil
        endService(identifier, waiting, isKept ? .bestAttempt : .fallback)
        askService()
    }

    /// Shows the outcome of a push.
    private mutating func endService(
        _ identifier: String,
        _ waiting: Arriving,
        _ outcome: ExtensionOutcome
    ) {
        arriving[identifier] = nil
        var fired = late(waiting)
        if let content = waiting.service?.bestAttempt { fired.request.content = content }
        show(fired, outcome)
    }

    private mutating func show(_ fired: Event.Fired, _ outcome: ExtensionOutcome) {
        var fired = fired
        fired.extensionOutcome = outcome
        deliver(fired)
    }
}
