internal import Foundation
internal import NotificationProtocol
internal import Testing

@testable internal import belfry

@Suite("What a person dismisses in the notification center, and takes back")
struct CenterUndoTests {
    private typealias F = CenterFixtures

    private let tea = CenterFixtures.reference("t", app: "org.example.tea")
    private let messages = [CenterFixtures.reference("b", 2), CenterFixtures.reference("a")]

    private func press(_ keys: String, in screen: inout CenterScreen) {
        for key in keys { #expect(screen.press(.character(key)) == nil) }
    }

    /// The notifications that show, by their identifiers.
    private func shown(_ screen: CenterScreen) -> [String] {
        screen.list.shown.flatMap(\.notifications).map(\.notification.identifier)
    }

    @Test(
        "It is out of sight at once, and dismissed when it cannot be taken back any more",
        arguments: [
            ("x", ["t"], ["b", "a"]), (" x", ["a", "t"], ["b"]), ("jx", ["b", "a"], ["t"]),
            ("XX", [], ["b", "a", "t"]), ("xx", [], ["b", "a", "t"]),
        ]
    )
    func waits(_ keys: String, _ left: [String], _ gone: [String]) {
        let references = (messages + [tea]).filter { gone.contains($0.identifier) }
        var screen = F.messages()
        press(keys, in: &screen)
        #expect(shown(screen) == left)
        #expect(screen.rows.isEmpty == left.isEmpty)
        #expect(screen.note?.text.hasPrefix("Dismissed ") == true)
        #expect(screen.pass(to: F.start) == nil)
        #expect(screen.pass(to: F.start + 4) == nil)
        #expect(screen.note != nil)
        #expect(screen.pass(to: F.start + 5) == .dismiss(references))
        // It can not be taken back any more, and nothing says that it can.
        #expect(screen.note == nil)
        #expect(screen.pass(to: F.start + 6) == nil)
        #expect(shown(screen) == left)
        press("u", in: &screen)
        #expect(screen.note?.isError == true)
    }

    @Test("u takes back what was dismissed last, and the cursor is there")
    func undo() {
        var screen = F.messages()
        let all = screen.rows.map(\.item)
        press("jx", in: &screen)
        #expect(screen.selection == .group("alice"))
        press("xu", in: &screen)
        #expect(screen.selection == .group("alice"))
        #expect(shown(screen) == ["b", "a"])
        press("u", in: &screen)
        #expect(screen.note?.text == "Taken back: 1.")
        #expect(screen.rows.map(\.item) == all)
        #expect(screen.selection == .group("tea"))
        #expect(screen.pass(to: F.start) == nil)
        #expect(screen.pass(to: F.start + 60) == nil)
    }

    @Test("What comes after the key stays, and what goes by itself is not dismissed")
    func meanwhile() {
        var screen = F.messages()
        press("x", in: &screen)
        let group = screen.list.groups[0]
        let c = F.notification("c", 3, after: 90)
        _ = screen.apply(F.added(c, to: F.group("alice", [c] + group.notifications)), at: F.start)
        #expect(shown(screen) == ["c", "t"])
        // The server's text counts those that are out of sight.
        #expect(screen.list.shown[0].info.summary.isEmpty)
        let rest = F.group("alice", [c, group.notifications[0]])
        _ = screen.apply(F.removed(messages[1], from: rest), at: F.start)
        let newer = F.notification("t", 7, app: "org.example.tea", name: "Tea", after: 99)
        press("jx", in: &screen)
        #expect(shown(screen) == ["c"])
        let frame = F.added(newer, to: F.group("tea", [newer]), replacing: tea)
        _ = screen.apply(frame, at: F.start)
        #expect(shown(screen) == ["t", "c"])
        screen.pass(to: F.start)
        #expect(screen.pass(to: F.start + 5) == .dismiss([messages[0]]))
    }

    @Test("A refusal shows them again, and says why")
    func refusal() {
        var screen = F.messages()
        press("XX", in: &screen)
        screen.fail(.dismiss([messages[0]]), because: "It is not permitted.")
        #expect(shown(screen) == ["b"])
        #expect(screen.selection == .group("alice"))
        #expect(screen.note?.text == "1 not dismissed: It is not permitted.")
        #expect(screen.note?.isError == true)
    }

    @Test("While the server is away they wait, and the screen says so")
    func lost() {
        let renderer = CenterRenderer(dates: DateText(now: F.start, zone: .gmt))
        let header = { (screen: CenterScreen) in renderer.header(screen).map(\.text) }
        let snapshot = F.snapshot { $0.groups = F.messages().list.groups }
        var screen = F.messages()
        press("x", in: &screen)
        screen.lose(because: "it does not answer")
        #expect(header(screen).contains("2 dismissals wait for the server."))
        press("x", in: &screen)
        #expect(header(screen).contains("3 dismissals wait for the server."))
        #expect(screen.note?.text == "Dismissed 1 once the server is back.")
        #expect(screen.pass(to: F.start) == nil)
        #expect(screen.pass(to: F.start + 60) == nil)
        press("u", in: &screen)
        #expect(shown(screen) == ["t"])
        _ = screen.apply(snapshot, at: F.start)
        #expect(shown(screen) == ["t"])
        #expect(screen.pass(to: F.start + 61) == .dismiss(messages))
        // The calls found no server.
        screen.lose(because: "it does not answer")
        screen.list.dismissals.keep(messages)
        #expect(header(screen).contains("2 dismissals wait for the server."))
        #expect(screen.pass(to: F.start + 62) == nil)
        _ = screen.apply(snapshot, at: F.start)
        #expect(screen.pass(to: F.start + 63) == .dismiss(messages))
        #expect(!header(screen).contains { $0.contains("wait") })
    }

    @Test("5,000 are out of sight with one arrangement, and leave with one for each message")
    func many() {
        let notes = (0..<5_000).map { F.notification("n\($0)", after: Int64(5_000 - $0)) }
        let groups = notes.map { F.group($0.title, [$0]) }
        var screen = F.screen(F.snapshot { $0.groups = groups })
        var before = screen.list.arrangements
        press("XX", in: &screen)
        #expect(screen.rows.isEmpty)
        #expect(screen.list.arrangements == before + 1)
        screen.pass(to: F.start)
        #expect(screen.pass(to: F.start + 5) == .dismiss(notes.map(\.notification)))
        let removals = groups.map { group in
            var empty = group
            empty.info.count = 0
            return F.removed(group.notifications[0].notification, from: empty)
        }
        #expect(screen.rows.isEmpty)
        before = screen.list.arrangements
        _ = screen.apply(removals, at: F.start)
        #expect(screen.list.groups.isEmpty)
        #expect(screen.list.dismissals.hidden.isEmpty)
        #expect(screen.list.arrangements <= before + 1)
    }
}
