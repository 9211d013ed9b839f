internal import Testing

@testable internal import BelfryWebPush

/// The steps that follow an attempt to send a message.
@Suite("Attempts of Web Push")
struct PushAttemptsTests {
    /// The same random number each time.
    ///
    /// With 1 it makes the least of a range, and with the greatest the greatest. After a zero
    /// another number would be asked for without an end.
    private struct Fixed: RandomNumberGenerator {
        let number: UInt64
        func next() -> UInt64 { number }
    }

    private static let now = 1_800_000_000

    private func step(
        _ status: Int?,
        retryAfter: String? = nil,
        deadline: Int = now + 86_400
    ) -> PushAttempts.Step {
        var attempts = PushAttempts(until: deadline)
        return step(status, retryAfter: retryAfter, of: &attempts)
    }

    private func step(
        _ status: Int?,
        retryAfter: String? = nil,
        of attempts: inout PushAttempts,
        at now: Int = now
    ) -> PushAttempts.Step {
        var random = Fixed(number: 1)
        let answer = status.map { PushAnswer(status: $0, retryAfter: retryAfter) }
        return attempts.step(after: answer, now: now, random: &random)
    }

    @Test("Every answer of HTTP has its step")
    func answers() {
        let retry = PushAttempts.Step.retry(at: Self.now + 5)
        #expect(step(nil) == retry)
        for status in 0...999 {
            let expected: PushAttempts.Step =
                switch status {
                case 200...299: .finish
                case 404, 410: .removeSubscription
                case 413: .shorten
                case 429, 500...599: retry
                default: .drop
                }
            #expect(step(status) == expected, "\(status)")
        }
        #expect(step(301) == .drop && step(307) == .drop)
    }

    @Test("A message is shortened once")
    func shortened() {
        var attempts = PushAttempts(until: Self.now)
        #expect(step(413, of: &attempts) == .shorten)
        #expect(step(413, of: &attempts) == .drop)
    }

    @Test("The waits double up to an hour, and none ends after the deadline")
    func waits() {
        let deadline = Self.now + 86_400
        var attempts = PushAttempts(until: deadline)
        var (now, waits): (Int, [Int]) = (Self.now, [])
        while case .retry(let next) = step(nil, of: &attempts, at: now) {
            waits.append(next - now)
            now = next
        }
        #expect(waits.prefix(12) == [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600])
        #expect(waits.dropFirst(10).allSatisfy { $0 == 3_600 })
        #expect(now <= deadline && now > deadline - 3_600)
    }

    @Test("A wait is spread by up to its half")
    func spread() {
        var (attempts, random) = (PushAttempts(until: .max), Fixed(number: .max))
        for wait in [5, 10, 20] {
            #expect(
                attempts.step(after: nil, now: Self.now, random: &random)
                    == .retry(at: Self.now + wait + wait / 2)
            )
        }
    }

    @Test(
        "Retry-After makes a wait longer, never shorter, and never past the deadline",
        arguments: [
            ("120", 120), ("6", 6), ("1", 5), ("0", 5), ("86400", 86_400), ("86401", nil),
            ("99999999999999999999999999", nil), ("9223372036854775807", nil), ("-1", 5), ("", 5),
            ("1.5", 5), ("1e9", 5), ("٣٠٠", 5), ("Fri, 31 Dec 2027 23:59:59 GMT", 5),
        ] as [(String, Int?)]
    )
    func retryAfter(text: String, wait: Int?) {
        let expected = wait.map { PushAttempts.Step.retry(at: Self.now + $0) } ?? .drop
        for status in [429, 503] { #expect(step(status, retryAfter: text) == expected) }
    }

    @Test("The instants at the ends of their range overflow nothing")
    func ends() {
        var attempts = PushAttempts(until: .max)
        #expect(step(nil, of: &attempts, at: .max) == .drop)
        #expect(step(nil, of: &attempts, at: .max - 1) == .drop)
        #expect(step(nil, of: &attempts, at: .min) == .retry(at: .min + 20))
    }
}
