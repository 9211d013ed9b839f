internal import NotificationCore
internal import NotificationStore
internal import TestSupport

// Time that passes, clocks and zones that are set, and servers that go.

extension CalendarSimulation {
    private static let second = Int64.nanosecondsPerSecond
    private static let hour = 3_600 * second

    /// A while: mostly short, now and then more than a week.
    mutating func duration() -> Int64 {
        switch int(0...9) {
        case 0...1: Int64(int(0...10)) * Self.second
        case 2...4: Int64(int(1...240)) * 60 * Self.second
        case 5...7: Int64(int(1...30)) * Self.hour + Int64(int(0...3_600)) * Self.second
        case 8: Int64(int(1...72)) * Self.hour
        default: Int64(int(5...20)) * TimeModel.day + Int64(int(0...86_399)) * Self.second
        }
    }

    mutating func advance(by nanoseconds: Int64) async throws {
        story.append("advance by \(nanoseconds / Self.second) s")
        let advance = try await test.result {
            $0.advanceClock(.by(nanoseconds: nanoseconds), passesCallbacks: true, completion: $1)
        }.get()
        try require("stop", advance.stop, .target)
        model.advance(to: model.elapsed + nanoseconds)
    }

    mutating func advanceToNextDue() async throws {
        // A clock that is not set would be moved over the years to the next date.
        guard model.isClockSet else { return }
        story.append("advance to what is due next")
        let due = model.nextDue
        let advance = try await test.result {
            $0.advanceClock(.toNextDue, passesCallbacks: true, completion: $1)
        }.get()
        if advance.stop == .nothingDue {
            try require("something is due", due, nil)
        } else if let due {
            try require("passed it", advance.now.elapsed.nanoseconds <= due, true)
        }
        model.advance(to: advance.now.elapsed.nanoseconds)
    }

    /// Lets time pass until an app is asked something.
    mutating func advanceStopping() async throws {
        let nanoseconds = duration()
        story.append("advance by \(nanoseconds / Self.second) s, or until an app is asked")
        var open: [(center: Int, number: CallbackNumber, identifier: String, dueCount: Int)] = []
        for index in model.centers.indices where seen[index].primary != nil {
            guard model.front(of: index) == .asks || model.front(of: index) == .mayAsk,
                model.centers[index].cutUntil == nil
            else { continue }
            for callback in try test.openCallbacks(of: model.centers[index].name) {
                guard case .willPresent(let notification) = callback.question else { continue }
                let identifier = notification.request.identifier
                let dueCount = model.dueCount(of: identifier, in: index)
                open.append((index, callback.number, identifier, dueCount))
            }
        }
        let advance = try await test.result {
            $0.advanceClock(.by(nanoseconds: nanoseconds), completion: $1)
        }.get()
        let end = model.elapsed + nanoseconds
        if advance.stop == .target {
            try require("target", advance.now.elapsed.nanoseconds, end)
        }
        model.advance(to: advance.now.elapsed.nanoseconds)
        for (center, number, identifier, dueCount) in open {
            // Skip a question that was taken back by its successor.
            guard model.dueCount(of: identifier, in: center) == dueCount else { continue }
            let left = try test.openCallbacks(of: model.centers[center].name).map(\.number)
            try require("question \(number) was open before and is", left.contains(number), true)
        }
    }

    /// Where a clock is set to.
    private mutating func anotherTime() -> Int64 {
        let back: Int64 = isOne(in: 2) ? -1 : 1
        guard model.isClockSet else {
            // Set the clock right again: to the time that it should show, more or less.
            let right = Self.start * Self.second + model.elapsed
            return right + back * Int64(int(0...48)) * Self.hour / 2
        }
        switch int(0...11) {
        case 0...2: return model.wall + back * Int64(int(0...10)) * Self.second
        case 3...5: return model.wall + back * Int64(int(1...48)) * Self.hour / 2
        case 6...7: return model.wall + back * 23 * Self.hour
        case 8: return model.wall + back * Int64(int(1...10)) * TimeModel.day
        case 9: return Self.start * Self.second + model.elapsed
        case 10: return Self.start * Self.second + Int64(int(-700...700)) * TimeModel.day
        default: return 915_148_800 * Self.second + Int64(int(0...100)) * Self.hour
        }
    }

    mutating func setClock() async throws {
        let instant = anotherTime()
        story.append("set the clock to \(Self.told(instant))")
        _ = try await test.setClock(to: WallInstant(nanoseconds: instant))
        model.setClock(to: instant)
    }

    mutating func suspend() async throws {
        let nanoseconds = duration()
        story.append("be away for \(nanoseconds / Self.second) s")
        _ = try await test.suspend(by: .nanoseconds(nanoseconds))
        model.suspend(by: nanoseconds)
    }

    // MARK: Zones and summaries

    mutating func changeZone() async throws {
        let device = int(0...(model.devices.count - 1))
        let zone = isOne(in: 5) ? "" : oneOf(ZoneFiles.names)
        story.append("zone \(zone) on \(model.devices[device].name)")
        try await test.updateDevice(model.devices[device].name) { $0.timeZone = zone }
        model.setZone(zone, of: device)
    }

    /// Two calls, of which the second does not wait for the answer of the first.
    mutating func setClockAndZone() async throws {
        let instant = anotherTime()
        let device = int(0...(model.devices.count - 1))
        let zone = oneOf(ZoneFiles.names)
        let name = model.devices[device].name
        story.append("set the clock to \(Self.told(instant)), and at once zone \(zone) on \(name)")
        let set = Pending<Now>()
        let update = Pending<DeviceState>()
        await test.whileWriterRests {
            test.store.setClock(
                to: WallInstant(nanoseconds: instant),
                completion: set.complete
            )
            test.store.updateDeviceState(
                of: name,
                { $0.timeZone = zone },
                completion: update.complete
            )
        }
        _ = try await set.value.get()
        _ = try await update.value.get()
        model.setClock(to: instant)
        model.setZone(zone, of: device)
    }

    mutating func changeSummary() async throws {
        let device = int(0...(model.devices.count - 1))
        var summary = ScheduledSummary()
        summary.isEnabled = !isOne(in: 4)
        // No request and no transition is due at these minutes.
        summary.times = (0..<int(1...3)).map { _ in int(0...23) * 60 + oneOf([3, 7, 33]) }
        summary.apps = oneOf([["org.example.a"], ["org.example.b"], []])
        story.append("\(summary) on \(model.devices[device].name)")
        try await test.updateDevice(model.devices[device].name) { [summary] in
            $0.summary = summary
        }
        model.devices[device].summary = summary
    }
}

extension TimeModel {
    /// How many occurrences of an identifier had to be recorded and were not yet seen.
    func dueCount(of identifier: String, in center: Int) -> Int {
        centers[center].expected.count { $0.identifier == identifier }
    }
}
