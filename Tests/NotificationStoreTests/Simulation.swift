internal import NotificationCore
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
    var keyCount = 0

    /// Through which the app is asked.
    static let subscription = "the app"

    /// Few, so that they meet again and again; some are the beginning of others.
    private static let identifiers = ["a", "aa", "aaa", "b", "ba", "é", "z", "zz", "\0", "c", "d"]

    init(seed: UInt64) async throws {
        generator = SeededGenerator(seed: seed)
        var limits = StoreLimits()
        limits.rowsPerRead = Int.random(in: 1...5, using: &generator)
        limits.rowsPerBatch = Int.random(in: 1...10, using: &generator)
        limits.rowsPerExpiry = Int.random(in: 1...4, using: &generator)
        limits.eventsPerMessage = Int.random(in: 1...5, using: &generator)
        limits.deliveredPerCenter = 5
        limits.pendingPerCenter = 8
        limits.pendingLimitPolicy =
            PendingLimitPolicy.allCases.randomElement(using: &generator) ?? .rejectNew
        limits.arrivingPerCenter = Int.random(in: 1...4, using: &generator)
        limits.deliveredNanoseconds =
            Int64.random(in: 200...2_000, using: &generator) * 1_000_000_000
        limits.eventNanoseconds = Int64.random(in: 200...2_000, using: &generator) * 1_000_000_000
        limits.eventBytesPerCenter = Int.random(in: 500...50_000, using: &generator)
        test = try TestStore(in: ScratchDirectory(isInMemory: true)) { $0.limits = limits }
        for name in ["org.example.a", "org.example.b"].map(CenterName.local) {
            let settings = try await test.authorize(for: name)
            members.append(
                Member(
                    name: name,
                    model: CenterModel(limits: limits, settings: settings),
                    token: try await test.registerForPushes(of: name)
                )
            )
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
        switch Int.random(in: 0..<34, using: &generator) {
        case 0..<8: try await add(index)
        case 8..<10: try await addBatch(index)
        case 10..<12: try await remove(index, fromPending: true)
        case 12..<14: try await remove(index, fromPending: false)
        case 14: try await removeAll(index)
        case 15: try await setBadge(index)
        case 16: try await retry()
        case 17..<19: try await advanceToNextDue()
        case 19..<21: try await advance()
        case 21: try follow(index)
        case 22..<24: try await complete(index)
        case 24: try await comeOrGo(index)
        case 25..<29: try await push(index)
        case 29: try await pushAgain()
        case 30: try await takeBack(index)
        case 31:
            try test.reopen()
            forgetFollowers()
        default:
            try test.crash()
            forgetFollowers()
        }
    }

    mutating func request() throws -> NotificationRequest {
        let identifier = someIdentifier()
        let kind = Int.random(in: 0..<5, using: &generator)
        let seconds = Int.random(in: 1...9, using: &generator) * 20
        let badge = Int32.random(in: -3...3, using: &generator)
        let isSilent = Int.random(in: 0..<6, using: &generator) == 0
        let isDate = kind == 4
        var request: NotificationRequest = try .titled(
            identifier,
            in: kind == 0 || isDate ? nil : .seconds(kind == 1 ? seconds + 60 : seconds),
            repeats: kind == 1
        ) { content in
            if badge >= 0 { content.badge = badge }
            content.badgeMode = seconds % 40 == 0 ? .set : .increment
            content.body = String(repeating: "x", count: seconds * 5)
            if isSilent {
                content.title = ""
                content.body = ""
                content.sound = Sound()
            }
        }
        if isDate {
            var components = CalendarComponents()
            components.hour = seconds / 20
            request.trigger = .calendar(
                try CalendarTrigger(dateComponents: components, repeats: seconds % 40 == 0)
            )
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            request.replacementKey = someIdentifier()
        }
        return request
    }

    mutating func someIdentifier() -> String {
        Self.identifiers.randomElement(using: &generator) ?? "a"
    }

    mutating func someIdentifiers() -> [String] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in someIdentifier() }
    }

    mutating func newKey(_ request: NotificationRequest) throws -> OnceKey? {
        guard Bool.random(using: &generator) else { return nil }
        keyCount += 1
        func digits(_ number: Int) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 12 - digits.count) + digits
        }
        // Made now, by the clock that keys go by.
        let made = digits(Int(members[0].model.wall.nanoseconds / 1_000_000))
        return try OnceKey(
            "\(made.prefix(8))-\(made.suffix(4))-774b-bcce-\(digits(keyCount))",
            method: "Add",
            request: Array(request.identifier.utf8)
        )
    }

    mutating func add(_ index: Int) async throws {
        let request = try request()
        let key = try newKey(request)
        let name = members[index].name
        let result = await test.result { $0.add(request, to: name, once: key, completion: $1) }
        try require("add", result, members[index].model.add(request))
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
        try require("batch", results, requests.map { members[index].model.add($0) })
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
            let all = Set(model.delivered.map(\.request.identifier)).union(model.arriving.keys)
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
