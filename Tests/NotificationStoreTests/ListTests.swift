internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@Suite("Lists (W-8)")
struct ListTests {
    /// A store whose reads take 4 rows a transaction, with other centers before and after.
    private static func store() async throws -> TestStore {
        let test = try TestStore {
            $0.limits.rowsPerRead = 4
            $0.limits.pendingSortedByDate = 40
        }
        for center in [neighbors[0], test.center, neighbors[1]] {
            try await test.authorize(for: center)
        }
        for neighbor in neighbors {
            try await test.add(.titled("neighbor"), to: neighbor)
            try await test.add(.titled("neighbor", in: .seconds(60)), to: neighbor)
        }
        return test
    }

    private static let neighbors = [CenterName.local("org.before"), .local("org.zafter")]

    /// Identifiers of which none is in the order of its date; some are prefixes of others.
    private static let identifiers = (0..<23).map { index in
        String(repeating: "x", count: index % 5) + "\((index * 7) % 23)"
    }

    private static func byBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    @Test(
        "Pages in identifier order hold each entry once, whatever their size",
        arguments: [1, 2, 3, 4, 5, 7, 22, 23, 24, 1_000]
    )
    func byIdentifier(pageSize: Int) async throws {
        let test = try await Self.store()
        // Between the pending ones lie identifiers that are only delivered, and the reverse.
        for (index, identifier) in Self.identifiers.enumerated() {
            try await test.add(.titled(identifier, in: .seconds(100 - index)))
            try await test.add(.titled("y\(identifier)"))
        }
        let pages = try await test.pages { token in
            try await test.pendingPage { query in
                query.pageSize = pageSize
                query.token = token
            }
        }
        #expect(pages.allSatisfy { $0.entries.count <= pageSize })
        #expect(pages.dropLast().allSatisfy { $0.entries.count == pageSize })
        #expect(pages.last?.entries.isEmpty == false)
        let expected = Self.identifiers.sorted(by: Self.byBytes)
        #expect(pages.flatMap(\.entries).map(\.request.identifier) == expected)

        let delivered = try await test.delivered { query in query.pageSize = pageSize }
        #expect(delivered.map(\.request.identifier) == expected.map { "y\($0)" })
    }

    @Test(
        "Pages by next fire date, which may be equal",
        arguments: [1, 2, 4, 5, 23, 1_000]
    )
    func byDate(pageSize: Int) async throws {
        let test = try await Self.store()
        for (index, identifier) in Self.identifiers.enumerated() {
            try await test.add(.titled(identifier, in: .seconds(60 + index % 3)))
            try await test.add(.titled("y\(identifier)"))
        }
        let pending = try await test.pending { query in
            query.order = .nextFireDate
            query.pageSize = pageSize
        }
        let expected = (0..<3).flatMap { rest in
            Self.identifiers.enumerated().filter { $0.offset % 3 == rest }.map(\.element)
                .sorted(by: Self.byBytes)
        }
        #expect(pending.map(\.request.identifier) == expected)
        #expect(pending.map(\.nextFire) == pending.compactMap(\.nextFire).sorted())
    }

