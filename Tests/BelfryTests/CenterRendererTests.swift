internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

@Suite("The notification center as lines")
struct CenterRendererTests {
    private typealias F = CenterFixtures

    private let renderer = CenterRenderer(
        dates: DateText(now: CenterFixtures.start, zone: .gmt)
    )

    /// The lines of a terminal with the list as text, without spaces at their ends.
    private func text(_ screen: CenterScreen, rows: Int = 20, columns: Int = 72) -> String {
        let lines = renderer.lines(screen, rows: rows, columns: columns).map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
        return lines.joined(separator: "\n")
    }

    @Test("Groups with their summaries, badges, and the keys of where the person is")
    func groups() {
        #expect(
            text(F.messages(), rows: 16) == """
                local  unlocked
                Badges: Tea 2

                ❯  Messages  00:01:00
                   Title b
                   Body b
                   [1] Reply…  [2] Mute  [3] Delete
                   1 more notification from Alice

                   Tea  00:00:00
                   Title t
                   Body t



                ↑↓ move  enter open  1-9 action  r reply  x dismiss 2  ? help  q quit
                """
        )
    }

    @Test(
        "ADD-13: How much is done is a bar, which is full only when all is",
        arguments: [
            (0, 16, "░░░░░░░░░░ 0 %"), (0.25, 16, "██░░░░░░░░ 25 %"),
            (0.999, 16, "█████████░ 99 %"), (1, 16, "██████████ 100 %"), (0.5, 0, "░ 50 %"),
            (0.5, 200, "███████████████░░░░░░░░░░░░░░░ 50 %"),
        ]
    )
    func bar(row: (progress: Double, columns: Int, text: String)) {
        #expect(CenterRenderer.bar(row.progress, columns: row.columns).text == row.text)
    }

    @Test("ADD-13: The bar stands below the text")
    func progress() {
        let screen = F.screen(
            F.snapshot { $0.groups = [F.group("a", [F.notification("a") { $0.progress = 0.5 }])] }
        )
        #expect(text(screen).contains("███████████████░░░░░░░░░░░░░░░ 50 %"))
    }

    @Test("A group that is expanded, and what became of the last act")
    func expanded() {
        var screen = F.messages()
        _ = screen.press(.character(" "))
        _ = screen.press(.down)
        screen.note = CenterScreen.Note(text: "Sent.")
        #expect(
            text(screen, rows: 16, columns: 100) == """
                local  unlocked
                Badges: Tea 2

                     Messages  00:01:00
                     Title b
                     Body b

                ❯    Messages  00:00:30
                     Title a
                     Body a
                     [1] Reply…  [2] Mute  [3] Delete

                   Tea  00:00:00
                   Title t
                Sent.
                ↑↓ move  enter open  1-9 action  r reply  x dismiss  space collapse  v view  \
                l lock  ? help  q quit
                """
        )
    }

    @Test("A prompt, a banner, a Focus and a device that is locked")
    func prompt() {
        var screen = F.messages()
        _ = screen.apply(.with { $0.prompt = F.prompt("7") }, at: F.start)
        let banner = F.notification("c", 3, after: -86_400) {
            $0.actions = Array(F.actions[..<2])
            $0.interruptionLevel = .timeSensitive
        }
        _ = screen.apply(F.banner(banner), at: F.start)
        _ = screen.press(.home)
        _ = screen.press(.down)
        screen.device.locked = true
        screen.device.activeFocus.name = "Work"
        screen.device.muted = true
        #expect(
            text(screen, rows: 20) == """
                local  locked  Focus: Work  muted  1 app asks
                Badges: Tea 2

                 ┃ Messages  2025-12-31 00:00:00  Time Sensitive
                 ┃ Title c
                 ┃ Body c
                 ┃ [1] Reply…  [2] Mute

                ❯  “Tea” would like to send you notifications.
                   For: alerts, sounds
                   y Allow  n Don’t Allow

                   Messages  00:01:00
                   Title b
                   Body b
                   1 more notification from Alice

                   Tea  00:00:00
                   ↓ 1 below
                ↑↓ move  y allow  n deny  X dismiss all  l unlock  ? help  q quit
                """
        )
    }

    @Test("What is typed, and the question before all goes")
    func modes() {
        var screen = F.messages()
        _ = screen.press(.character("r"))
        #expect(text(screen).hasSuffix("\nSend: ▏Message\nenter send  esc cancel  ^U erase"))
        for letter in "Olá" { _ = screen.press(.character(letter)) }
        #expect(text(screen).hasSuffix("\nSend: Olá▏\nenter send  esc cancel  ^U erase"))
        _ = screen.press(.escape)
        _ = screen.press(.character("X"))
        #expect(
            text(screen).hasSuffix("\nDismiss all 3 notifications?\nX dismiss  any other keep")
        )
    }

    @Test("A server that is gone is told of above what was shown")
    func lost() {
        var screen = F.messages()
        screen.lose(because: "it does not answer")
        let lines = text(screen).split(separator: "\n")
        #expect(
            lines[0] == "local  unlocked  Lost the server: it does not answer. Trying again."
        )
        #expect(lines[2] == "❯  Messages  00:01:00")
    }

    @Test("No content moves the cursor or takes another line")
    func controls() {
        let evil = "a\u{1B}[2J\u{9B}31m\r\nb\u{07}\u{202E}c\u{2028}d\te"
        let notification = F.notification("x") {
            $0.appName = evil
            $0.title = evil
            $0.subtitle = evil
            $0.body = evil
            $0.actions = [.with { $0.title = evil }]
        }
        var screen = F.screen(
            F.snapshot {
                $0.groups = [F.group("g", [notification], summary: evil)]
                $0.state.activeFocus.name = evil
                $0.prompts = [.with { $0.appName = evil }]
                $0.apps = [
                    .with {
                        $0.name = evil
                        $0.badge = 1
                    }
                ]
            }
        )
        _ = screen.apply(F.banner(notification), at: F.start)
        screen.lose(because: evil)
        screen.note = CenterScreen.Note(text: evil)
        let lines =
            renderer.lines(screen, rows: 40, columns: 500) + renderer.page(screen, columns: nil)
        for scalar in lines.flatMap({ $0.text.unicodeScalars }) {
            #expect(
                ![.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
            )
        }
        #expect(lines.count { $0.text.contains("a [2J 31m  b  c d e") } >= 12)
    }

    @Test("It fits into every terminal", arguments: [1, 2, 3, 5, 8, 13, 30])
    func sizes(_ rows: Int) {
        var screen = F.messages()
        _ = screen.apply(F.banner(F.notification("界界界界", 9)), at: F.start)
        for columns in [1, 2, 3, 4, 10, 40] {
            let lines = renderer.lines(screen, rows: rows, columns: columns)
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.text.columns <= columns })
        }
    }

    @Test("The list moves so that it shows where the person is")
    func scrolling() {
        let groups = (0..<30).map { number in
            F.group("g\(number)", [F.notification("n\(number)", after: -Int64(number))])
        }
        var screen = F.screen(F.snapshot { $0.groups = groups })
        for number in 0..<30 {
            let text = text(screen, rows: 12)
            #expect(text.contains("Title n\(number)\n"), "\(number)")
            #expect(text.contains("Body n\(number)\n"), "\(number)")
            _ = screen.press(.down)
        }
        #expect(!text(screen, rows: 12).contains("Title n0\n"))
    }

    @Test("A page has all of it, and no place of a person")
    func page() {
        let lines = renderer.page(F.messages(), columns: nil).map(\.text)
        #expect(
            lines == [
                "local  unlocked", "Badges: Tea 2", "", "   Messages  00:01:00", "   Title b",
                "   Body b", "   [1] Reply…  [2] Mute  [3] Delete",
                "   1 more notification from Alice", "", "   Tea  00:00:00", "   Title t",
                "   Body t",
            ]
        )
        let empty = renderer.page(F.screen(F.snapshot()), columns: 80).map(\.text)
        #expect(empty == ["local  unlocked", "", "No notifications."])
    }

    @Test("Emphasis is only where colours are wanted")
    func colours() {
        let screen = F.messages()
        let plain = Style(isTerminal: true, environment: ["NO_COLOR": "1"])
        let coloured = Style(isTerminal: true, environment: [:])
        let lines = renderer.lines(screen, rows: 16, columns: 40)
        #expect(lines.allSatisfy { $0.styled(plain) == $0.text })
        #expect(lines[3].styled(coloured).contains("\u{1B}[36mMessages\u{1B}[0m"))
        #expect(lines[6].styled(coloured).contains("\u{1B}[31m Delete\u{1B}[0m"))
    }
}
