internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

@Suite("The notification center as a value")
struct CenterScreenTests {
    private typealias F = CenterFixtures

    /// The shown notifications, as the identifiers of each group; `+` marks one that is expanded.
    private func shown(_ screen: CenterScreen) -> [String] {
        screen.list.groups.map { group in
            (screen.list.isExpanded(group) ? "+" : "")
                + group.notifications.map(\.notification.identifier).joined(separator: ",")
        }
    }

    /// Presses keys, `⏎` being enter, `⌫` backspace, `⎋` escape, `⇈` home, and gives what they ask.
    private func press(_ keys: String, in screen: inout CenterScreen) -> [CenterIntent] {
        let special: [Character: Key] = [
            "⏎": .enter, "⌫": .backspace, "⎋": .escape, "⇈": .home, "⇊": .end, "⌧": .eraseLine,
        ]
        return keys.compactMap { screen.press(special[$0] ?? .character($0)) }
    }

    @Test(
        "Keys ask for what the person wants",
        arguments: [
            ("⏎", [.respond(F.reference("b", 2), .defaultAction(.init()))]),
            (
                "j⏎",
                [.respond(F.reference("t", 1, app: "org.example.tea"), .defaultAction(.init()))]
            ),
            ("jjjk⏎", [.respond(F.reference("b", 2), .defaultAction(.init()))]),
            ("⇊⇈ j⏎", [.respond(F.reference("a"), .defaultAction(.init()))]),
            ("2", [.respond(F.reference("b", 2), .action(.with { $0.actionIdentifier = "mute" }))]),
            ("rHi⌫e⏎", [.respond(F.reference("b", 2), F.reply("He"))]),
            ("1no⌧yes⏎", [.respond(F.reference("b", 2), F.reply("yes"))]),
            ("ax⏎", [.respond(F.reference("b", 2), F.reply("x"))]),
            ("rq⎋", []),
            ("4", []),
            ("j1", []),
            ("jr", []),
            ("z", [.snooze(F.reference("b", 2), seconds: 600)]),
            ("x", []),
            ("XX", []),
            ("Xx", []),
            ("Xq", []),
            ("l", [.lock(true)]),
            ("y", []),
            ("q", [.quit]),
        ] as [(String, [CenterIntent])]
    )
    func keys(_ keys: String, _ expected: [CenterIntent]) {
        var screen = F.messages()
        #expect(press(keys, in: &screen) == expected)
    }

    @Test(
        "A prompt is answered by what it asks",
        arguments: [
            (.initial, "y", .allow), (.initial, "n", .deny), (.upgrade, "y", .allow),
            (.quiet, "y", .keep), (.quiet, "n", .turnOff),
        ] as [(Belfry_V1_AuthorizationPromptKind, String, Belfry_V1_PromptAnswer)]
    )
    func prompts(
        _ kind: Belfry_V1_AuthorizationPromptKind,
        _ key: String,
        _ answer: Belfry_V1_PromptAnswer
    ) {
        var screen = F.messages()
        _ = screen.apply(.with { $0.prompt = F.prompt("7", kind) }, at: F.start)
        // It is the only prompt, wherever the person is.
        #expect(press(key, in: &screen) == [.answer(prompt: "7", answer)])
        for name in ["8", "9"] {
            _ = screen.apply(.with { $0.prompt = F.prompt(name, kind) }, at: F.start)
        }
        #expect(press(key, in: &screen) == [])
        #expect(screen.note?.isError == true)
        #expect(press("⇈j" + key, in: &screen) == [.answer(prompt: "9", answer)])
        _ = screen.apply(.with { $0.promptClosed.promptID = "9" }, at: F.start)
        #expect(screen.list.prompts.map(\.promptID) == ["7", "8"])
    }