    @Test("A list that is too long to be sorted is refused, and says so")
    func tooLongToSort() async throws {
        let test = try await Self.store()
        let requests = try (0..<41).map {
            try NotificationRequest.titled("\($0)", in: .seconds(60))
        }
        try await test.addAll(requests)
        let refusal = await #expect(throws: Refusal.self) {
            try await test.pending { $0.order = .nextFireDate }
        }
        #expect(refusal?.kind == .failedPrecondition)
        #expect(refusal?.reason == .listTooLarge)
        #expect(refusal?.facts == [.limit: "40"])
        try await test.removePending(["0"])
        #expect(try await test.pending { $0.order = .nextFireDate }.count == 40)
    }

    @Test(
        "Pages of the delivered list, the newest first",
        arguments: [1, 2, 4, 5, 23, 1_000]
    )
    func newestFirst(pageSize: Int) async throws {
        let test = try await Self.store()
        for identifier in Self.identifiers { try await test.add(.titled(identifier)) }
        let delivered = try await test.delivered { query in
            query.order = .newestFirst
            query.pageSize = pageSize
        }
        #expect(delivered.map(\.request.identifier) == Self.identifiers.reversed())
        #expect(delivered.map(\.delivery) == (1...23).reversed())
    }

    @Test("A list of a center alone in the store ends at both ends")
    func aloneInTheStore() async throws {
        let test = try TestStore { $0.limits.rowsPerRead = 4 }
        try await test.authorize()
        #expect(try await test.delivered().isEmpty)
        for identifier in Self.identifiers.prefix(8) { try await test.add(.titled(identifier)) }
        #expect(try await test.delivered().map(\.delivery) == (1...8).reversed())
        #expect(try await test.delivered { $0.pageSize = 3 }.count == 8)
    }

    /// A filter, and the numbers of the requests that it lets through, of 23.
    struct Filter: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable (inout ListQuery) -> Void
        let matches: @Sendable (Int) -> Bool
    }

    @Test(
        "A filter leaves the order and the pages as they are",
        arguments: [
            Filter(testDescription: "a thread") {
                $0.threadIdentifier = "thread 1"
            } matches: {
                $0 % 3 == 1
            },
            Filter(testDescription: "no thread") {
                $0.threadIdentifier = ""
            } matches: {
                $0 % 3 == 0
            },
            Filter(testDescription: "a category") {
                $0.categoryIdentifier = "category 2"
            } matches: {
                $0 % 4 == 2
            },
            Filter(testDescription: "identifiers") {
                $0.identifiers = ["i05", "i02", "i22", "none", "i01", "i0", "i077"]
            } matches: {
                [1, 2, 5, 22].contains($0)
            },
            Filter(testDescription: "more identifiers than a transaction reads") {
                $0.identifiers = (0..<9).map { "i0\($0)" }
            } matches: {
                $0 < 9
            },
            Filter(testDescription: "all of them together") {
                $0.identifiers = ["i01", "i04", "i10", "i03"]
                $0.threadIdentifier = "thread 1"
                $0.categoryIdentifier = "category 2"
            } matches: {
                $0 == 10
            },
            Filter(testDescription: "nothing") {
                $0.threadIdentifier = "no such thread"
            } matches: { _ in
                false
            },
        ],
        [1, 3, 100]
    )
    func filters(filter: Filter, pageSize: Int) async throws {
        let test = try await Self.store()
        func request(_ index: Int, in interval: Duration?) throws -> NotificationRequest {
            try .titled(index < 10 ? "i0\(index)" : "i\(index)", in: interval) {
                $0.threadIdentifier = index % 3 == 0 ? "" : "thread \(index % 3)"
                $0.categoryIdentifier = "category \(index % 4)"
            }
        }
        let expected = (0..<23).filter(filter.matches)
        let identifiers = try expected.map { try request($0, in: nil).identifier }
        for index in 0..<23 {
            try await test.add(request(index, in: .seconds(100 - index)))
            try await test.add(request(index, in: nil))
            try await test.add(request(index, in: .seconds(100 - index)))
        }
        for (order, isReversed) in [(ListQuery.Order.identifier, false), (.nextFireDate, true)] {
            let pending = try await test.pending { query in
                filter.set(&query)
                query.order = order
                query.pageSize = pageSize
            }
            let found = pending.map(\.request.identifier)
            #expect(found == (isReversed ? identifiers.reversed() : identifiers))
        }
        for (order, isReversed) in [(ListQuery.Order.identifier, false), (.newestFirst, true)] {
            let delivered = try await test.delivered { query in
                filter.set(&query)
                query.order = order
                query.pageSize = pageSize
            }
            let found = delivered.map(\.request.identifier)
            #expect(found == (isReversed ? identifiers.reversed() : identifiers))
        }
    }

    @Test("A page ends after a number of bytes, and the next one goes on", arguments: 0..<3)
    func byteLimit(order: Int) async throws {
        let test = try TestStore { $0.limits.bytesPerPage = 1_000 }
        try await test.authorize()
        for index in 0..<9 {
            let body = String(repeating: "b", count: 400)
            try await test.add(.titled("\(index)") { $0.body = body })
            try await test.add(.titled("\(index)", in: .seconds(60)) { $0.body = body })
        }
        let counts: [Int]
        switch order {
        case 0:
            counts = try await test.pages { token in
                try await test.pendingPage { $0.token = token }
            }.map(\.entries.count)
        case 1:
            counts = try await test.pages { token in
                try await test.pendingPage { query in
                    query.token = token
                    query.order = .nextFireDate
                }
            }.map(\.entries.count)
        default:
            counts = try await test.pages { token in
                try await test.deliveredPage { query in
                    query.token = token
                    query.order = .newestFirst
                }
            }.map(\.entries.count)
        }
        #expect(counts == [3, 3, 3])
    }

    @Test("What is added, removed or fired between two pages moves no other entry")
    func changesBetweenPages() async throws {
        let test = try await Self.store()
        for letter in ["b", "d", "f", "h"] {
            try await test.add(.titled(letter, in: .seconds(60)))
        }
        let first = try await test.pendingPage { $0.pageSize = 2 }
        #expect(first.entries.map(\.request.identifier) == ["b", "d"])
        try await test.removePending(["b", "d"])
        for letter in ["a", "c", "e"] { try await test.add(.titled(letter, in: .seconds(60))) }
        let second = try await test.pendingPage { query in
            query.pageSize = 2
            query.token = first.nextToken
        }
        #expect(second.entries.map(\.request.identifier) == ["e", "f"])
        // Compare the events, so that following from the first page's event tells of the removals
        // that the page missed.
        #expect(first.asOfEvent < second.asOfEvent)
        #expect(second.asOfEvent == (try test.state().lastEvent))
    }

    @Test("A list of an app that is not registered is refused")
    func notRegistered() async throws {
        let test = try TestStore()
        await #expect(throws: Refusal.notRegistered(test.center)) { try await test.pendingPage() }
        await #expect(throws: Refusal.notRegistered(test.center)) {
            try await test.deliveredPage()
        }
    }

    @Test("Any bytes are taken as a token; none of them leaves the center", arguments: 0..<4)
    func strangeTokens(kind: Int) async throws {
        let test = try await Self.store()
        for index in 0..<3 {
            try await test.add(.titled("\(index)", in: .seconds(60)))
            try await test.add(.titled("\(index)"))
        }
        let token: [UInt8] = [[], [0], [0xFF, 0xFF, 0xFF], Array(repeating: 0xFF, count: 200)][kind]
        for order in [ListQuery.Order.identifier, .nextFireDate] {
            let pending = try await test.pendingPage { query in
                query.order = order
                query.token = token
            }
            #expect(!pending.entries.contains { $0.request.identifier == "neighbor" })
        }
        for order in [ListQuery.Order.identifier, .newestFirst] {
            let delivered = try await test.deliveredPage { query in
                query.order = order
                query.token = token
            }
            #expect(!delivered.entries.contains { $0.request.identifier == "neighbor" })
        }
    }

    @Test("Identifiers and threads that look alike are different ones")
    func alike() async throws {
        let store = try TestStore()
        try await store.authorize()
        let spellings = ["\u{E9}", "e\u{301}"]
        for text in spellings {
            try await store.add(.titled(text) { $0.threadIdentifier = text })
            try await store.add(.titled(text, in: .seconds(60)) { $0.threadIdentifier = text })
        }
        func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
        for text in spellings {
            for order in [ListQuery.Order.identifier, .nextFireDate] {
                let pending = try await store.pending {
                    $0.identifiers = [text]
                    $0.order = order
                }
                #expect(bytes(pending.map(\.request.identifier)) == bytes([text]))
            }
            for order in [ListQuery.Order.identifier, .newestFirst] {
                let delivered = try await store.delivered {
                    $0.threadIdentifier = text
                    $0.order = order
                }
                #expect(bytes(delivered.map(\.request.identifier)) == bytes([text]))
            }
        }
        let both = try await store.pending { $0.identifiers = spellings + spellings }
        #expect(both.count == 2)
    }
}
