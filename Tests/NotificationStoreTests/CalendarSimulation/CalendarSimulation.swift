internal import Foundation
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore
internal import TestSupport

/// A store on several devices with zones that the test made up, and a model of what becomes due.
struct CalendarSimulation {
    /// The observations of a center, beside its model.
    struct Seen {
        /// Follows its events, caught up before each step.
        var follower: EventFollower
        var last: EventNumber
        /// The app's own subscription, which is asked.
        var primary: EventFollower?
        /// The deliveries that wait for the summary, by identifier.
        var held: [String: DeliveryNumber] = [:]
        /// When the summary is due that they wait for.
        var summaryDue: Int64?
    }

    /// 2030-01-01T00:00:00Z: a clock that shows it was set, at any date of this build.
    static let start: Int64 = 1_893_456_000

    let test: TestStore
    let zoneFiles: ZoneFiles
    /// Whether requests have bounds, anchors and expiries too, and are skipped.
    let recurs: Bool
    var generator: SeededGenerator
    var model: TimeModel
    var seen: [Seen] = []
    /// The steps so far, for a person who looks for the cause of a difference.
    var story: [String] = []

    init(seed: UInt64, recurs: Bool = false) async throws {
        self.recurs = recurs
        generator = SeededGenerator(seed: seed)
        zoneFiles = try ZoneFiles()
        var limits = StoreLimits()
        limits.rowsPerRead = Int.random(in: 1...5, using: &generator)
        limits.rowsPerBatch = Int.random(in: 1...10, using: &generator)
        limits.eventsPerMessage = Int.random(in: 1...50, using: &generator)
        limits.deliveredNanoseconds = 200 * 365 * TimeModel.day
        let start = WallInstant(nanoseconds: Self.start * .nanosecondsPerSecond)
        let zonePath = zoneFiles.path
        test = try TestStore { [limits] options in
            options.limits = limits
            options.clock = .manual(start: start)
            options.zoneDirectory = zonePath
            options.timeZone = ZoneFiles.serverZone
        }
        model = TimeModel(wall: start.nanoseconds, serverZone: ZoneFiles.serverZone)
        for name in ZoneFiles.names {
            let zone = SimulatedZone.random(around: Self.start, using: &generator)
            model.zones[name] = zone
            try zoneFiles.write(zone, as: name)
        }
        try await authorizeCenters()
    }

    private mutating func authorizeCenters() async throws {
        for (index, device) in ["local", "tablet", "watch"].enumerated() {
            model.devices.append(TimeModel.Device(name: device))
            for app in index == 0 ? ["org.example.a", "org.example.b"] : ["org.example.a"] {
                let name = try CenterName(app: app, device: device)
                try await test.authorize(for: name)
                model.centers.append(TimeModel.Center(name: name, device: index))
                let last = try test.state(of: name).lastEvent
                let follower = await EventFollower.follow(
                    try test.subscribe(after: last, to: name),
                    after: last
                )
                seen.append(Seen(follower: follower, last: last))
            }
        }
    }

    func require<Value: Equatable>(
        _ what: @autoclosure () -> String,
        _ found: Value,
        _ expected: Value
    ) throws {
        guard found != expected else { return }
        throw Difference(description: "\(what()): \(found), and not \(expected)")
    }

    /// A date as a reader of a difference needs it.
    static func told(_ wall: Int64) -> String {
        let seconds = wall.floored(by: .nanosecondsPerSecond) / .nanosecondsPerSecond
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    func told(_ center: Int) -> String {
        let name = model.centers[center].name
        return "\(name.app) on \(name.device)"
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func oneOf<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    mutating func isOne(in count: Int) -> Bool { int(1...count) == 1 }

    /// Does one thing to the store and to the model, and compares them.
    mutating func step() async throws {
        let center = int(0...(model.centers.count - 1))
        if recurs, isOne(in: 6) {
            try await skipNext(of: center)
            return try await compare()
        }
        switch int(0...33) {
        case 0...6: try await add(to: center)
        case 7: try await addBatch(to: center)
        case 8: try await remove(from: center)
        case 9...11: try await advance(by: duration())
        case 12...13: try await advanceToNextDue()
        case 14: try await advanceStopping()
        case 15...17: try await setClock()
        case 18...19: try await changeZone()
        case 20: try await changeSummary()
        case 21: try await suspend()
        case 22: try await comeOrGo(center)
        case 23: try await answer(center)
        case 24: try await removeDelivered(from: center)
        case 25: try await setClockAndZone()
        case 26: try await addMany(to: center)
        case 27: try await crashOnTheWay()
        case 28: try await restart()
        case 29...30: try await askTwiceAndBeAway(center)
        case 31...32: try await cutOffAndGoOn(center)
        default: try await crash()
        }
        try await compare()
    }
}

/// A directory of zone files that are changed between two starts.
final class ZoneFiles: Sendable {
    static let serverZone = "Sim/Home"
    static let names = [serverZone, "Sim/East", "Sim/West", "Sim/North"]

    private let directory: ScratchDirectory
    var path: String { directory.path }

    init() throws {
        directory = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: path + "/Sim",
            withIntermediateDirectories: false
        )
        try write(SimulatedZone(firstOffset: 0), as: "UTC")
    }

    func write(_ zone: SimulatedZone, as name: String) throws {
        try zone.file.write(to: URL(filePath: "\(path)/\(name)"))
    }
}
