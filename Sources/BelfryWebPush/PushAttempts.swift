/// A push service's answer to a message.
package struct PushAnswer: Sendable {
    let status: Int
    let retryAfter: String?

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - status: The code of HTTP.
    ///   - retryAfter: The header of that name.
    package init(status: Int, retryAfter: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
    }

    /// The seconds to wait that the header names.
    ///
    /// A number that is too large for an `Int` is the largest, which nobody waits for. A date
    /// counts as no header, since the waits between attempts grow anyway.
    var waitSeconds: Int? {
        guard let bytes = retryAfter.map({ Array($0.utf8) }), !bytes.isEmpty,
            bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self)) ?? .max
    }
}

/// The attempts to send one message: how often, when, and until when.
package struct PushAttempts: Sendable {
    package enum Step: Equatable, Sendable {
        /// The push service has the message.
        case finish
        /// The person's browser is not subscribed any more.
        case removeSubscription
        /// The message is too long for the push service.
        case shorten
        /// Seconds since 1970.
        case retry(at: Int)
        /// The message never arrives.
        case drop
    }

    private let deadline: Int
    private var retryCount = 0
    private var wasShortened = false

    private static let firstWaitSeconds = 5
    private static let waitSecondsLimit = 3_600

    /// Begins to send a message.
    ///
    /// - Parameter deadline: After this no attempt is made: seconds since 1970.
    package init(until deadline: Int) {
        self.deadline = deadline
    }

    /// Decides what follows an attempt.
    ///
    /// - Parameters:
    ///   - answer: nil where the push service was not reached, or did not answer in time.
    ///   - now: Seconds since 1970.
    ///   - random: Spreads the messages that failed together.
    /// - Returns: The next step, which is the last one unless it is to shorten or to retry.
    package mutating func step(
        after answer: PushAnswer?,
        now: Int,
        random: inout some RandomNumberGenerator
    ) -> Step {
        switch answer?.status {
        case nil, 429, .some(500...599): return retry(after: answer, now: now, random: &random)
        case .some(200...299): return .finish
        case 404, 410: return .removeSubscription
        case 413 where !wasShortened:
            wasShortened = true
            return .shorten
        // A redirect would lead to an address that nobody checked.
        default: return .drop
        }
    }

    private mutating func retry(
        after answer: PushAnswer?,
        now: Int,
        random: inout some RandomNumberGenerator
    ) -> Step {
        let wait = min(Self.firstWaitSeconds << min(retryCount, 10), Self.waitSecondsLimit)
        retryCount += 1
        let spread = Int.random(in: 0...wait / 2, using: &random)
        let (instant, isOver) = now.addingReportingOverflow(
            max(wait, answer?.waitSeconds ?? 0)
        )
        let (next, isOverToo) = instant.addingReportingOverflow(spread)
        guard !isOver, !isOverToo, next <= deadline else { return .drop }
        return .retry(at: next)
    }
}
