internal import NotificationCore
internal import NotificationRecords
internal import TestSupport

@testable internal import NotificationFeeds
@testable internal import NotificationStore

/// A store with the models of its centers, and random work for both.
struct Simulation {
    /// A center with its model, and a subscriber that follows its events.
    struct Member {
        let name: CenterName
        var model: CenterModel
        var follower: TestSubscription?
        /// The last event that the follower was told.
        var told: EventNumber = 0
        /// By which providers know it.
        let token: DeviceToken
    }

    /// A call that was answered, to be sent again.
    private struct Answered {
        let member: Int
        let request: NotificationRequest
        let key: OnceKey
        let reply: AddReply
        /// When, on the elapsed clock.
        let at: Int64
    }

    let test: TestStore
    var generator: SeededGenerator
    var members: [Member] = []
    private var answered: [Answered] = []
    var pushed: [Pushed] = []
    /// When the device was at the place that it reported last.
    var lastFix = WallInstant(nanoseconds: .min)
    var keyCount = 0

    /// Through which the app is asked.
    static let subscription = "the app"

    private static let centers = [
        ("org.example.a", "local"), ("org.example.b", "local"), ("org.example.a", "tablet"),
        ("org.example.a", "watch"),
    ]

    /// Few, so that they meet again and again; some are the beginning of others.
    private static let identifiers = ["a", "aa", "aaa", "b", "ba", "é", "z", "zz", "\0", "c", "d"]

    init(seed: UInt64) async throws {
        generator = SeededGenerator(seed: seed)
        var limits = StoreLimits()
        limits.rowsPerRead = Int.random(in: 1...5, using: &generator)
        limits.rowsPerBatch = Int.random(in: 1...10, using: &generator)
        limits.cachedCenters = Int.random(in: 0...3, using: &generator)
        limits.cachedEntries = Int.random(in: 0...40, using: &generator)
        limits.rowsPerExpiry = Int.random(in: 1...4, using: &generator)
        limits.eventsPerMessage = Int.random(in: 1...5, using: &generator)
        limits.changes.changesPerMerge = Int.random(in: 1...200, using: &generator)
        limits.changes.rowsPerSlice = Int.random(in: 1...100, using: &generator)
        limits.deliveredPerCenter = 5
        limits.pendingPerCenter = 8
        limits.pendingLimitPolicy =
            PendingLimitPolicy.allCases.randomElement(using: &generator) ?? .rejectNew
        limits.snoozedPerCenter = 3
        limits.arrivingPerCenter = Int.random(in: 1...4, using: &generator)
        limits.deliveredNanoseconds =
            Int64.random(in: 200...2_000, using: &generator) * 1_000_000_000
        limits.eventNanoseconds = Int64.random(in: 200...2_000, using: &generator) * 1_000_000_000
        limits.eventBytesPerCenter = Int.random(in: 500...50_000, using: &generator)
        test = try TestStore { $0.limits = limits }
        for (app, device) in Self.centers {
            let name = try CenterName(app: app, device: device)
            // The first app counts for nobody, the others for one caller.
            let caller = members.isEmpty ? nil : Registrant(.token, "simulation")
            let settings = try await test.authorize(for: name, by: caller)
            members.append(
                Member(
                    name: name,
                    model: CenterModel(limits: limits, settings: settings),
                    token: try await test.registerForPushes(of: name)
                )
            )
            try await permit(members.count - 1)
            try await tag(members.count - 1)
        }
    }

    /// Whether the whole store should be compared with its models now.
    var isTimeToCompare: Bool {
        mutating get { Int.random(in: 0..<8, using: &generator) == 0 }
    }

    func require<Value: Equatable>(
        _ what: String,
        _ found: Value,
        _ expected: Value
    ) throws {
        guard found != expected else { return }
        throw Difference(description: "\(what): \(found), and not \(expected)")
    }

    // MARK: Steps

