internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Callers take turns (QU-1)")
struct TurnLineTests {
    /// The waiting elements, as a caller's letter and the cost of each of its elements, and the
    /// elements that are taken.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let waiting: [(caller: Character, cost: Int)]
        let limit: Int
        let taken: [String]

        init(
            _ description: String,
            _ waiting: [(Character, Int)],
            atMost limit: Int = 1_024,
            _ taken: [String]
        ) {
            testDescription = description
            self.waiting = waiting
            self.limit = limit
            self.taken = taken
        }
    }

    private static func many(_ count: Int, _ caller: Character, _ cost: Int) -> [(Character, Int)] {
        Array(repeating: (caller, cost), count: count)
    }

    /// The elements that are taken one batch after another; an element is its caller and its place
    /// among its caller's.
    private func batches(_ row: Case) -> [String] {
        var line = TurnLine<Character, String>(quantum: 64)
        var counts: [Character: Int] = [:]
        for (caller, cost) in row.waiting {
            counts[caller, default: 0] += 1
            line.append("\(caller)\(counts[caller] ?? 0)", of: caller, cost: cost)
        }
        var batches: [String] = []
        while line.count > 0 {
            batches.append(line.take(atMost: row.limit).joined(separator: " "))
        }
        return batches
    }

    @Test(
        "The order in which they are taken",
        arguments: [
            Case("nothing", [], []),
            Case("one caller's come in their order", many(3, "a", 1), ["a1 a2 a3"]),
            Case("no more than the limit", many(5, "a", 1), atMost: 4, ["a1 a2 a3 a4", "a5"]),
            Case("at least one", many(2, "a", 9), atMost: 4, ["a1", "a2"]),
            Case("at least one of the least limit", many(2, "a", 1), atMost: 1, ["a1", "a2"]),
            Case(
                "a turn is of so much work",
                many(3, "a", 32) + many(3, "b", 32),
                ["a1 a2 b1 b2 a3 b3"]
            ),
            Case(
                "small work is done before large work that came first",
                many(3, "a", 1_000) + many(2, "b", 1),
                ["b1 b2", "a1", "a2", "a3"]
            ),
            Case(
                "large work begins a batch, and small work goes with it",
                many(1, "a", 300) + many(3, "a", 1),
                ["a1 a2 a3 a4"]
            ),
            Case(
                "large work of two callers comes in turns",
                many(2, "a", 1_000) + many(2, "b", 1_000),
                ["a1", "b1", "b2", "a2"]
            ),
            Case(
                "twice as large work has half of the turns",
                many(2, "a", 512) + many(4, "b", 256),
                ["b1", "a1", "b2", "b3", "b4", "a2"]
            ),
        ]
    )
    func order(_ row: Case) {
        #expect(batches(row) == row.taken)
    }

    @Test("Who comes while another's large work is done waits for that alone, most of the time")
    func arriving() {
        var line = TurnLine<Character, String>(quantum: 64)
        for number in 1...4 { line.append("a\(number)", of: "a", cost: 1_117) }
        var taken = [line.take(atMost: 1_024)]
        for number in 1...12 {
            if line.count(of: "b") == 0 { line.append("b\(number)", of: "b", cost: 1) }
            taken.append(line.take(atMost: 1_024))
        }
        #expect(line.count(of: "b") == 0)
        #expect(
            taken.map { $0.joined(separator: " ") } == [
                "a1", "b1", "b2", "b3", "a2", "b4", "b6", "b7", "b8", "a3", "b9", "b11", "b12",
            ]
        )
        #expect(line.count(of: "a") == 1)
        #expect(line.count == 1)
    }

    @Test("An add is answered before the large calls of another app that came before it")
    func small() async throws {
        let test = try TestStore()
        let other = CenterName.local("org.example.other")
        try await test.authorize()
        try await test.authorize(for: other)
        let requests = try (0..<500).map { index -> Result<NotificationRequest, Refusal> in
            .success(try NotificationRequest.titled("\(index)", in: .seconds(60)))
        }
        let request = try NotificationRequest.titled("a")
        let large = (0..<4).map { _ in Pending<[Result<AddReply, Refusal>]>() }
        let answered = Pending<[Bool]>()
        await test.whileWriterRests {
            for reply in large {
                test.store.addBatch(requests, to: other, completion: reply.complete)
            }
            test.store.add(request, to: test.center) { _ in
                answered.complete(.success(large.map(\.isComplete)))
            }
        }
        #expect(try await answered.value.get() == [false, false, false, false])
        for reply in large { #expect(try await reply.value.get().count == 500) }
    }

    @Test(
        "A batch of requests is added in parts, and others are served between them",
        arguments: [(600, Duration.seconds(60), 3), (256, .seconds(60), 1), (100, nil, 4)]
    )
    func parts(count: Int, trigger: Duration?, batches: Int) async throws {
        let test = try TestStore()
        try await test.authorize()
        await test.settle()
        let before = test.store.counts.batches
        try await test.addAll((0..<count).map { try .titled("\($0)", in: trigger) })
        #expect(test.store.counts.batches - before == batches)
    }

    @Test("Many removals of one app go on one after another, not all in each batch")
    func sliced() async throws {
        let test = try TestStore { $0.limits.rowsPerBatch = 512 }
        let other = CenterName.local("org.example.other")
        try await test.authorize()
        try await test.authorize(for: other)
        let requests = try (0..<1_000).map { index -> Result<NotificationRequest, Refusal> in
            .success(try NotificationRequest.titled("\(index)", in: .seconds(60)))
        }
        _ = try await test.result {
            $0.addBatch(requests, to: other, completion: $1)
        }.get()
        let removals = (0..<8).map { _ in Pending<Int>() }
        await test.whileWriterRests {
            for reply in removals {
                test.store.removeAllPending(from: other, completion: reply.complete)
            }
        }
        // Each batch goes on with one of them: the first has four slices to go.
        let batches = test.store.counts.batches
        for reply in removals { _ = try await reply.value.get() }
        #expect(test.store.counts.batches - batches >= 8)
    }

    @Test("A caller with limited rights has one turn for all of its apps")
    func registrant() {
        let caller = Registrant(.token, "a")
        let source = CommandSource(registrant: caller, connection: 1, byteCount: 5_000)
        let app = CenterName.local("org.example.app")
        #expect(CommandSource.caller(of: app) == .center(app))
        #expect(CommandSource.caller(of: nil) == .server)
        CommandSource.$current.withValue(source) {
            #expect(CommandSource.caller(of: app) == .registrant(caller))
            #expect(CommandSource.caller(of: nil) == .registrant(caller))
            let add = QueuedCommand(RemoveCategoriesCommand(center: app, identifiers: [])) { _ in }
            #expect(add.cost == 1 + 4)
        }
        let owner = CommandSource(registrant: nil, connection: 7, byteCount: 0)
        CommandSource.$current.withValue(owner) {
            #expect(CommandSource.caller(of: app) == .center(app))
            #expect(CommandSource.caller(of: nil) == .connection(7))
        }
    }
}
