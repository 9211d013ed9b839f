internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("Page tokens belong to one list")
struct PageTokenTests {
    private static let key = PageTokenKey()

    private static func query(
        _ app: String = "org.example.app",
        _ change: (inout ListQuery) -> Void = { _ in }
    ) -> ListQuery {
        var query = ListQuery(center: .local(app))
        change(&query)
        return query
    }

    @Test(
        "A token gives its position back",
        arguments: [[0], [0xFF, 0, 0x0A], [UInt8](repeating: 7, count: 4_096)]
    )
    func roundTrip(position: [UInt8]) throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query(), Self.key)
        #expect(try tokens.position(tokens.text(position)) == position)
    }

    @Test("There is no token at the end of a list, nor before its beginning")
    func noToken() throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query(), Self.key)
        #expect(tokens.text(nil) == "")
        #expect(try tokens.position("") == nil)
    }

    @Test(
        "A token of another list is refused",
        arguments: [
            PageTokens(rpc: "ListDelivered", query(), key),
            PageTokens(rpc: "ListPending", query("org.example.other"), key),
            PageTokens(rpc: "ListPending", query { $0.order = .nextFireDate }, key),
            PageTokens(rpc: "ListPending", query { $0.threadIdentifier = "" }, key),
            PageTokens(rpc: "ListPending", query { $0.categoryIdentifier = "" }, key),
            PageTokens(rpc: "ListPending", query { $0.identifiers = ["a"] }, key),
        ]
    )
    func otherList(other: PageTokens) throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query(), Self.key)
        expectRefused(other.text([1, 2, 3]), by: tokens)
        expectRefused(tokens.text([1, 2, 3]), by: other)
    }

    @Test("Filters that differ in where a text ends are different lists")
    func boundaries() {
        let one = PageTokens(
            rpc: "ListPending",
            Self.query { $0.identifiers = ["ab", "c"] },
            Self.key
        )
        let other = PageTokens(
            rpc: "ListPending",
            Self.query { $0.identifiers = ["a", "bc"] },
            Self.key
        )
        expectRefused(one.text([1]), by: other)
    }

    @Test("The page size may change from page to page")
    func pageSize() throws {
        let one = PageTokens(rpc: "ListPending", Self.query { $0.pageSize = 1 }, Self.key)
        let other = PageTokens(rpc: "ListPending", Self.query { $0.pageSize = 1_000 }, Self.key)
        #expect(try other.position(one.text([1])) == [1])
    }

    @Test("A token with any character changed, added or left out is refused")
    func changed() throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query(), Self.key)
        let token = tokens.text([0, 1, 2])
        for index in token.indices {
            let digit = token[index] == "0" ? "1" : "0"
            expectRefused(
                token.replacingCharacters(in: index...index, with: digit),
                by: tokens
            )
        }
        for other in [token + "00", token + "0", String(token.dropLast(2)), token.uppercased()] {
            expectRefused(other == token ? "G" + token : other, by: tokens)
        }
    }

    @Test("A token that another store gave is refused")
    func otherStore() {
        let tokens = PageTokens(rpc: "ListPending", Self.query(), Self.key)
        let others = PageTokens(rpc: "ListPending", Self.query(), PageTokenKey())
        expectRefused(others.text([1, 2, 3]), by: tokens)
    }

    @Test("A position that is longer than any is refused, though its code is right")
    func tooLong() {
        let tokens = PageTokens(rpc: "ListPending", Self.query(), Self.key)
        expectRefused(tokens.text([UInt8](repeating: 7, count: 4_097)), by: tokens)
    }

    private func expectRefused(_ token: String, by tokens: PageTokens) {
        let refusal = #expect(throws: Refusal.self, "\(token)") { try tokens.position(token) }
        #expect(refusal?.reason == .pageTokenInvalid)
        #expect(refusal?.fields.map(\.path) == [.written("page_token")])
    }
}

extension String {
    fileprivate func replacingCharacters(
        in range: ClosedRange<Index>,
        with text: String
    ) -> String {
        var result = self
        result.replaceSubrange(range, with: text)
        return result
    }
}
