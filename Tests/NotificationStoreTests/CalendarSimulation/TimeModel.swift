internal import NotificationCore

/// The occurrences of a store's centers with their instants, in the plainest way: written from the
/// rules alone: §7.2, §7.3, §7.6, §16.2 and W-19.
///
/// Instants are in nanoseconds.
struct TimeModel {
    struct Device {
        let name: String
        /// Empty is the server's.
        var zone = ""
        var summary = ScheduledSummary()
    }

    /// When a request is due, on which clock.
    enum DueDate: Equatable {
        case elapsed(Int64)
        case wall(Int64)
    }

    struct Pending {
        var request: NotificationRequest
        var due: DueDate
        /// The instant of its newest occurrence that was recorded.
        var last: Int64?
        /// Whether its date was searched by a clock that was not set.
        var isGuess = false
        /// How many occurrences the simulated request has had.
        var count: Int64 = 0
        /// The latest occurrence that was skipped.
        var skipped: SkippedDate?

        /// The zone that it names, empty where it floats; nil where it is no date.
        var zoneName: String? { request.trigger?.timeZone }
    }

    /// The app in front that the store finds where a request is due.
    enum Front: Equatable {
        /// Nobody: the person is alerted.
        case nobody
        /// An app without will-present: nothing is presented.
        case deaf
        /// As ``deaf``, or the app counts as in the background: a question was open when it came,
        /// whose deadline may have passed.
        case mayBeDeaf
        case asks
        /// An app that is asked, or counts as in the background since it let a deadline pass.
        case mayAsk
    }

    /// An occurrence that the store has to record.
    struct Occurrence {
        enum Kind: Equatable {
            case fires(Front)
            case missed
            case expired
            case removed
        }

        var kind: Kind
        var identifier: String
        var late: Int64 = 0
        var collapsed: Int64 = 0
        /// The times of both clocks.
        var wall: Int64
        var elapsed: Int64
        /// Whether it waits for the summary, where nobody is in front.
        var isHeld = false
        /// The answer of the app; nil while it has not answered.
        var answer: PresentationOptions?

        /// Whether the person, or the app, is told of it.
        var fires: Bool {
            if case .fires = kind { true } else { false }
        }

        /// Whether it may wait for the app before it is recorded.
        var mayWait: Bool { kind == .fires(.asks) || kind == .fires(.mayAsk) }
    }

    struct Center {
        let name: CenterName
        let device: Int
        var front = Front.nobody
        /// Until when a stream that was cut keeps its place, on the elapsed clock.
        var cutUntil: Int64?
        var pending: [String: Pending] = [:]
        /// The occurrences that have to be recorded, and were not seen yet.
        var expected: [Occurrence] = []
    }

    static let day: Int64 = 86_400_000_000_000
    /// The server was built after it: a clock that shows less is not set (DT-4).
    static let firstTime: Int64 = 1_577_836_800_000_000_000

    var elapsed: Int64 = 0
    var wall: Int64
    /// The time of the wall clock when it was last set rightly.
    var lastRightWall: Int64
    var devices: [Device] = []
    var centers: [Center] = []
    var zones: [String: SimulatedZone] = [:]
    let serverZone: String

    init(wall: Int64, serverZone: String) {
        self.wall = wall
        lastRightWall = wall
        self.serverZone = serverZone
    }

    var isClockSet: Bool { wall >= Self.firstTime }

    // MARK: Dates

    func zone(named name: String, on device: Int) -> SimulatedZone {
        let own = name.isEmpty ? devices[device].zone : name
        return zones[own.isEmpty ? serverZone : own] ?? SimulatedZone(firstOffset: 0)
    }

    func scan(_ trigger: CalendarTrigger, on device: Int) -> DayScan {
        DayScan(
            trigger: trigger,
            zone: zone(named: trigger.dateComponents.timeZone, on: device)
        )
    }

    /// The next date of a trigger; nil where there is none, or the trigger has no dates.
    func next(_ trigger: Trigger, on device: Int, after: Int64) -> Int64? {
        let seconds = after.floored(by: .nanosecondsPerSecond) / .nanosecondsPerSecond
        let found: Int64? =
            switch trigger {
            case .timeInterval, .at, .location, .push: nil
            case .calendar(let trigger): scan(trigger, on: device).next(after: seconds)
            case .anchoredInterval(let trigger):
                AnchoredScan(trigger: trigger, zone: zone(named: trigger.timeZone, on: device))
                    .next(after: seconds)
            case .recurrence(let trigger):
                next(trigger, in: zone(named: trigger.timeZone, on: device), after: seconds)
            }
        return found.map { $0 * .nanosecondsPerSecond }
    }

    private func next(
        _ trigger: RecurrenceTrigger,
        in zone: SimulatedZone,
        after second: Int64
    ) -> Int64? {
        if let scan = CronScan(of: trigger, zone: zone) { return scan.next(after: second) }
        return AnchoredScan(of: trigger, zone: zone)?.next(after: second)
    }

    /// When a new request is due for the first time; nil where it never is.
    func firstDue(_ trigger: Trigger, on device: Int) -> DueDate? {
        switch trigger {
        case .timeInterval(let trigger): .elapsed(elapsed + trigger.intervalNanoseconds)
        case .calendar, .anchoredInterval, .recurrence:
            next(trigger, on: device, after: wall).map { .wall($0) }
        case .at, .location, .push: nil
        }
    }

