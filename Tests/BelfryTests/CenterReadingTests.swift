internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

@Suite("What does not fit into the notification center's terminal, and what is typed there")
struct CenterReadingTests {
    private typealias F = CenterFixtures

    private let renderer = CenterRenderer(
        dates: DateText(now: CenterFixtures.start, zone: .gmt)
    )

    private func lines(_ screen: CenterScreen, rows: Int = 24, columns: Int = 80) -> [String] {
        renderer.lines(screen, rows: rows, columns: columns).map(\.text)
    }

    private func press(_ keys: [Key], in screen: inout CenterScreen) -> [CenterIntent] {
        keys.compactMap { screen.press($0) }
    }

    private func keys(_ text: String) -> [Key] { text.map { .character($0) } }

    /// Three alerts of five lines each over a list.
    private func alerts() -> CenterScreen {
        var screen = F.messages()
        for number in 1...3 {
            let alert = F.notification("alert\(number)", UInt64(10 + number)) {
                $0.subtitle = "Subtitle"
                $0.actions = F.actions
            }
            _ = screen.apply(F.banner(alert, .alert), at: F.start)
        }
        return screen
    }

    @Test("Banners that do not fit are cut, and each is there", arguments: [(24, 80), (12, 40)])
    func cutBanners(rows: Int, columns: Int) {
        let screen = alerts()
        let lines = lines(screen, rows: rows, columns: columns)
        #expect(lines.count == rows)
        for number in 1...3 {
            #expect(lines.contains { $0.contains("┃") && $0.contains("Title alert\(number)") })
        }
        #expect(lines.count { $0.hasPrefix(" ┃") && $0.hasSuffix(" …") } > 0)
        // The list keeps its place.
        #expect(lines.contains { $0.hasPrefix("❯  Messages") })
    }

    @Test("The banner that is selected is whole")
    func selectedBanner() {
        var screen = alerts()
        _ = press([.home, .down], in: &screen)
        let lines = lines(screen, rows: 12, columns: 60)
        #expect(lines.contains { $0.hasPrefix("❯┃ ") })
        #expect(lines.contains { $0.contains("┃ Body alert2") })
        #expect(lines.contains { $0.contains("┃ [1] Reply…") })
    }

    @Test("Marks count what is above and below")
    func marks() {
        let groups = (0..<30).map { number in
            F.group("g\(number)", [F.notification("n\(number)", after: -Int64(number))])
        }
        var screen = F.screen(F.snapshot { $0.groups = groups })
        #expect(lines(screen, rows: 12)[10] == "   ↓ 28 below")
        #expect(!lines(screen, rows: 12).contains { $0.contains("above") })
        for _ in 0..<15 { _ = screen.press(.down) }
        let middle = lines(screen, rows: 12)
        let numbers = [middle[1], middle[10]].map { line in
            Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
        }
        let shown = middle.count { $0.contains("Body n") }
        #expect(numbers.reduce(shown, +) == 30, "\(middle)")
        _ = screen.press(.end)
        #expect(!lines(screen, rows: 12).contains { $0.contains("below") })
        #expect(lines(screen, rows: 12)[1].hasPrefix("   ↑ 2"))
    }

    @Test("What is open is read to its end, at 24 lines and at 12", arguments: [24, 12])
    func reading(rows: Int) {
        var screen = F.messages()
        screen.open(
            .with {
                $0.presentationID = "p"
                $0.notification = F.notification("long") {
                    $0.body = (1...100).map { "line \($0)" }.joined(separator: "\n")
                }
                $0.actions = F.actions
            }
        )
        #expect(lines(screen, rows: rows).contains("   line 1"))
        var seen: Set<String> = []
        for _ in 0..<110 {
            let lines = lines(screen, rows: rows)
            seen.formUnion(lines)
            // The buttons stay.
            #expect(lines.contains { $0.contains("[1] Reply…") })
            _ = screen.press(.down)
            let limit = renderer.scrollLimit(screen, rows: rows, columns: 80)
            screen.look.scroll = min(screen.look.scroll, limit)
        }
        for number in 1...100 { #expect(seen.contains("   line \(number)"), "\(number)") }
        #expect(lines(screen, rows: rows).contains("   line 100"))
        _ = screen.press(.home)
        #expect(lines(screen, rows: rows).contains("   line 1"))
    }

    @Test("A body has its lines, and what joins its letters")
    func newlines() {
        let family = "👨\u{200D}👩\u{200D}👧"
        let persian = "می\u{200C}خواهم"
        let body = "\(family)\n\(persian)\r\nthird"
        let screen = F.screen(
            F.snapshot { $0.groups = [F.group("g", [F.notification("x") { $0.body = body }])] }
        )
        let lines = lines(screen)
        let place = lines.firstIndex { $0.contains(family) } ?? 0
        #expect(lines[place + 1] == "   " + persian)
        #expect(lines[place + 2] == "   third")
        #expect(
            CenterRenderer.wrapped(body, columns: 20, lines: 2).map(\.text).last == persian + "…"
        )
        let page = renderer.page(screen, columns: nil).map(\.text)
        #expect(page.suffix(2) == ["   " + persian, "   third"])
    }