    /// Does one thing to the store and to the model.
    mutating func step() async throws {
        let index = Int.random(in: 0..<members.count, using: &generator)
        switch Int.random(in: 0..<66, using: &generator) {
        case 0..<8: try await add(index)
        case 8..<10: try await addBatch(index)
        case 10..<12: try await remove(index, fromPending: true)
        case 12..<14: try await remove(index, fromPending: false)
        case 14: try await removeAll(index)
        case 15: try await setBadge(index)
        case 16: try await retry()
        case 17..<23: try await advanceToNextDue()
        case 23..<27: try await advance()
        case 27: try follow(index)
        case 28..<32: try await complete(index)
        case 32: try await comeOrGo(index)
        case 33..<37: try await push(index)
        case 37: try await pushAgain()
        case 38: try await takeBack(index)
        case 39..<43: try await move()
        case 43: try await cutOnTheWay()
        case 44: try await permit(index)
        case 45..<47: try await skipNext(index)
        case 47..<52: try await snooze(index)
        case 52..<55: try await serveOrGo(index)
        case 55..<60: try await answerAsService()
        case 60..<62: try await pushToTags()
        case 62: try await pushToTagsThroughKill()
        case 63:
            try test.reopen()
            forgetFollowers()
        default:
            try test.crash()
            forgetFollowers()
        }
    }

    mutating func someIdentifier() -> String {
        Self.identifiers.randomElement(using: &generator) ?? "a"
    }

