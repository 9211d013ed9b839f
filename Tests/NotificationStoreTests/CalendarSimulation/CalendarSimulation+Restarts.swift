internal import Foundation
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore
internal import TestSupport

// Servers that go, and come again with another zone database.

extension CalendarSimulation {
    private mutating func changedZones() -> [String: SimulatedZone] {
        guard isOne(in: 2) else { return [:] }
        return [oneOf(ZoneFiles.names): .random(around: Self.start, using: &generator)]
    }

    /// Stops the server and starts it again.
    mutating func restart() async throws {
        let changed = changedZones()
        story.append("restart; other zones: \(changed.keys.sorted())")
        try test.reopen { _ in
            for (name, zone) in changed { try? zoneFiles.write(zone, as: name) }
        }
        try await begin(with: changed)
    }

    mutating func crash() async throws {
        story.append("crash")
        try test.crash()
        try await begin(with: [:])
    }

    /// Kills the server while it fires due requests on the way of an advance.
    ///
    /// Events after the copy of the file never happened: nobody looks at them.
    mutating func crashOnTheWay() async throws {
        // Short enough that nothing is trimmed before it is followed again.
        let nanoseconds = min(duration(), 5 * TimeModel.day)
        let changed = changedZones()
        story.append(
            "crash on the way of an advance by \(nanoseconds / .nanosecondsPerSecond) s; "
                + "other zones: \(changed.keys.sorted())"
        )
        let advance = Pending<ClockAdvance>()
        test.store.advanceClock(
            .by(nanoseconds: nanoseconds),
            passesCallbacks: true,
            completion: advance.complete
        )
        let rests = int(0...3)
        for _ in 0..<rests { await test.whileWriterRests {} }
        let directory = test.directory.path
        let image = try await test.whileWriterRests { try CrashImage(of: directory) }
        _ = await advance.value
        try test.reopen { _ in
            try? image.write(to: directory)
            for (name, zone) in changed { try? zoneFiles.write(zone, as: name) }
        }
        model.advance(to: test.store.clock.now().elapsed.nanoseconds)
        model.crashedAmongWhatIsDue()
        try await begin(with: changed)
    }

    /// Goes on after a start: all streams are gone.
    private mutating func begin(with changed: [String: SimulatedZone]) async throws {
        for index in seen.indices {
            seen[index].primary = nil
            model.leave(index)
        }
        model.setZones(changed)
        for index in seen.indices {
            let last = seen[index].last
            let name = model.centers[index].name
            seen[index].follower = await EventFollower.follow(
                try test.subscribe(after: last, to: name),
                after: last
            )
        }
        // Answers when all that was due at the start is recorded.
        try await test.advance(by: .zero, passesCallbacks: true)
    }
}
