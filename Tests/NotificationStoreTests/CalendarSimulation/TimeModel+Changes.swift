internal import NotificationCore

// Changes that move time and dates: clocks, zones and the requests of apps.

extension TimeModel {
    /// Lets time pass, in which everything is recorded when it is due.
    mutating func advance(to end: Int64) {
        while let next = nextDue, next <= end {
            wall += next - elapsed
            elapsed = next
            fireDue()
        }
        wall += end - elapsed
        elapsed = end
        noteRightWall()
    }

    /// Lets time pass in which nothing is recorded.
    mutating func suspend(by nanoseconds: Int64) {
        elapsed += nanoseconds
        wall += nanoseconds
        fireDue()
        noteRightWall()
    }

    private mutating func noteRightWall() {
        if isClockSet { lastRightWall = wall }
    }

    mutating func setClock(to instant: Int64) {
        let wasSet = isClockSet
        wall = instant
        // A clock that is not set moves nothing (DT-4).
        guard isClockSet else { return }
        for index in centers.indices { search(in: index) { $0.isGuess } }
        fireDue()
        // Zones may have changed while the clock was not set.
        if wall < lastRightWall || !wasSet {
            for index in centers.indices { search(in: index) { _ in true } }
            fireDue()
        }
        noteRightWall()
    }

    mutating func setZone(_ zone: String, of device: Int) {
        fireDue()
        devices[device].zone = zone
        for index in centers.indices where centers[index].device == device {
            search(in: index) { $0.zoneName?.isEmpty == true }
        }
        fireDue()
    }

    /// Starts with another zone database.
    mutating func setZones(_ changed: [String: SimulatedZone]) {
        fireDue()
        for (name, zone) in changed { zones[name] = zone }
        for index in centers.indices {
            let floating = devices[centers[index].device].zone
            let own = floating.isEmpty ? serverZone : floating
            search(in: index) { pending in
                pending.zoneName.map { changed[$0.isEmpty ? own : $0] != nil } == true
            }
        }
        fireDue()
    }

    /// Searches the dates of a center's requests again that are meant (CAL-8, CAL-12).
    private mutating func search(in center: Int, where isMeant: (Pending) -> Bool) {
        guard isClockSet else { return }
        let device = centers[center].device
        for identifier in centers[center].pending.keys.sorted() {
            guard let pending = centers[center].pending[identifier],
                let trigger = pending.request.trigger, let zoneName = pending.zoneName,
                isMeant(pending)
            else { continue }
            var found: Int64?
            var scan: DayScan?
            if case .calendar(let dated) = trigger { scan = self.scan(dated, on: device) }
            if !trigger.repeats, let scan, scan.namesOneDay {
                found = scan.onlyInstant.map { $0 * .nanosecondsPerSecond }
            } else {
                // Ignore a last occurrence that lies more than a day ahead, of a clock that was
                // wrong: one that is set back again and again would keep the request silent for
                // longer than a day.
                if let last = pending.last, last > wall + Self.day {
                    centers[center].pending[identifier]?.last = nil
                }
                let zone = zone(named: zoneName, on: device)
                let skipped = pending.skipped.map {
                    zone.end(ofSkipped: $0) * .nanosecondsPerSecond
                }
                let fired = centers[center].pending[identifier]?.last
                let last = [fired, skipped].compactMap(\.self).max()
                found = next(trigger, on: device, after: max(wall, last ?? wall))
                // The second pass of a time is for an occurrence that did not fire at the first.
                if let pass = found, let last, let scan, scan.isOnceADay {
                    let second = Int64.nanosecondsPerSecond
                    let first = scan.firstPass(of: pass / second) * second
                    if first < pass, first <= last {
                        found = next(trigger, on: device, after: pass)
                    }
                }
            }
            if let found {
                centers[center].pending[identifier]?.due = .wall(found)
                centers[center].pending[identifier]?.isGuess = false
            } else {
                centers[center].pending[identifier] = nil
                record(.expired, identifier, of: center)
            }
        }
    }

    // MARK: Requests of apps

    /// Adds a request, and gives the date at which it is pending; nil where it is due now.
    ///
    /// - Returns: Whether it can be added.
    mutating func add(_ request: NotificationRequest, to center: Int) -> Bool {
        guard let trigger = request.trigger else {
            centers[center].pending[request.identifier] = nil
            record(.fires(front(of: center)), request.identifier, of: center)
            return true
        }
        guard let due = firstDue(trigger, on: centers[center].device) else { return false }
        var request = request
        request.trigger = accepted(trigger, on: centers[center].device)
        centers[center].pending[request.identifier] = Pending(
            request: request,
            due: due,
            isGuess: !isClockSet
        )
        return true
    }

    /// A trigger with the local time of its anchor.
    private func accepted(_ trigger: Trigger, on device: Int) -> Trigger {
        guard case .anchoredInterval(let anchored) = trigger, case .calendar = anchored.step else {
            return trigger
        }
        let second = anchored.anchor.wholeSeconds
        let local = second + zone(named: anchored.timeZone, on: device).offset(at: second)
        let accepted = try? AnchoredIntervalTrigger(
            anchor: anchored.anchor,
            step: anchored.step,
            timeZone: anchored.timeZone,
            shortMonthPolicy: anchored.shortMonthPolicy,
            repeats: anchored.repeats,
            limits: anchored.limits,
            localAnchor: Int(local)
        )
        return accepted.map { .anchoredInterval($0) } ?? trigger
    }

    /// Skips the next occurrence of a request, and gives its date and the next; nil where it is not
    /// pending.
    mutating func skip(_ identifier: String, of center: Int) -> (skipped: Int64, next: Int64?)? {
        guard var pending = centers[center].pending[identifier],
            let trigger = pending.request.trigger
        else { return nil }
        let device = centers[center].device
        let skipped = date(of: pending.due)
        var after: DueDate?
        switch (trigger, pending.due) {
        case (.timeInterval(let interval), .elapsed(let due)):
            after = .elapsed(due + interval.intervalNanoseconds)
        case (_, .wall(let due)):
            after = next(trigger, on: device, after: due).map { .wall($0) }
            let date = WallInstant(nanoseconds: due)
            let offset = zone(named: trigger.timeZone ?? "", on: device).offset(
                at: date.wholeSeconds
            )
            pending.skipped = SkippedDate(date: date, offsetSeconds: Int32(offset))
        default: preconditionFailure("a trigger is due on the other clock")
        }
        guard trigger.repeats, let after else {
            centers[center].pending[identifier] = nil
            record(.expired, identifier, of: center)
            return (skipped, nil)
        }
        pending.due = after
        centers[center].pending[identifier] = pending
        return (skipped, date(of: after))
    }

    mutating func removePending(_ identifiers: [String], of center: Int) -> [String] {
        identifiers.filter { identifier in
            guard centers[center].pending.removeValue(forKey: identifier) != nil else {
                return false
            }
            record(.removed, identifier, of: center)
            return true
        }
    }
}
