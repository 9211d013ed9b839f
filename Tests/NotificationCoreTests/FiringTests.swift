internal import NotificationCore
internal import Testing

private let second = Int64.nanosecondsPerSecond
private let day = 86_400 * second

private let base = ElapsedInstant(nanoseconds: 1_000 * second)
private let shown = Outcome.delivered(Presentation([.list, .banner]))

@Suite("What adding and firing decide (§6.2, §7.6, §8)")
struct FiringTests {
    private func center(_ status: AuthorizationStatus = .authorized) throws -> CenterState {
        var center = CenterState(name: try CenterName(app: "org.example", device: ""))
        center.settings = center.settings.granted([.alert, .sound])
        center.settings.authorizationStatus = status
        return center
    }

    private func request(every interval: Int64, repeats: Bool) throws -> NotificationRequest {
        var content = NotificationContent()
        content.title = "Title"
        let trigger = try TimeIntervalTrigger(intervalNanoseconds: interval, repeats: repeats)
        return NotificationRequest(
            identifier: "request",
            content: content,
            trigger: .timeInterval(trigger)
        )
    }

    /// How late a request fires, and the outcome.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let late: Int64
        let outcome: Outcome
        let collapsed: Int64
        /// From the due instant to the next firing.
        let next: Int64?

        init(_ rule: String, late: Int64, _ outcome: Outcome, collapsed: Int64, next: Int64?) {
            self.rule = rule
            self.late = late
            self.outcome = outcome
            self.collapsed = collapsed
            self.next = next
        }

        var testDescription: String { rule }
    }

    private func now(_ instant: ElapsedInstant) -> Now {
        Now(elapsed: instant, wall: WallInstant(nanoseconds: 0))
    }

    private func expect(_ row: Row, _ request: NotificationRequest, interval: Int64) throws {
        let due = base.advanced(byNanoseconds: interval)
        let firing = try center().fire(
            request.head,
            base: base,
            due: .elapsed(due),
            now: now(due.advanced(byNanoseconds: row.late))
        )
        #expect(firing.outcome == row.outcome)
        // DT-5: it is as late as the latest occurrence that it stands for.
        let latest = due.advanced(byNanoseconds: row.collapsed * interval)
        #expect(firing.scheduled == .elapsed(latest))
        #expect(firing.lateByNanoseconds == row.late - row.collapsed * interval)
        #expect(firing.collapsedCount == row.collapsed)
        #expect(firing.nextFire == row.next.map { .elapsed(due.advanced(byNanoseconds: $0)) })
    }

    @Test(
        "A one-shot fires once, unless it is too late to be of use",
        arguments: [
            Row("on time", late: 0, shown, collapsed: 0, next: nil),
            Row("late by 1 ns", late: 1, shown, collapsed: 0, next: nil),
            Row("D-8: late by 24 h", late: day, shown, collapsed: 0, next: nil),
            Row("D-8: late by 24 h and 1 ns", late: day + 1, .missed, collapsed: 0, next: nil),
            Row("D-8: late by 100 days", late: 100 * day, .missed, collapsed: 0, next: nil),
        ]
    )
    func oneShot(row: Row) throws {
        try expect(row, request(every: 90 * second, repeats: false), interval: 90 * second)
    }

    @Test(
        "A repeating one fires once for all that passed, and goes on on its grid",
        arguments: [
            Row("on time", late: 0, shown, collapsed: 0, next: 90 * second),
            Row("late by 1 ns", late: 1, shown, collapsed: 0, next: 90 * second),
            Row(
                "late by just less than an interval",
                late: 90 * second - 1,
                shown,
                collapsed: 0,
                next: 90 * second
            ),
            Row(
                "late by an interval",
                late: 90 * second,
                shown,
                collapsed: 1,
                next: 180 * second
            ),
            Row(
                "D-8: late by 10 days and a second",
                late: 10 * day + second,
                shown,
                collapsed: 9_600,
                next: 10 * day + 90 * second
            ),
        ]
    )
    func repeating(row: Row) throws {
        try expect(row, request(every: 90 * second, repeats: true), interval: 90 * second)
    }

    @Test(
        "D-4: While notifications are not allowed an occurrence is withheld, and the grid goes on",
        arguments: [AuthorizationStatus.denied, .notDetermined]
    )
    func suppressed(status: AuthorizationStatus) throws {
        for repeats in [false, true] {
            let due = base.advanced(byNanoseconds: 90 * second)
            let firing = try center(status).fire(
                request(every: 90 * second, repeats: repeats).head,
                base: base,
                due: .elapsed(due),
                now: now(due)
            )
            #expect(firing.outcome == .suppressed(.notAuthorized))
            #expect((firing.nextFire != nil) == repeats)
        }
    }

    @Test("D-8 before D-4: What is too late is missed, also where it would be withheld")
    func missedWhileDenied() throws {
        let due = base.advanced(byNanoseconds: 90 * second)
        let firing = try center(.denied).fire(
            request(every: 90 * second, repeats: false).head,
            base: base,
            due: .elapsed(due),
            now: now(due.advanced(byNanoseconds: day + 1))
        )
        #expect(firing.outcome == .missed)
    }

    @Test(
        "D-1: An add is allowed under these statuses",
        arguments: zip(AuthorizationStatus.allCases, [false, false, true, true, true])
    )
    func addAllowed(status: AuthorizationStatus, isAllowed: Bool) throws {
        let center = try center(status)
        let check = { () throws(Refusal) in
            try center.checkAdd(trigger: nil, replacesPending: false, pendingLimit: 10)
        }
        if isAllowed {
            try check()
        } else {
            let missing: MissingPermission = status == .denied ? .denied : .notAsked
            #expect(throws: Refusal.notAllowed(missing)) { try check() }
        }
    }

    @Test("D-2: The pending limit refuses what adds to the pending ones")
    func pendingLimit() throws {
        let trigger = try request(every: 90 * second, repeats: false).trigger
        var center = try center()
        center.pendingCount = 9
        try center.checkAdd(trigger: trigger, replacesPending: false, pendingLimit: 10)
        center.pendingCount = 10
        let refusal = #expect(throws: Refusal.self) {
            try center.checkAdd(trigger: trigger, replacesPending: false, pendingLimit: 10)
        }
        #expect(refusal?.kind == .resourceExhausted)
        #expect(refusal?.reason == .pendingLimit)
        #expect(refusal?.facts == [.limit: "10"])
        #expect(refusal?.retryAfterNanoseconds == nil)
        try center.checkAdd(trigger: trigger, replacesPending: true, pendingLimit: 10)
        try center.checkAdd(trigger: nil, replacesPending: false, pendingLimit: 10)
    }

    @Test("Step 2 before 7: Without permission the limit is not even looked at")
    func order() throws {
        var center = try center(.denied)
        center.pendingCount = 10
        let trigger = try request(every: 90 * second, repeats: false).trigger
        #expect(throws: Refusal.notAllowed(.denied)) {
            try center.checkAdd(trigger: trigger, replacesPending: false, pendingLimit: 10)
        }
    }
}