    @Test("Keys that come before the server's word answer one prompt after the other")
    func promptsInARow() {
        var screen = F.screen(
            F.snapshot { $0.prompts = ["1", "2", "3"].map { F.prompt($0, .initial) } }
        )
        #expect(
            press("yny", in: &screen) == [
                .answer(prompt: "1", .allow), .answer(prompt: "2", .deny),
                .answer(prompt: "3", .allow),
            ]
        )
        #expect(press("y", in: &screen) == [])
        #expect(screen.note?.text == "No app asks for permission.")
        // An answer that did not arrive is asked for again.
        screen.fail(.answer(prompt: "2", .deny), because: "No server answers.")
        #expect(screen.rows.map(\.item) == [.prompt("2")])
        #expect(press("y", in: &screen) == [.answer(prompt: "2", .allow)])
        _ = screen.apply(.with { $0.promptClosed.promptID = "2" }, at: F.start)
        // Another question of the same app has its own answer.
        _ = screen.apply(.with { $0.prompt = F.prompt("2", .upgrade) }, at: F.start)
        #expect(press("n", in: &screen) == [.answer(prompt: "2", .deny)])
    }

    @Test("A quiet app's question stands beside its notification")
    func promptBeside() {
        let quiet = F.notification("q") { $0.promptID = "9" }
        var screen = F.screen(
            F.snapshot {
                $0.groups = [F.group("g", [quiet])]
                $0.prompts = [F.prompt("9", .quiet)]
            }
        )
        #expect(screen.rows.map(\.item) == [.group("g")])
        #expect(press("n", in: &screen) == [.answer(prompt: "9", .turnOff)])
    }

    @Test("Groups follow what the list tells, and the newest is first")
    func list() {
        var screen = F.messages()
        var needsSnapshot = false
        #expect(shown(screen) == ["b,a", "t"])
        let tea = F.notification("u", 2, app: "org.example.tea", name: "Tea", after: 90)
        let two = F.group("tea", [tea, screen.list.groups[1].notifications[0]])
        needsSnapshot = screen.apply(F.added(tea, to: two), at: F.start)
        #expect(!needsSnapshot)
        #expect(shown(screen) == ["u,t", "b,a"])
        #expect(screen.list.groups[0].info.summary == "1 more")

        let one = F.group("alice", [screen.list.groups[1].notifications[1]])
        needsSnapshot = screen.apply(F.removed(F.reference("b", 2), from: one), at: F.start)
        #expect(!needsSnapshot)
        #expect(shown(screen) == ["u,t", "a"])

        let newer = F.notification("a", 3, after: 120)
        let frame = F.added(newer, to: F.group("alice", [newer]), replacing: F.reference("a"))
        needsSnapshot = screen.apply(frame, at: F.start)
        #expect(!needsSnapshot)
        #expect(shown(screen) == ["a", "u,t"])
        #expect(screen.rows.first?.notification?.notification.delivery == 3)

        var empty = F.group("alice", [newer])
        empty.info.count = 0
        needsSnapshot = screen.apply(F.removed(F.reference("a", 3), from: empty), at: F.start)
        #expect(!needsSnapshot)
        #expect(shown(screen) == ["u,t"])
    }

    @Test("What arrives together is listed in one pass, and the rows are arranged once")
    func together() {
        let notes = (0..<5_000).map { F.notification("n\($0)", after: Int64(5_000 - $0)) }
        let groups = stride(from: 0, to: notes.count, by: 5).map { first in
            F.group("g\(first)", Array(notes[first..<(first + 5)]))
        }
        var screen = F.screen(F.snapshot { $0.groups = groups })
        _ = press("⇊", in: &screen)
        let removals = groups.flatMap { group in
            group.notifications.indices.map { place in
                var rest = group
                rest.info.count = UInt32(4 - place)
                return F.removed(group.notifications[place].notification, from: rest)
            }
        }
        // All but the last notification go, and one comes, which goes too, and comes again.
        let new = F.notification("new", after: 9_000)
        let added = F.added(new, to: F.group("new", [new]))
        var gone = F.group("new", [new])
        gone.info.count = 0
        let around = [added, F.removed(new.notification, from: gone), added]
        let before = screen.list.arrangements
        let needsSnapshot = screen.apply(removals.dropLast() + around, at: F.start)
        #expect(screen.rows.map(\.item) == [.group("new"), .group("g4995")])
        #expect(screen.selection == .group("g4995"))
        #expect(shown(screen) == ["new", "n4999"])
        #expect(screen.list.groups[1].info.count == 1)
        #expect(!needsSnapshot)
        #expect(screen.list.arrangements == before + 1)
    }

    @Test("Of what arrives at an empty screen, the list is selected and no banner")
    func emptyScreen() {
        var screen = F.screen(F.snapshot { _ in })
        let new = F.notification("new", after: 120)
        _ = screen.apply([F.added(new, to: F.group("new", [new])), F.banner(new)], at: F.start)
        #expect(screen.rows.count == 2)
        #expect(screen.selection == .group("new"))
    }

    @Test("Frames that arrive together do the same as one after the other")
    func onePass() {
        let c = F.notification("c", 3, after: 120)
        let tea = F.notification("u", 4, app: "org.example.tea", name: "Tea", after: 120)
        let alice = F.messages().list.groups[0].notifications
        let moved = F.notification("b", 5, after: 130)
        let frames = [
            F.added(c, to: F.group("alice", [c] + alice)),
            F.added(tea, to: F.group("tea", [tea, F.messages().list.groups[1].notifications[0]])),
            F.removed(F.reference("a"), from: F.group("alice", [c, alice[0]])),
            F.added(moved, to: F.group("bob", [moved]), replacing: F.reference("b", 2)),
            F.removed(c.notification, from: F.group("alice", [c])),
            F.banner(tea),
        ]
        for count in frames.indices.map({ $0 + 1 }) {
            var (one, all) = (F.messages(), F.messages())
            var needs = false
            for frame in frames.prefix(count) where one.apply(frame, at: F.start) { needs = true }
            let needsSnapshot = all.apply(Array(frames.prefix(count)), at: F.start)
            #expect(needsSnapshot == needs)
            #expect(shown(all) == shown(one))
            #expect(all.list.groups == one.list.groups)
            #expect(all.rows.map(\.item) == one.rows.map(\.item))
            #expect(all.selection == one.selection)
        }
    }

    @Test("What waited for the summary stays in its place when that is shown")
    func presented() {
        var screen = F.messages()
        screen.list.groups[0].notifications[1].held = true
        let a = screen.list.groups[0].notifications[1]
        let frame = Belfry_V1_DeviceFrame.with { frame in
            frame.listChanged.change = .presented
            frame.listChanged.notification = a.notification
            frame.listChanged.rendered = a
            frame.listChanged.rendered.held = false
            frame.listChanged.group = screen.list.groups[0].info
        }
        let needsSnapshot = screen.apply(frame, at: F.start)
        #expect(!needsSnapshot)
        #expect(shown(screen) == ["b,a", "t"])
        #expect(screen.list.groups[0].notifications.map(\.held) == [false, false])
    }

    @Test("What no frame tells needs a new snapshot")
    func refresh() {
        var screen = F.messages()
        var needsSnapshot = false
        needsSnapshot = screen.apply(.with { $0.changed.state.locked = true }, at: F.start)
        #expect(needsSnapshot)
        #expect(screen.device.locked)
        #expect(press("l", in: &screen) == [.lock(false)])
        // An app that is told again has other settings, or other categories.
        let app = screen.apps["org.example.tea"] ?? .init()
        needsSnapshot = screen.apply(.with { $0.changed.app = app }, at: F.start)
        #expect(needsSnapshot)
        let new = Belfry_V1_DeviceApp.with { $0.center.appID = "org.example.new" }
        needsSnapshot = screen.apply(.with { $0.changed.app = new }, at: F.start)
        #expect(!needsSnapshot)
        // The summary of the group that it leaves is not told.
        let moved = F.notification("b", 3, after: 90)
        let frame = F.added(moved, to: F.group("bob", [moved]), replacing: F.reference("b", 2))
        needsSnapshot = screen.apply(frame, at: F.start)
        #expect(needsSnapshot)
        #expect(shown(screen) == ["b", "a", "t"])
    }

    @Test("A snapshot comes in parts, and until it is whole the old one is shown")
    func parts() {
        var screen = F.messages()
        let long = (1...3).map { F.notification("n\($0)", UInt64($0)) }
        let first = F.snapshot {
            $0.groups = [F.group("g", Array(long[..<2]))]
            $0.complete = false
        }
        _ = screen.apply(first, at: F.start)
        #expect(shown(screen) == ["b,a", "t"])
        _ = screen.apply(F.snapshot { $0.groups = [F.group("g", [long[2]])] }, at: F.start)
        #expect(shown(screen) == ["n1,n2,n3"])
    }

    @Test("What has come of the first snapshot is shown, the newest first, and the person may move")
    func reading() {
        let dates: [Int64] = [10, 30, 20, 50]
        let notes = dates.enumerated().map { place, date in
            F.notification("n\(place)", UInt64(place + 1), after: date)
        }
        let part = { (groups: [Belfry_V1_NotificationGroup], isComplete: Bool) in
            F.snapshot {
                $0.groups = groups
                $0.complete = isComplete
            }
        }
        let groups = notes.map { F.group($0.title, [$0]) }
        // The group of the last part is in two messages.
        var long = groups[3]
        long.info.count = 2
        let rest = F.group(notes[3].title, [F.notification("n4", 5)])
        for moves in [false, true] {
            var screen = CenterScreen()
            _ = screen.apply(part([groups[0]], false), at: F.start)
            #expect(screen.connection == .reading)
            #expect(shown(screen) == ["n0"])
            #expect(screen.selectedPlace == 0)
            _ = screen.apply(part([groups[1], groups[2], long], false), at: F.start)
            #expect(shown(screen) == ["n1", "n2", "n0"])
            #expect(screen.selectedPlace == 0)
            if moves { #expect(press("j", in: &screen).isEmpty) }
            #expect(press("X", in: &screen).isEmpty)
            #expect(screen.mode == .browsing)
            #expect(screen.note?.isError == true)
            _ = screen.apply(part([rest], true), at: F.start)
            #expect(screen.connection == .live)
            #expect(shown(screen) == ["n3,n4", "n1", "n2", "n0"])
            #expect(screen.selectedPlace == (moves ? 2 : 0))
        }
    }

    @Test("A banner is above all, and leaves in time, by a swipe or by an answer")
    func banners() {
        let note = F.notification("b", 2) { $0.actions = F.actions }
        for leave in ["time", "x", "⏎", "removal"] {
            var screen = F.messages()
            _ = screen.apply(F.banner(note), at: F.start)
            #expect(screen.rows.first?.item == .banner(note.notification))
            // New notifications do not move the person.
            #expect(screen.selection == .group("alice"))
            switch leave {
            case "time":
                screen.pass(to: F.start + 7)
                #expect(screen.list.banners.count == 1)
                screen.pass(to: F.start + 8)
            case "x":
                let swipe = CenterIntent.swipeAway(note.notification)
                #expect(press("kx", in: &screen) == [swipe])
            case "⏎": _ = press("k⏎", in: &screen)
            default:
                let rest = F.group("alice", [F.notification("a")])
                _ = screen.apply(F.removed(note.notification, from: rest), at: F.start)
            }
            #expect(screen.list.banners.isEmpty, "\(leave)")
            #expect(screen.selection == .group("alice"))
        }
        var screen = F.messages()
        _ = screen.apply(F.banner(note, .alert), at: F.start)
        screen.pass(to: F.start + 86_400)
        #expect(screen.list.banners.count == 1)
        _ = screen.apply(F.snapshot { $0.state.locked = true }, at: F.start)
        #expect(screen.list.banners.isEmpty)
    }

    @Test("The person stays with the notification of a banner that leaves")
    func bannerInTheList() {
        let first = F.notification("b", 2) { $0.actions = F.actions }
        for isExpanded in [false, true] {
            var screen = F.messages()
            _ = screen.apply(F.banner(first), at: F.start)
            _ = press(isExpanded ? " k" : "k", in: &screen)
            #expect(screen.selection == .banner(first.notification))
            // Another app's is newer when the banner leaves, and the first of the list.
            let tea = F.notification("u", app: "org.example.tea", name: "Tea", after: 90)
            let group = F.group("tea", [tea, F.notification("t", app: "org.example.tea")])
            _ = screen.apply(F.added(tea, to: group), at: F.start)
            screen.pass(to: F.start + 8)
            #expect(screen.list.groups.first?.info.groupID == "tea")
            #expect(screen.selected?.notification?.notification == first.notification)
        }
    }

    @Test("A key that is pressed once for each banner acts on banners alone")
    func bannersInARow() {
        let notes = [F.notification("t", app: "org.example.tea"), F.notification("b", 2)]
        let (older, newer) = (notes[0].notification, notes[1].notification)
        let expected: [(String, [CenterIntent])] = [
            ("xx", [newer, older].map { .swipeAway($0) }),
            ("zz", [newer, older].map { .snooze($0, seconds: 600) }),
            ("⏎⏎", [newer, older].map { .respond($0, .defaultAction(.init())) }),
        ]
        for (keys, intents) in expected {
            var screen = F.messages()
            for note in notes { _ = screen.apply(F.banner(note), at: F.start) }
            _ = press("⇈", in: &screen)
            #expect(screen.selection == .banner(newer))
            #expect(press(keys, in: &screen) == intents)
            #expect(screen.list.banners.isEmpty)
        }
    }

    @Test("The result of an act is told for ten seconds, and the next one for its own ten")
    func notes() {
        var screen = F.messages()
        for begin in [F.start, F.start + 60] {
            _ = press("4", in: &screen)
            #expect(screen.note?.isError == true)
            screen.pass(to: begin)
            screen.pass(to: begin + 5)
            screen.note = CenterScreen.Note(text: "Sent.")
            screen.pass(to: begin + 6)
            screen.pass(to: begin + 15)
            #expect(screen.note?.text == "Sent.")
            screen.pass(to: begin + 16)
            #expect(screen.note == nil)
        }
    }

    @Test(
        "What an act came to, and why it was not done, is told for ten seconds in each mode",
        arguments: ["", "r", "/", "?", "X"]
    )
    func notesEnd(_ keys: String) {
        let told: [(inout CenterScreen) -> Void] = [
            { $0.note = CenterScreen.Note(text: "Sent.") },
            { $0.refuse("It has no such action.") },
            { $0.fail(.lock(true), because: "It is not permitted.") },
            { $0.fail(.respond(F.reference("b", 2), F.reply("Hi")), because: "It is gone.") },
            { $0.fail(.dismiss([F.reference("a")]), because: "No server answers.") },
            { _ = $0.apply(.with { $0.unlockRequested = .init() }, at: F.start) },
            { _ = $0.apply(.with { $0.unlockEnded.message = "It is gone." }, at: F.start) },
            { _ = $0.apply(.with { $0.launchApp.mode = .foreground }, at: F.start) },
            { _ = $0.apply(.with { $0.openAppSettings = .init() }, at: F.start) },
        ]
        for tell in told {
            var screen = F.messages()
            #expect(press(keys, in: &screen).isEmpty)
            tell(&screen)
            #expect(screen.note != nil)
            screen.pass(to: F.start)
            screen.pass(to: F.start + 9)
            #expect(screen.note != nil)
            screen.pass(to: F.start + 10)
            #expect(screen.note == nil)
        }
    }

    @Test("The person stays at a group whatever comes, and beside what goes")
    func selection() {
        var screen = F.messages()
        _ = press("j", in: &screen)
        _ = screen.apply(.with { $0.prompt = F.prompt("7") }, at: F.start)
        #expect(screen.selection == .group("tea"))
        let gone = F.reference("t", app: "org.example.tea")
        var empty = screen.list.groups[1]
        empty.info.count = 0
        _ = screen.apply(F.removed(gone, from: empty), at: F.start)
        #expect(screen.selection == .group("alice"))
        _ = press(" j", in: &screen)
        #expect(screen.selection == .notification(F.reference("a")))
        _ = press(" ", in: &screen)
        #expect(screen.selection == .group("alice"))
        _ = screen.apply(F.snapshot(), at: F.start)
        #expect(screen.selection == nil)
        #expect(press("⏎jx r1", in: &screen) == [])
        #expect(screen.note?.isError == true)
    }
}
