internal import Foundation
internal import NotificationProtocol
internal import Testing

@testable internal import belfry

@Suite("A search in the notification center")
struct CenterSearchTests {
    private typealias F = CenterFixtures

    private let renderer = CenterRenderer(dates: DateText(now: CenterFixtures.start, zone: .gmt))

    private func lines(_ screen: CenterScreen, rows: Int = 10, columns: Int = 40) -> [String] {
        renderer.lines(screen, rows: rows, columns: columns).map(\.text)
    }

    private func press(_ keys: String, in screen: inout CenterScreen) {
        let special: [Character: Key] = ["⏎": .enter, "⌫": .backspace, "⎋": .escape, "↓": .down]
        for key in keys { #expect(screen.press(special[key] ?? .character(key)) == nil) }
    }

    private func shown(_ screen: CenterScreen) -> [String] {
        screen.list.shown.flatMap(\.notifications).map(\.notification.identifier)
    }

    /// Two messages of a group, a text in each of some scripts, and another app.
    private func screen() -> CenterScreen {
        let texts = ["Grüße aus Köln", "会議は三時です", "שלום עולם", "ﾃｽﾄ ＡＢＣ"]
        let notes = texts.enumerated().map { place, text in
            F.notification("n\(place)", app: "org.example.world", name: "World") { $0.title = text }
        }
        let messages = F.messages().list.groups
        return F.screen(
            F.snapshot { $0.groups = messages + notes.map { F.group($0.title, [$0]) } }
        )
    }

    @Test(
        "It finds words of texts and of apps, in each form of a letter",
        arguments: [
            ("title", ["b", "a", "t"]), ("TITLE mess", ["b", "a"]), ("tea", ["t"]),
            ("body  mess", ["b", "a"]), ("gruße", ["n0"]), ("köln world", ["n0"]), ("会議", ["n1"]),
            ("עולם", ["n2"]), ("テスト", ["n3"]), ("abc", ["n3"]), ("nothing", []),
            ("  ", ["b", "a", "t", "n0", "n1", "n2", "n3"]), ("world messages", []),
        ]
    )
    func finds(_ words: String, _ expected: [String]) {
        var screen = screen()
        press("/" + words, in: &screen)
        #expect(shown(screen) == expected)
        #expect(lines(screen)[8].hasPrefix("\(expected.count) found: "))
        #expect(lines(screen)[8].hasSuffix("\(words)▏"))
        #expect(screen.rows.isEmpty == expected.isEmpty)
    }

    @Test("Enter keeps what is found, escape ends the search, and the person stays where they are")
    func modes() {
        var screen = screen()
        let all = shown(screen)
        press("/titlez⌫", in: &screen)
        #expect(shown(screen) == ["b", "a", "t"])
        // Each of a group is there, of which the first is selected.
        #expect(screen.selection == .notification(F.reference("b", 2)))
        press("↓", in: &screen)
        #expect(screen.selection == .notification(F.reference("a")))
        press("⏎", in: &screen)
        #expect(shown(screen) == ["b", "a", "t"])
        #expect(lines(screen)[1] == "3 found: “title”")
        press(" ", in: &screen)
        #expect(screen.note?.isError == true)
        press("x", in: &screen)
        #expect(shown(screen) == ["b", "t"])
        press("/ mess⏎", in: &screen)
        #expect(shown(screen) == ["b"])
        press("X", in: &screen)
        #expect(lines(screen)[8] == "Dismiss the 1 found?")
        press("X", in: &screen)
        #expect(lines(screen).contains("   Nothing found."))
        press("⎋", in: &screen)
        #expect(shown(screen) == all.filter { $0 != "a" && $0 != "b" })
        screen.pass(to: F.start)
        let gone = [F.reference("a"), F.reference("b", 2)]
        #expect(screen.pass(to: F.start + 5) == .dismiss(gone))
        press("/会議⎋", in: &screen)
        #expect(screen.mode == .browsing)
        #expect(screen.list.search.isEmpty)
    }

    @Test("What comes while a search is on is listed if it is found")
    func arrivals() {
        var screen = screen()
        press("/tea⏎", in: &screen)
        let tea = F.notification("u", 2, app: "org.example.tea", name: "Tea", after: 90)
        let other = F.notification("o", 3, after: 91)
        let group = F.group("tea", [tea] + F.messages().list.groups[1].notifications)
        let frames = [F.added(tea, to: group), F.added(other, to: F.group("o", [other]))]
        _ = screen.apply(frames, at: F.start)
        #expect(shown(screen) == ["u", "t"])
    }

    @Test("It fits into small terminals, also what is wide or from right to left")
    func small() {
        for words in ["שלום", "会議は三", String(repeating: "界", count: 60), "title"] {
            for (rows, columns) in [(10, 40), (3, 12), (1, 1), (24, 80)] {
                var screen = screen()
                press("/" + words, in: &screen)
                for key in ["", "⏎"] {
                    press(key, in: &screen)
                    let lines = lines(screen, rows: rows, columns: columns)
                    #expect(lines.count == rows)
                    #expect(lines.allSatisfy { $0.columns <= columns })
                }
            }
        }
        var screen = screen()
        press("/" + String(repeating: "界", count: 60), in: &screen)
        // The end of what is typed shows, and a wide letter is not cut.
        let rest = String(repeating: "界", count: 15)
        #expect(lines(screen)[8] == "0 found: \(rest)▏")
        press("⎋/שלום⏎", in: &screen)
        #expect(lines(screen)[1] == "1 found: “שלום”")
        #expect(lines(screen).contains("   שלום עולם"))
    }
}