@Suite("CAL-11: The count of occurrences, and how late one may be")
struct LimitedFiringTests {
    private func fire(
        repeats: Bool,
        late: Int64,
        count: Int64 = 0,
        maximum: Int64? = nil,
        expiresAfter: Int64? = nil
    ) throws -> Firing {
        var content = NotificationContent()
        content.title = "Title"
        var request = NotificationRequest(identifier: "request", content: content)
        request.trigger = .timeInterval(
            try TimeIntervalTrigger(
                intervalNanoseconds: 60 * second,
                repeats: repeats,
                maxOccurrences: maximum
            )
        )
        request.expiresAfterNanoseconds = expiresAfter
        var center = CenterState(name: try CenterName(app: "org.example", device: ""))
        center.settings = center.settings.granted([.alert, .sound])
        center.settings.authorizationStatus = .authorized
        let due = base.advanced(byNanoseconds: 60 * second)
        return center.fire(
            request.head,
            base: base,
            due: .elapsed(due),
            occurrenceCount: count,
            now: Now(
                elapsed: due.advanced(byNanoseconds: late),
                wall: WallInstant(nanoseconds: 0)
            )
        )
    }

    @Test("The occurrence with the number is the last, and collapsed ones count")
    func count() throws {
        let first = try fire(repeats: true, late: 0, maximum: 3)
        #expect(first.occurrenceCount == 1)
        #expect(first.nextFire != nil)
        #expect(try fire(repeats: true, late: 0, count: 2, maximum: 3).nextFire == nil)
        // Ten minutes late: of three occurrences the last was due two minutes after the first.
        let late = try fire(repeats: true, late: 600 * second, maximum: 3)
        #expect(late.collapsedCount == 2)
        #expect(late.occurrenceCount == 3)
        #expect(late.lateByNanoseconds == 480 * second)
        #expect(late.nextFire == nil)
    }

    @Test("D-8: A request's own expiry counts in place of a day")
    func expiry() throws {
        #expect(try fire(repeats: false, late: second, expiresAfter: second).outcome == shown)
        #expect(try fire(repeats: false, late: second + 1, expiresAfter: second).outcome == .missed)
        #expect(try fire(repeats: false, late: 3 * day, expiresAfter: 3 * day).outcome == shown)
        // The lateness is that of the latest occurrence, and the series goes on.
        let repeating = try fire(repeats: true, late: 90 * second, expiresAfter: 29 * second)
        #expect(repeating.outcome == .missed)
        #expect(repeating.nextFire != nil)
        #expect(
            try fire(repeats: true, late: 90 * second, expiresAfter: 30 * second).outcome == shown
        )
    }
}