    /// When the summary of a device is shown next: at the first of two times of an overlap, and for
    /// a time in a gap at the transition.
    func nextSummary(of device: Int, after: Int64) -> Int64? {
        let zone = zone(named: "", on: device)
        let now = after.floored(by: .nanosecondsPerSecond) / .nanosecondsPerSecond
        let local = now + zone.offset(at: now)
        let today = local.floored(by: .secondsPerDay)
        var found: Int64?
        for day in -2...4 {
            for minutes in devices[device].summary.times {
                let time = today + Int64(day) * .secondsPerDay + Int64(minutes) * 60
                guard let instant = zone.instants(of: time).first ?? zone.gap(around: time),
                    instant > now
                else { continue }
                found = min(found ?? instant, instant)
            }
        }
        return found.map { $0 * .nanosecondsPerSecond }
    }

    /// The time of the wall clock at the instant at which a request is due.
    func date(of due: DueDate) -> Int64 {
        switch due {
        case .elapsed(let instant): wall + instant - elapsed
        case .wall(let date): date
        }
    }

    // MARK: Firing

    func front(of center: Int) -> Front {
        if let until = centers[center].cutUntil, until <= elapsed { return .nobody }
        return centers[center].front
    }

    func isInSummary(_ center: Int) -> Bool {
        let summary = devices[centers[center].device].summary
        return summary.isEnabled && summary.apps.contains(centers[center].name.app)
    }

    mutating func record(
        _ kind: Occurrence.Kind,
        _ identifier: String,
        of center: Int,
        late: Int64 = 0,
        collapsed: Int64 = 0
    ) {
        centers[center].expected.append(
            Occurrence(
                kind: kind,
                identifier: identifier,
                late: late,
                collapsed: collapsed,
                wall: wall,
                elapsed: elapsed,
                isHeld: isInSummary(center)
            )
        )
    }

    /// Records the due occurrences of a request; afterwards it is due later, or gone.
    private mutating func fire(_ identifier: String, of center: Int) {
        guard var pending = centers[center].pending[identifier],
            let trigger = pending.request.trigger
        else { return }
        var collapsed: Int64 = 0
        var late: Int64
        var after: DueDate?
        let rest = trigger.maxOccurrences.map { $0 - pending.count - 1 } ?? .max
        switch (trigger, pending.due) {
        case (.timeInterval(let trigger), .elapsed(var due)):
            while trigger.repeats, collapsed < rest,
                due + trigger.intervalNanoseconds <= elapsed
            {
                due += trigger.intervalNanoseconds
                collapsed += 1
            }
            late = elapsed - due
            after = .elapsed(due + trigger.intervalNanoseconds)
        case (.calendar(let dated), .wall(var due)):
            let device = centers[center].device
            if trigger.repeats {
                let scan = scan(dated, on: device)
                let second = Int64.nanosecondsPerSecond
                if let last = scan.last(
                    after: due / second,
                    through: wall / second,
                    atMost: rest
                ) {
                    due = last.instant * second
                    collapsed = last.count
                }
                after = next(trigger, on: device, after: due).map { .wall($0) }
            }
            late = wall - due
            pending.last = due
        case (.anchoredInterval, .wall(var due)), (.recurrence, .wall(var due)):
            let device = centers[center].device
            while trigger.repeats, collapsed < rest,
                let following = next(trigger, on: device, after: due), following <= wall
            {
                due = following
                collapsed += 1
            }
            after = next(trigger, on: device, after: due).map { .wall($0) }
            late = wall - due
            pending.last = due
        default: preconditionFailure("a trigger is due on the other clock")
        }
        pending.count += collapsed + 1
        pending.skipped = nil
        if let maximum = trigger.maxOccurrences, pending.count >= maximum { after = nil }
        let isMissed =
            pending.request.expiresAfterNanoseconds.map { late > $0 }
            ?? (!trigger.repeats && late > Self.day)
        let kind: Occurrence.Kind = isMissed ? .missed : .fires(front(of: center))
        record(kind, identifier, of: center, late: late, collapsed: collapsed)
        centers[center].pending[identifier] = nil
        guard trigger.repeats else { return }
        if let after {
            pending.due = after
            centers[center].pending[identifier] = pending
        } else {
            record(.expired, identifier, of: center)
        }
    }

    private func isDue(_ pending: Pending) -> Bool {
        switch pending.due {
        case .elapsed(let instant): instant <= elapsed
        case .wall(let date): isClockSet && date <= wall
        }
    }

    /// Records all due occurrences.
    mutating func fireDue() {
        for index in centers.indices {
            let due = centers[index].pending.filter { isDue($0.value) }.keys.sorted()
            for identifier in due { fire(identifier, of: index) }
        }
    }

    /// The instant of the elapsed clock at which something is due next, if nobody sets the clock.
    var nextDue: Int64? {
        var found: Int64?
        for center in centers {
            for pending in center.pending.values {
                let instant: Int64
                switch pending.due {
                case .elapsed(let due): instant = due
                case .wall(let date):
                    guard isClockSet else { continue }
                    instant = elapsed + date - wall
                }
                found = min(found ?? instant, instant)
            }
        }
        return found
    }
}

extension Int64 {
    /// The largest multiple of `step` that is not above it.
    func floored(by step: Int64) -> Int64 { self - (self % step + step) % step }
}
