internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

@Suite("A notification that is open in the notification center")
struct CenterOpenedTests {
    private typealias F = CenterFixtures

    private static func opened(
        _ change: (inout Belfry_V1_OpenPresentation) -> Void = { _ in }
    ) -> Belfry_V1_OpenPresentation {
        .with {
            $0.presentationID = "p"
            $0.notification = F.notification("b", 2, after: 60)
            $0.actions = F.actions
            change(&$0)
        }
    }

    private static func frame(
        _ change: (inout Belfry_V1_PresentationFrame) -> Void
    ) -> Belfry_V1_DeviceFrame {
        .with {
            $0.presentation.presentationID = "p"
            change(&$0.presentation)
        }
    }

    private func screen(
        _ change: (inout Belfry_V1_OpenPresentation) -> Void = { _ in }
    ) -> CenterScreen {
        var screen = F.messages()
        screen.open(Self.opened(change))
        return screen
    }

    private func press(_ keys: [Key], in screen: inout CenterScreen) -> [CenterIntent] {
        keys.compactMap { screen.press($0) }
    }

    /// The lines of a terminal with an open notification as text, without spaces at their ends.
    private func text(_ screen: CenterScreen, showsPictures: Bool = false) -> String {
        let renderer = CenterRenderer(
            dates: DateText(now: F.start, zone: .gmt),
            showsPictures: showsPictures
        )
        let lines = renderer.lines(screen, rows: 14, columns: 60).map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
        return lines.joined(separator: "\n")
    }

    @Test("v opens what is selected")
    func open() {
        var screen = F.messages()
        #expect(press([.character("v")], in: &screen) == [.open(F.reference("b", 2))])
    }

    @Test(
        "Keys act on what is open",
        arguments: [
            ([.enter], [.act(presentation: "p", .defaultAction(.init()))]),
            (
                [.character("2")],
                [.act(presentation: "p", .action(.with { $0.actionIdentifier = "mute" }))]
            ),
            (
                [.character("r"), .character("H"), .enter],
                [.act(presentation: "p", F.reply("H"))]
            ),
            ([.character("1"), .escape], []),
            ([.character("4")], []),
            ([.character("x")], []),
            ([.character("p")], []),
            ([.escape], [.close(presentation: "p")]),
            ([.character("l")], [.lock(true)]),
            ([.character("q")], [.quit]),
        ] as [([Key], [CenterIntent])]
    )
    func keys(_ keys: [Key], _ expected: [CenterIntent]) {
        var screen = screen()
        #expect(press(keys, in: &screen) == expected)
    }

    @Test("p plays and pauses")
    func play() {
        var screen = screen { $0.view.media.buttonType = .default }
        #expect(press([.character("p")], in: &screen) == [.act(presentation: "p", .media(.play))])
        screen.opened?.view.media.isPlaying = true
        #expect(press([.character("p")], in: &screen) == [.act(presentation: "p", .media(.pause))])
    }

    @Test("Buttons and the view change while it is open, and the list comes back")
    func frames() {
        var screen = screen()
        let reply = F.actions[0]
        _ = screen.apply(Self.frame { $0.actionsChanged.actions = [reply] }, at: F.start)
        #expect(screen.opened?.actions == [reply])
        let view = Belfry_V1_ContentView.with {
            $0.mediaType = "text/plain"
            $0.data = Data("20 degrees".utf8)
        }
        _ = screen.apply(Self.frame { $0.viewUpdated = view }, at: F.start)
        #expect(screen.opened?.view == view)
        // Change only the button: the frame has no data.
        _ = screen.apply(
            Self.frame { $0.viewUpdated.media.buttonType = .overlay },
            at: F.start
        )
        #expect(screen.opened?.view.data == view.data)
        #expect(screen.opened?.view.media.buttonType == .overlay)
        _ = screen.apply(
            Self.frame { frame in
                frame.presentationID = "other"
                frame.closed = .init()
            },
            at: F.start
        )
        #expect(screen.opened != nil)
        _ = screen.press(.character("r"))
        _ = screen.apply(Self.frame { $0.closed = .init() }, at: F.start)
        #expect(screen.opened == nil)
        #expect(screen.mode == .browsing)
    }

    @Test("A frame that comes before the answer is not lost")
    func early() {
        var screen = F.messages()
        _ = screen.apply(Self.frame { $0.actionsChanged.actions = [] }, at: F.start)
        screen.open(Self.opened())
        #expect(screen.opened?.actions == [])
    }

    @Test("A new snapshot tells whether it is open still")
    func snapshot() {
        var screen = screen()
        let changed = Self.opened { $0.actions = [] }
        _ = screen.apply(F.snapshot { $0.presentations = [changed] }, at: F.start)
        #expect(screen.opened == changed)
        _ = screen.apply(F.snapshot(), at: F.start)
        #expect(screen.opened == nil)
    }

    @Test("Text is shown with the buttons that there are now")
    func showsText() {
        let screen = screen {
            $0.actions = [F.actions[1]]
            $0.view.mediaType = "text/plain"
            $0.view.data = Data("one\ntwo\u{1B}[31m".utf8)
            $0.view.media.buttonType = .default
        }
        #expect(
            text(screen) == """
                local  unlocked
                Badges: Tea 2

                   Messages  00:01:00
                   Title b
                   Body b

                   one
                   two [31m

                   ❚❚ paused
                   [1] Mute

                enter open  1-9 action  p play  esc back  ? help  q quit
                """
        )
    }

    @Test("The view may take the place of the text")
    func hidesDefault() {
        let screen = screen { $0.extension.defaultContentHidden = true }
        #expect(!text(screen).contains("Title b"))
    }

    @Test("A picture is cells of colours, or else its facts")
    func picture() throws {
        let screen = screen {
            $0.view.mediaType = "image/png"
            $0.view.data = Data(PictureTests.filtered)
        }
        #expect(text(screen).contains("image/png, 104 bytes, 3 × 5"))
        #expect(text(screen, showsPictures: true).contains("▀▀▀"))
        let line = CenterRenderer(dates: .current(), showsPictures: true)
            .lines(screen, rows: 14, columns: 60)
            .first { $0.text.contains("▀") }
        let cells = try #require(line).styled(Style(isTerminal: true, environment: [:]))
        #expect(cells.hasPrefix("   \u{1B}[38;5;40;48;5;"))
    }
}
