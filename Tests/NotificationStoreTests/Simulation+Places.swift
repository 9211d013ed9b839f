internal import Foundation
internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport

@testable internal import NotificationStore

// The device moves between a few places on the equator, and reports where it is.

extension Simulation {
    /// The longitudes are in the small circle, in the other small one, in the large one around the
    /// first, and in none.
    private static let longitudes = [0, 0.01, 0.005, 1]

    /// One of three circles.
    mutating func region(byChance number: Int) throws(Refusal) -> Region {
        let circles = [("home", 0.0, 100.0), ("work", 0.01, 100.0), ("town", 0.0, 3_000.0)]
        let (identifier, longitude, radius) = circles[number % circles.count]
        let onEntry = Bool.random(using: &generator)
        return try .circle(
            identifier,
            0,
            longitude,
            radius: radius,
            onEntry: onEntry,
            onExit: !onEntry || Bool.random(using: &generator)
        )
    }

    /// The person lets an app know the place, more often than not.
    mutating func permit(_ index: Int) async throws {
        let isPermitted = Int.random(in: 0..<4, using: &generator) > 0
        try await test.allowLocation(
            isPermitted ? .authorizedWhenInUse : .denied,
            for: members[index].name
        )
        members[index].model.permit(isPermitted)
    }

    private mutating func someFixes(_ count: Int) -> [LocationFix] {
        (0..<count).map { _ in
            // Send late fixes, some of which are older than the last, and one that is a little
            // ahead.
            let seconds = Int.random(in: -60...20, using: &generator)
            let time = seconds % 3 == 0 ? members[0].model.wall + .seconds(seconds) : nil
            let longitude = Self.longitudes.randomElement(using: &generator) ?? 0
            return .at(0, longitude, time: time)
        }
    }

    /// Moves the models as a report says, and gives how many requests fire.
    private mutating func moveModels(_ fixes: [LocationFix]) -> Int {
        let now = members[0].model.wall
        let inOrder = fixes.enumerated().map { (min($1.time ?? now, now), $0, $1.place) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        var fired = 0
        for (time, _, place) in inOrder where time >= lastFix {
            lastFix = time
            for index in members.indices
            where members[index].name.device == CenterName.localDevice {
                fired += members[index].model.move(to: place)
            }
        }
        return fired
    }

    /// The device reports where it was.
    mutating func move() async throws {
        let fixes = someFixes(Int.random(in: 1...4, using: &generator))
        let fired = await test.result {
            $0.reportLocation(fixes, on: CenterName.localDevice, completion: $1)
        }
        try require("crossed", fired, .success(UInt64(moveModels(fixes))))
    }

    /// The server is killed while it handles a long report, and goes on with it.
    mutating func cutOnTheWay() async throws {
        // No app is there: it would be asked before the crash, and not after it.
        try test.reopen()
        forgetFollowers()
        let fixes = someFixes(Int.random(in: 50...150, using: &generator))
        _ = try await cut { store, completion in
            store.reportLocation(fixes, on: CenterName.localDevice, completion: completion)
        }
        _ = moveModels(fixes)
        // One more report is handled only behind the long one.
        try await test.report([])
    }

    /// Kills the server after some batches of the work that `begin` starts.
    ///
    /// Events after the copy of the file never happened: nobody looks at them.
    ///
    /// - Returns: What was replied before.
    mutating func cut<Reply: Sendable>(
        _ begin: (Store, @escaping Completion<Reply>) -> Void
    ) async throws -> Result<Reply, Refusal> {
        let directory = test.directory.path
        let reply = Pending<Reply>()
        begin(test.store, reply.complete)
        for _ in 0..<Int.random(in: 0...3, using: &generator) { await test.whileWriterRests {} }
        let image = try await test.whileWriterRests { try CrashImage(of: directory) }
        let replied = await reply.value
        try test.reopen { _ in try? image.write(to: directory) }
        forgetFollowers()
        return replied
    }
}