    mutating func someIdentifiers() -> [String] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in someIdentifier() }
    }

    /// A key of a call, made now, by the clock that keys go by.
    mutating func newKey(_ method: String, _ request: String) throws -> OnceKey {
        keyCount += 1
        func digits(_ number: Int) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 12 - digits.count) + digits
        }
        let made = digits(Int(members[0].model.wall.nanoseconds / 1_000_000))
        return try OnceKey(
            "\(made.prefix(8))-\(made.suffix(4))-774b-bcce-\(digits(keyCount))",
            method: method,
            request: Array(request.utf8)
        )
    }

    mutating func add(_ index: Int) async throws {
        let request = try request()
        let hasKey = Bool.random(using: &generator)
        let key = hasKey ? try newKey("Add", request.identifier) : nil
        let name = members[index].name
        let result = await test.result { $0.add(request, to: name, once: key, completion: $1) }
        let expected = members[index].model.add(request)
        try require(
            "add",
            result.map(\.withoutNumbers),
            expected.mapError { $0.within([.request]) }
        )
        if let key, case .success(let reply) = result {
            let at = members[0].model.elapsed
            answered.append(
                Answered(member: index, request: request, key: key, reply: reply, at: at)
            )
        }
    }

    /// Sends a call again that was answered: nothing happens, and the answer is the same.
    mutating func retry() async throws {
        // Keys are kept for a day.
        let day: Int64 = 86_400_000_000_000
        answered.removeAll { $0.at < members[0].model.elapsed - day }
        guard let call = answered.randomElement(using: &generator) else { return }
        let name = members[call.member].name
        let result = await test.result {
            $0.add(call.request, to: name, once: call.key, completion: $1)
        }
        try require("retry", result, .success(call.reply))
    }

    mutating func addBatch(_ index: Int) async throws {
        var requests: [NotificationRequest] = []
        for _ in 0..<Int.random(in: 0...6, using: &generator) { requests.append(try request()) }
        let results = try await test.addBatch(
            requests.map { .success($0) },
            to: members[index].name
        )
        let expected = requests.enumerated().map { place, request in
            members[index].model.add(request)
                .mapError { $0.within(.element(place, of: .requests)) }
        }
        try require("batch", results.map { $0.map(\.withoutNumbers) }, expected)
    }

    mutating func remove(_ index: Int, fromPending: Bool) async throws {
        let asked = someIdentifiers()
        let name = members[index].name
        let removed = await test.result { store, completion in
            if fromPending {
                store.removePending(asked, from: name, completion: completion)
            } else {
                store.removeDelivered(asked, from: name, completion: completion)
            }
        }
        let expected =
            fromPending
            ? members[index].model.removePending(asked)
            : members[index].model.removeDelivered(asked)
        try require("removed", removed, .success(expected))
    }

    mutating func removeAll(_ index: Int) async throws {
        let name = members[index].name
        let fromPending = Bool.random(using: &generator)
        let removed = await test.result { store, completion in
            if fromPending {
                store.removeAllPending(from: name, completion: completion)
            } else {
                store.removeAllDelivered(from: name, completion: completion)
            }
        }
        let expected: [String]
        if fromPending {
            let all = members[index].model.pending.keys.sorted(by: Self.byBytes)
            expected = members[index].model.removePending(all)
        } else {
            let model = members[index].model
            let all = Set(model.delivered.map(\.request.identifier))
                .union(model.arriving.keys).union(model.snoozed.keys)
            expected = members[index].model.removeDelivered(all.sorted(by: Self.byBytes))
        }
        try require("removed", removed, .success(expected.count))
    }

    mutating func setBadge(_ index: Int) async throws {
        let badge = Int32.random(in: 0...3, using: &generator)
        let name = members[index].name
        let result = await test.result {
            $0.setBadgeCount(Int64(badge), of: name, completion: $1)
        }
        try require("badge", result, .success(badge))
        members[index].model.setBadge(badge)
    }

    mutating func advanceToNextDue() async throws {
        let target = members.compactMap(\.model.nextDue).min()
        let advance = try await test.result {
            $0.advanceClock(.toNextDue, passesCallbacks: true, completion: $1)
        }.get()
        try require("nothing due", advance.stop == .nothingDue, target == nil)
        if let target { try require("fired", advance.firedCount, advanceModels(to: target)) }
    }

    mutating func advance() async throws {
        // Now and then far enough for a date.
        let isFar = Int.random(in: 0..<6, using: &generator) == 0
        let seconds = Int.random(in: 0...(isFar ? 20_000 : 200), using: &generator)
        let target = ClockTarget.by(nanoseconds: Int64(seconds) * .nanosecondsPerSecond)
        let advance = try await test.result {
            $0.advanceClock(target, passesCallbacks: true, completion: $1)
        }.get()
        let end = members[0].model.elapsed + Int64(seconds) * .nanosecondsPerSecond
        try require("fired", advance.firedCount, advanceModels(to: end))
    }

    mutating func advanceModels(to end: Int64) -> Int {
        members.indices.map { members[$0].model.advance(to: end) }.reduce(0, +)
    }

    // MARK: Followers

    /// Begins to follow a center's events from where its last follower stood.
    mutating func follow(_ index: Int) throws {
        noteCall(index)
        members[index].follower?.cancel()
        let told = max(members[index].told, members[index].model.firstEvent - 1)
        members[index].told = told
        // 0 would ask for the oldest that is kept.
        members[index].follower = try test.subscribe(
            after: told == 0 ? nil : told,
            to: members[index].name
        )
        if told == 0 {
            members[index].told = EventNumber(rawValue: UInt64(members[index].model.events.count))
        }
    }

    /// Any call of the app ends its silence (D-27).
    mutating func noteCall(_ index: Int) {
        test.feeds.noteCall(of: members[index].name)
        members[index].model.isSilent = false
    }

    mutating func forgetFollowers() {
        for index in members.indices {
            members[index].follower = nil
            members[index].model.isConnected = false
            members[index].model.isInFront = false
            members[index].model.isServed = false
            members[index].model.isSilent = false
        }
    }

    /// Reads what a follower was told since: each event, in order.
    mutating func compareFollower(_ index: Int) async throws {
        guard let follower = members[index].follower else { return }
        let model = members[index].model
        while members[index].told.rawValue < UInt64(model.events.count) {
            do {
                for event in try await follower.next().events {
                    let expected = model.events[Int(members[index].told.rawValue)]
                    try require("event", event, expected)
                    members[index].told += 1
                }
            } catch let refusal as Refusal {
                // It was slower than the events were trimmed, and is told so.
                try require("end", refusal.reason, .eventsTrimmed)
                try require("trimmed", members[index].told + 1 < model.firstEvent, true)
                members[index].follower = nil
                return
            }
        }
    }
}
