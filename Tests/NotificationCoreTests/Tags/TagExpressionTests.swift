internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Tag expressions (§23.2)")
struct TagExpressionTests {
    @Test(
        "An expression is right for exactly the devices that it describes (AZ-7, AZ-8)",
        arguments: [
            ("", ["", "a", "a b"], []),
            ("a", ["a", "a b"], ["", "b", "A", "aa"]),
            ("!a", ["", "b"], ["a", "a b"]),
            ("!!a", ["a"], ["", "b"]),
            ("a && b", ["a b", "a b c"], ["", "a", "b"]),
            ("a||b", ["a", "b", "a b"], ["", "c"]),
            // ! before && before ||, each from left to right.
            ("a || b && c", ["a", "b c"], ["b", "c"]),
            ("a && b || c", ["a b", "c"], ["a", "b"]),
            ("!a && b", ["b"], ["", "a", "a b"]),
            ("!a || b", ["", "b", "a b"], ["a"]),
            ("!(a || b)", ["", "c"], ["a", "b", "a b"]),
            ("(a || b) && c", ["a c", "b c"], ["a", "b", "c", "a b"]),
            ("((a))", ["a"], [""]),
            (
                "\t( follows_RedSox||follows_Cardinals )&&location_Boston\n",
                ["follows_RedSox location_Boston"], ["follows_RedSox", "location_Boston"]
            ),
            (
                "location_Boston && !follows_Cardinals",
                ["location_Boston"], ["location_Boston follows_Cardinals"]
            ),
            // An operator's characters part tags; - and : do not (AZ-2).
            ("a-b:c&&d@e#f.g", ["a-b:c d@e#f.g"], ["a b"]),
            ("username:ana", ["username:ana"], ["username:Ana", "username"]),
        ] as [(String, [String], [String])]
    )
    func meaning(text: String, fitting: [String], others: [String]) throws {
        let expression = try TagExpression(text)
        #expect(expression.text == text)
        for tags in fitting { #expect(expression.fits(tags), "\(text) for \(tags)") }
        for tags in others { #expect(!expression.fits(tags), "\(text) for \(tags)") }
    }

    @Test("A device can be named, alone and among tags (AZ-5)")
    func device() throws {
        let one = try TagExpression("$InstallationId:{phone-1}")
        #expect(one.matches(device: "phone-1", tags: []))
        #expect(!one.matches(device: "phone-2", tags: ["phone-1", "InstallationId"]))
        let others = try TagExpression("news && !$InstallationId:{phone-1}")
        #expect(!others.matches(device: "phone-1", tags: ["news"]))
        #expect(others.matches(device: "phone-2", tags: ["news"]))
    }

    @Test(
        "What cannot be read is refused with the place (AZ-9)",
        arguments: [
            (" ", 1), ("a b", 2), ("a &", 2), ("a & b", 2), ("a &&", 4), ("&& a", 0),
            ("a || || b", 5), ("a | b", 2), ("(a", 0), ("a)", 1), ("((a)", 0), ("()", 1),
            ("!", 1), ("a!b", 1), ("a (b)", 2), ("ä", 0), ("a && $b", 5), ("a\0", 1),
            ("$InstallationId:{", 16), ("$InstallationId:{}", 17), ("$InstallationId:{a b}", 17),
            ("$installationId:{a}", 0), ("a && b\u{0301}", 6),
            (String(repeating: "a", count: 121), 0),
            (String(repeating: " ", count: 4_096) + "a", 4_096),
        ]
    )
    func unreadable(text: String, position: Int) {
        let fault = #expect(throws: TagExpressionFault.self) { try TagExpression(text) }
        #expect(fault?.position == position, "\(fault?.problem ?? "")")
    }

    @Test("20 tags with || alone, 6 otherwise; each place where one stands counts (AZ-7, AZ-9)")
    func limits() throws {
        func joined(_ count: Int, _ operators: String) -> String {
            Array(repeating: "a", count: count).joined(separator: operators)
        }
        #expect(try TagExpression(joined(20, "||")).steps.count == 39)
        #expect(try TagExpression(joined(6, "&&")).steps.count == 11)
        #expect(throws: TagExpressionFault(position: 60, problem: "has more than 20 tags")) {
            try TagExpression(joined(21, "||"))
        }
        #expect(throws: TagExpressionFault(position: 18, problem: "has more than 6 tags")) {
            try TagExpression(joined(7, "&&"))
        }
        #expect(throws: TagExpressionFault.self) { try TagExpression("!" + joined(7, "||")) }
        let named = Array(repeating: "$InstallationId:{a}", count: 21).joined(separator: "||")
        #expect(throws: TagExpressionFault.self) { try TagExpression(named) }
    }