    @Test("The keys fit, and the help has them all", arguments: [80, 60, 40])
    func footer(columns: Int) {
        var screen = F.messages()
        let last = lines(screen, columns: columns).last ?? ""
        #expect(last.columns <= columns && last.hasSuffix("? help  q quit"), "\(last)")
        #expect(!last.contains("…"))
        #expect(screen.press(.character("?")) == nil)
        var seen: [String] = []
        for _ in CenterKeys.lines(columns: columns - 3) {
            seen += lines(screen, rows: 12, columns: columns)
            _ = screen.press(.down)
        }
        for (key, _) in CenterKeys.all { #expect(seen.contains { $0.hasPrefix("   " + key) }) }
        #expect(screen.press(.character("x")) == nil)
        #expect(screen.mode == .browsing)
    }

    @Test(
        "The line of a reply is edited",
        arguments: [
            ([.left, .left, .character("x")], "on my wx", "ay"),
            ([.home, .delete, .character("O")], "O", "n my way"),
            ([.wordLeft, .wordLeft, .backspace], "on", "my way"),
            ([.home, .wordRight, .wordRight], "on my", " way"),
            ([.home, .end, .right, .right, .delete], "on my way", ""),
            ([.home, .left, .backspace, .wordLeft], "", "on my way"),
            ([.home, .eraseLine], "", ""),
        ] as [([Key], String, String)]
    )
    func editing(_ edits: [Key], _ before: String, _ after: String) {
        var screen = F.messages()
        _ = press([.character("r")] + keys("on my way") + edits, in: &screen)
        guard case .replying(let reply) = screen.mode else {
            Issue.record("no reply is typed")
            return
        }
        #expect([reply.typed.before, reply.typed.after] == [before, after])
        #expect(
            lines(screen)[22] == "Send: \(before)▏\(after)"
                + (reply.typed.text.isEmpty ? "Message" : "")
        )
    }

    @Test("A long reply shows where the cursor is", arguments: [80, 40, 20])
    func longReply(columns: Int) {
        var screen = F.messages()
        let text = String(repeating: "0123456789", count: 30)
        _ = press([.character("r")] + keys(text), in: &screen)
        #expect(lines(screen, columns: columns)[22].hasSuffix("789▏"))
        _ = press(Array(repeating: .left, count: 100), in: &screen)
        #expect(lines(screen, columns: columns)[22].contains("9▏0"))
        _ = screen.press(.home)
        #expect(lines(screen, columns: columns)[22].hasPrefix("Send: ▏012"))
    }

    @Test("A reply is not lost when the server is away")
    func keptReply() {
        var screen = F.messages()
        screen.lose(because: "it does not answer")
        #expect(press([.character("r")] + keys("Yes") + [.enter], in: &screen) == [])
        #expect(lines(screen)[22] == "Send: Yes▏")
        #expect(lines(screen)[23].contains("The server is away"))
        screen.connection = .live
        let sent = press([.enter], in: &screen)
        #expect(sent == [.respond(F.reference("b", 2), F.reply("Yes"))])
        // The banner went away meanwhile.
        screen.fail(sent[0], because: "No server answers.")
        #expect(lines(screen)[22].contains("No server answers. Your text is kept"))
        #expect(
            press([.character("r"), .character("!"), .enter], in: &screen)
                == [.respond(F.reference("b", 2), F.reply("Yes!"))]
        )
        // The reply does not come again once it was sent.
        #expect(
            press([.character("r"), .enter], in: &screen)
                == [.respond(F.reference("b", 2), F.reply(""))]
        )
    }
}
