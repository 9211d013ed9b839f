internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Lists over the wire (W-8)")
struct ListTests {
    let service: TestService

    init() throws { service = try TestService() }

    private func pendingPages(
        _ center: NotificationCenterClient,
        _ filter: Belfry_V1_NotificationFilter = .init(),
        order: Belfry_V1_PendingOrder,
        size: Int32
    ) async throws -> [[String]] {
        var pages: [[String]] = []
        var token = ""
        repeat {
            let page = try await center.listPending(
                filter,
                order: order,
                pageSize: size,
                pageToken: token
            )
            pages.append(page.requests.map(\.request.identifier))
            token = page.nextPageToken
        } while !token.isEmpty
        return pages
    }

    @Test(
        "Pending requests come page by page, each once, by identifier or by date",
        arguments: [
            (.identifier, ["a", "b", "c", "d", "e"]),
            (.nextTriggerDate, ["e", "d", "c", "b", "a"]),
        ] as [(Belfry_V1_PendingOrder, [String])],
        [1, 2, 5, 6]
    )
    func pending(
        row: (order: Belfry_V1_PendingOrder, expected: [String]),
        size: Int32
    ) async throws {
        let center = try await service.authorizedCenter()
        for (index, identifier) in ["e", "d", "c", "b", "a"].enumerated() {
            try await center.add(identifier, in: .seconds(index + 1))
        }
        let pages = try await pendingPages(center, order: row.order, size: size)
        #expect(pages.flatMap(\.self) == row.expected)
        #expect(pages.allSatisfy { $0.count <= size })
    }

    @Test(
        "Delivered notifications come page by page, each once, by identifier or newest first",
        arguments: [
            (.identifier, ["a", "b", "c", "d"]), (.newestFirst, ["c", "a", "d", "b"]),
        ] as [(Belfry_V1_DeliveredOrder, [String])],
        [1, 3, 4]
    )
    func delivered(
        row: (order: Belfry_V1_DeliveredOrder, expected: [String]),
        size: Int32
    ) async throws {
        let center = try await service.authorizedCenter()
        for identifier in ["b", "d", "a", "c"] { try await center.add(identifier) }
        var found: [String] = []
        var token = ""
        repeat {
            let page = try await center.listDelivered(
                order: row.order,
                pageSize: size,
                pageToken: token
            )
            #expect(page.notifications.count <= size)
            #expect(page.asOfEvent == 5)
            found += page.notifications.map(\.request.identifier)
            token = page.nextPageToken
        } while !token.isEmpty
        #expect(found == row.expected)
    }

    @Test(
        "A filter holds what satisfies all of it",
        arguments: [
            (#"{}"#, ["a", "b", "c"]), (#"{"identifiers":["c","a","x"]}"#, ["a", "c"]),
            (#"{"threadIdentifier":"t"}"#, ["a", "b"]), (#"{"threadIdentifier":""}"#, ["c"]),
            (#"{"categoryIdentifier":"k"}"#, ["b"]), (#"{"categoryIdentifier":""}"#, ["a", "c"]),
            (#"{"threadIdentifier":"t","identifiers":["b","c"]}"#, ["b"]),
            (#"{"threadIdentifier":"x"}"#, []),
        ]
    )
    func filter(json: String, expected: [String]) async throws {
        let center = try await service.authorizedCenter()
        for (identifier, thread, category) in [("a", "t", ""), ("b", "t", "k"), ("c", "", "")] {
            for interval in [nil, Duration.seconds(5)] {
                try await center.add(identifier, in: interval) { request in
                    request.content.threadIdentifier = thread
                    request.content.categoryIdentifier = category
                }
            }
        }
        let filter = try Belfry_V1_NotificationFilter(jsonString: json)
        for order in [Belfry_V1_PendingOrder.identifier, .nextTriggerDate] {
            let pages = try await pendingPages(center, filter, order: order, size: 1)
            #expect(pages.flatMap(\.self) == expected)
        }
        let delivered = try await center.listDelivered(filter).notifications
        #expect(delivered.map(\.request.identifier) == expected)
    }

    @Test("The pages of a list are refused to another list")
    func otherList() async throws {
        let center = try await service.authorizedCenter()
        for identifier in ["a", "b"] {
            try await center.add(identifier)
            try await center.add(identifier, in: .seconds(5))
        }
        let token = try await center.listPending(pageSize: 1).nextPageToken
        #expect(!token.isEmpty)
        let expected = Expected(.invalidArgument, "PAGE_TOKEN_INVALID", "page_token")
        expected.check(
            try await refusal { _ = try await center.listDelivered(pageToken: token) }
        )
        expected.check(
            try await refusal {
                _ = try await center.listPending(order: .nextTriggerDate, pageToken: token)
            }
        )
        expected.check(
            try await refusal {
                _ = try await center.listPending(
                    .with { $0.threadIdentifier = "" },
                    pageToken: token
                )
            }
        )
        let other = try await service.authorizedCenter("org.example.other")
        expected.check(try await refusal { _ = try await other.listPending(pageToken: token) })
        let next = try await center.listPending(pageSize: 9, pageToken: token)
        #expect(next.requests.map(\.request.identifier) == ["b"])
    }

    @Test("A page of the largest contents ends by its bytes, and fits a message")
    func largePages() async throws {
        let center = try await service.authorizedCenter()
        let body = String(repeating: "x", count: 60_000)
        for start in stride(from: 0, to: 40, by: 10) {
            let requests = (start..<start + 10).map { number in
                Belfry_V1_NotificationRequest.titled("\(number + 100)", in: .seconds(5)) {
                    $0.content.body = body
                }
            }
            for result in try await center.addBatch(requests) { _ = try result.get() }
        }
        for order in [Belfry_V1_PendingOrder.identifier, .nextTriggerDate] {
            let pages = try await pendingPages(center, order: order, size: 1_000)
            #expect(pages.flatMap(\.self).sorted() == (100..<140).map(String.init))
            #expect(pages.allSatisfy { $0.count <= 18 })
        }
    }

    @Test("A list that is too long to sort says so")
    func tooLarge() async throws {
        let service = try TestService { $0.limits.pendingSortedByDate = 1 }
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        try await center.add("a", in: .seconds(5))
        #expect(try await center.listPending(order: .nextTriggerDate).requests.count == 1)
        try await center.add("b", in: .seconds(5))
        Expected(.failedPrecondition, "LIST_TOO_LARGE", "order")
            .check(try await refusal { _ = try await center.listPending(order: .nextTriggerDate) })
        #expect(try await center.listPending().requests.count == 2)
    }

    @Test("A list followed by its event misses nothing")
    func asOfEvent() async throws {
        let center = try await service.authorizedCenter()
        try await center.add("a")
        let page = try await center.listDelivered()
        try await center.add("b")
        let stream = try await service.subscribe { $0.after = page.asOfEvent }
        let event = try await stream.events(1)
        #expect(event.map(\.delivered.notification.request.identifier) == ["b"])
    }
}