    @Test("Nesting as deep as an expression is long is read without recursion")
    func depth() throws {
        let depth = 2_047
        let nested =
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        #expect(try TagExpression(nested).fits("a"))
        let negated = String(repeating: "!", count: 4_095) + "a"
        #expect(try !TagExpression(negated).fits("a"))
    }

    @Test("Random expressions mean what a tree of them means")
    func random() throws {
        var random = SeededGenerator()
        for _ in 0..<20_000 {
            let tree = Tree.random(tags: Int.random(in: 1...6, using: &random), &random)
            let text = tree.text(within: 0, &random)
            let expression = try TagExpression(text)
            // Every set of the four tags.
            for set in 0..<16 {
                let tags = (0..<4).filter { set & 1 << $0 != 0 }.map { Tree.names[$0] }
                let expected = tree.fits(Set(tags.map(\.utf8.first)))
                let found = expression.matches(device: "phone", tags: tags)
                guard found == expected else {
                    Issue.record("\(text) for \(tags): \(found), seed \(random.seed)")
                    return
                }
                try checkAnchor(of: expression, tags, found)
            }
        }
    }

    private func checkAnchor(
        of expression: TagExpression,
        _ tags: [String],
        _ isFitting: Bool
    ) throws {
        let anchor = expression.anchor { step in step == .tag("a") ? 100 : 1 }
        guard isFitting, case .anyOf(let steps) = anchor else { return }
        #expect(steps.contains { step in tags.contains { step == .tag($0) } })
    }

    @Test("The devices are looked for by the rarest tag that all of them need")
    func anchor() throws {
        func anchor(_ text: String) throws -> TagExpression.Anchor {
            try TagExpression(text).anchor { step in step == .tag("many") ? 1_000 : 10 }
        }
        #expect(try anchor("") == .none)
        #expect(try anchor("!a") == .none)
        #expect(try anchor("many && a") == .anyOf([.tag("a")]))
        #expect(try anchor("a && many") == .anyOf([.tag("a")]))
        #expect(try anchor("many && !a") == .anyOf([.tag("many")]))
        #expect(try anchor("a || b || a") == .anyOf([.tag("a"), .tag("b")]))
        #expect(try anchor("(a || many) && (b || c)") == .anyOf([.tag("b"), .tag("c")]))
        #expect(try anchor("a || !b") == .none)
        let device = try anchor("many && $InstallationId:{phone}")
        #expect(device == .anyOf([.device("phone")]))
    }
}

extension TagExpression {
    /// Whether the expression is right for the tags that stand in `tags` with spaces between them.
    fileprivate func fits(_ tags: String) -> Bool {
        matches(device: "phone", tags: tags.split(separator: " ").map(String.init))
    }
}

/// An expression as a tree: it is evaluated by its shape, and written with more parentheses and
/// spaces than it needs.
private indirect enum Tree {
    case tag(Int)
    case not(Tree)
    case and(Tree, Tree)
    case or(Tree, Tree)

    static let names = ["a", "b", "c", "d"]

    static func random(tags: Int, _ random: inout SeededGenerator) -> Tree {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return .not(.random(tags: tags, &random))
        }
        guard tags > 1 else { return .tag(Int.random(in: 0..<4, using: &random)) }
        let left = Int.random(in: 1..<tags, using: &random)
        let children = (Tree.random(tags: left, &random), Tree.random(tags: tags - left, &random))
        return Bool.random(using: &random)
            ? .and(children.0, children.1) : .or(children.0, children.1)
    }

    func fits(_ tags: Set<UInt8?>) -> Bool {
        switch self {
        case .tag(let index): tags.contains(UInt8(ascii: "a") + UInt8(index))
        case .not(let tree): !tree.fits(tags)
        case .and(let left, let right): left.fits(tags) && right.fits(tags)
        case .or(let left, let right): left.fits(tags) || right.fits(tags)
        }
    }

    func text(within rank: Int, _ random: inout SeededGenerator) -> String {
        func space() -> String { Bool.random(using: &random) ? " " : "" }
        let (own, text): (Int, String) =
            switch self {
            case .tag(let index): (4, Self.names[index])
            case .not(let tree): (3, "!" + space() + tree.text(within: 3, &random))
            case .and(let left, let right):
                (
                    2,
                    left.text(within: 2, &random) + space() + "&&" + space()
                        + right.text(within: 2, &random)
                )
            case .or(let left, let right):
                (
                    1,
                    left.text(within: 1, &random) + space() + "||" + space()
                        + right.text(within: 1, &random)
                )
            }
        let isBare = own >= rank && Int.random(in: 0..<4, using: &random) > 0
        return isBare ? text : "(" + space() + text + space() + ")"
    }
}
