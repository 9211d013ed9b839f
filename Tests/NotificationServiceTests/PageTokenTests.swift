internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("Page tokens belong to one list")
struct PageTokenTests {
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
        arguments: [[0], [0xFF, 0, 0x0A], [UInt8](repeating: 7, count: 264)]
    )
    func roundTrip(position: [UInt8]) throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query())
        #expect(try tokens.position(tokens.text(position)) == position)
    }

    @Test("There is no token at the end of a list, nor before its beginning")
    func noToken() throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query())
        #expect(tokens.text(nil) == "")
        #expect(try tokens.position("") == nil)
    }

    @Test(
        "A token of another list is refused",
        arguments: [
            PageTokens(rpc: "ListDelivered", query()),
            PageTokens(rpc: "ListPending", query("org.example.other")),
            PageTokens(rpc: "ListPending", query { $0.order = .nextFireDate }),
            PageTokens(rpc: "ListPending", query { $0.threadIdentifier = "" }),
            PageTokens(rpc: "ListPending", query { $0.categoryIdentifier = "" }),
            PageTokens(rpc: "ListPending", query { $0.identifiers = ["a"] }),
        ]
    )
    func otherList(other: PageTokens) throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query())
        expectRefused(other.text([1, 2, 3]), by: tokens)
        expectRefused(tokens.text([1, 2, 3]), by: other)
    }

    @Test("Filters that differ in where a text ends are different lists")
    func boundaries() {
        let one = PageTokens(rpc: "ListPending", Self.query { $0.identifiers = ["ab", "c"] })
        let other = PageTokens(rpc: "ListPending", Self.query { $0.identifiers = ["a", "bc"] })
        expectRefused(one.text([1]), by: other)
    }

    @Test("The page size may change from page to page")
    func pageSize() throws {
        let one = PageTokens(rpc: "ListPending", Self.query { $0.pageSize = 1 })
        let other = PageTokens(rpc: "ListPending", Self.query { $0.pageSize = 1_000 })
        #expect(try other.position(one.text([1])) == [1])
    }

    @Test("A token with any character changed, added or left out is refused")
    func changed() throws {
        let tokens = PageTokens(rpc: "ListPending", Self.query())
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

    @Test("A position that is longer than any is refused, though its checksum is right")
    func tooLong() {
        let tokens = PageTokens(rpc: "ListPending", Self.query())
        expectRefused(tokens.text([UInt8](repeating: 7, count: 265)), by: tokens)
    }

    private func expectRefused(_ token: String, by tokens: PageTokens) {
        let refusal = #expect(throws: Refusal.self, "\(token)") { try tokens.position(token) }
        #expect(refusal?.reason == "PAGE_TOKEN_INVALID")
        #expect(refusal?.fields.map(\.path) == ["page_token"])
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
