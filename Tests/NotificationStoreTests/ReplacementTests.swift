internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@Suite("The replacement matrix (§6.3)")
struct ReplacementTests {
    /// The state of an identifier, the added request, and the state after it.
    struct Cell: Sendable, CustomTestStringConvertible {
        let pending: Bool
        let delivered: Bool
        let isLater: Bool
        /// The bodies of the pending request after it, and of the delivered one.
        let after: (pending: String?, delivered: String?)
        /// The delivered body once everything fired.
        let end: String

        var testDescription: String {
            let existing =
                switch (pending, delivered) {
                case (false, false): "nothing"
                case (true, false): "pending"
                case (false, true): "delivered"
                case (true, true): "both"
                }
            return "\(existing), add(X, trigger \(isLater ? "later" : "nil"))"
        }
    }

    @Test(
        "What an add replaces",
        arguments: [
            Cell(
                pending: false,
                delivered: false,
                isLater: false,
                after: (nil, "new"),
                end: "new"
            ),
            Cell(pending: false, delivered: false, isLater: true, after: ("new", nil), end: "new"),
            Cell(pending: true, delivered: false, isLater: false, after: (nil, "new"), end: "new"),
            Cell(pending: true, delivered: false, isLater: true, after: ("new", nil), end: "new"),
            Cell(pending: false, delivered: true, isLater: false, after: (nil, "new"), end: "new"),
            Cell(
                pending: false,
                delivered: true,
                isLater: true,
                after: ("new", "delivered"),
                end: "new"
            ),
            Cell(pending: true, delivered: true, isLater: false, after: (nil, "new"), end: "new"),
            Cell(
                pending: true,
                delivered: true,
                isLater: true,
                after: ("new", "delivered"),
                end: "new"
            ),
        ]
    )
    func cell(cell: Cell) async throws {
        let test = try TestStore()
        try await test.authorize()
        if cell.delivered { try await test.add(.titled("X") { $0.body = "delivered" }) }
        try await test.add(.titled("other"))
        try await test.add(.titled("other pending", in: .seconds(1_000)))
        if cell.pending {
            try await test.add(.titled("X", in: .seconds(100)) { $0.body = "pending" })
        }
        let interval = cell.isLater ? Duration.seconds(200) : nil
        try await test.add(.titled("X", in: interval) { $0.body = "new" })

        try await expect(test, pending: cell.after.pending, delivered: cell.after.delivered)
        if cell.after.delivered == "new" {
            // Re-alerted and moved to the top.
            #expect(try await test.delivered().first?.request.identifier == "X")
        }
        #expect(try await test.advance(by: .seconds(300)).firedCount == (cell.isLater ? 1 : 0))
        try await expect(test, pending: nil, delivered: cell.end)
        #expect(try await test.delivered().first?.request.identifier == "X")
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test(
        "What a push with its collapse id replaces: what is delivered, and nothing that is pending",
        arguments: [false, true],
        [false, true]
    )
    func push(isPending: Bool, isDelivered: Bool) async throws {
        let test = try TestStore()
        try await test.authorize()
        if isDelivered { try await test.add(.titled("X") { $0.body = "delivered" }) }
        try await test.add(.titled("other"))
        try await test.add(.titled("other pending", in: .seconds(1_000)))
        if isPending {
            try await test.add(.titled("X", in: .seconds(100)) { $0.body = "pending" })
        }
        var headers = PushHeaders()
        headers.collapseIdentifier = "X"
        let push = try Push(headers, payload: #"{"aps":{"alert":{"body":"new"}}}"#, at: .newYear)
        _ = try await test.result {
            $0.push(push, to: .center(test.center), as: .random(), completion: $1)
        }.get()

        try await expect(test, pending: isPending ? "pending" : nil, delivered: "new")
        #expect(try await test.delivered().first?.request.identifier == "X")
        #expect(try await test.advance(by: .seconds(300)).firedCount == (isPending ? 1 : 0))
        try await expect(test, pending: nil, delivered: isPending ? "pending" : "new")
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    private func expect(
        _ test: TestStore,
        pending: String?,
        delivered: String?
    ) async throws {
        let pendingNow = try await test.pending().filter { $0.request.identifier == "X" }
        #expect(pendingNow.map(\.request.content.body) == [pending].compactMap(\.self))
        let deliveredNow = try await test.delivered().filter { $0.request.identifier == "X" }
        #expect(deliveredNow.map(\.request.content.body) == [delivered].compactMap(\.self))
        let state = try test.state()
        #expect(state.pendingCount == pendingNow.count + 1)
        #expect(state.deliveredCount == deliveredNow.count + 1)
    }
}
