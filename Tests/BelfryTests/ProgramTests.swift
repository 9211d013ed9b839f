internal import BelfryGRPC
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("The program from end to end", .timeLimit(.minutes(5)))
struct ProgramTests {
    let program: Program

    init() throws { program = try Program() }

    /// Moves the clock of the server.
    private func advance(by duration: Duration) async throws {
        let channel = Channel(target: "unix:\(program.socket)")
        defer { channel.close() }
        _ = try await AdminClient(channel: channel).advanceClock(by: duration)
    }

    @Test("Add, list, fire, list, remove")
    func life() async throws {
        let server = try await program.serveAuthorized()
        let now = try await program.run("add", "Tea", "--id", "now")
        #expect(now.status == 0)
        #expect(now.output == "now is delivered\n")
        let later = try await program.run("add", "Tea", "--id", "later", "--in", "4m")
        #expect(later.output.hasPrefix("later fires 2026-01-01 00:04:00"))

        let pending = try await program.run("pending")
        #expect(pending.lines.count == 2)
        #expect(pending.lines.last?.hasPrefix("later") == true)
        #expect(pending.lines.last?.contains("2026-01-01 00:04:00") == true)
        try await advance(by: .seconds(240))
        let none = try await program.run("pending")
        #expect(none.status == 0)
        #expect(none.output == "")
        #expect(none.errors == "Nothing is pending.\n")

        let delivered = try await program.run("delivered")
        #expect(delivered.lines.dropFirst().map { $0.prefix(5) } == ["later", "now  "])
        let one = try await program.run("delivered", "--limit", "1")
        #expect(one.lines.count == 2)
        #expect(one.errors == "There are more; see --limit.\n")

        let removed = try await program.run("remove", "now", "other")
        #expect(removed.status == 0)
        #expect(removed.output == "Removed now (delivered).\n")
        let again = try await program.run("remove", "now")
        #expect(again.status == 3)
        let all = try await program.run("remove", "--all", "--delivered")
        #expect(all.output == "Removed 1 delivered.\n")
        #expect(await server.end(by: SIGTERM).status == 0)
    }

    @Test("JSON on each line, with the names of the .proto files, can be added again")
    func json() async throws {
        let server = try await program.serveAuthorized()
        for name in ["a", "b"] {
            let added = try await program.run("add", name, "--id", name, "--in", "1h", "--json")
            let response = try Belfry_V1_AddResponse(jsonString: added.output)
            #expect(response.identifier == name)
            #expect(response.nextTriggerDate.seconds == 1_767_229_200)
            #expect(added.output.contains("\"next_trigger_date\""))
        }
        let pending = try await program.run("pending", "--json", "--order", "identifier")
        let requests = try pending.lines.map { try Belfry_V1_PendingRequest(jsonString: $0) }
        #expect(requests.map(\.request.identifier) == ["a", "b"])
        #expect(try await program.run("remove", "--all").status == 0)

        let added = try await program.run("add", "--file", "-", input: pending.output)
        #expect(added.status == 0)
        #expect(added.errors == "Added 2 of 2.\n")
        #expect(
            try await program.run("pending", "--json", "--order", "identifier").output
                == pending.output
        )
        _ = await server.end(by: SIGTERM)
    }

    @Test("A file whose requests are refused in part tells which, and ends with 1")
    func file() async throws {
        let server = try await program.serveAuthorized()
        let file = #"[{"identifier":"a","content":{"title":"A"}},{"identifier":"b"}]"#
        let run = try await program.run("add", "--file", "-", input: file)
        #expect(run.status == 1)
        #expect(run.errors.contains("requests[1]"))
        #expect(run.errors.contains("NOTIFICATION_INVALID_NO_CONTENT"))
        #expect(run.errors.hasSuffix("Added 1 of 2.\n"))
        let bad = try await program.run("add", "--file", "-", input: "tea")
        #expect(bad.status == 65)
        #expect(try await program.run("add", "--file", "/nowhere").status == 65)
        #expect(try await program.run("delivered").lines.count == 2)
        _ = await server.end(by: SIGTERM)
    }

    @Test("watch tells what was and what comes, and ends after so many events")
    func watch() async throws {
        let server = try await program.serveAuthorized()
        #expect(try await program.run("add", "A", "--id", "a").status == 0)
        let watch = try program.start(["watch", "--after", "0", "--count", "4", "--json"])
        #expect(try await program.run("add", "B", "--id", "b").status == 0)
        #expect(try await program.run("badge", "3").output == "The badge is 3.\n")
        let end = await watch.end()
        #expect(end.status == 0)
        let frames = try end.lines.map { try Belfry_V1_SubscriptionFrame(jsonString: $0) }
        #expect(frames.first?.kind.map { if case .started = $0 { true } else { false } } == true)
        let events = frames.compactMap { frame -> Belfry_V1_Event? in
            if case .event(let event) = frame.kind { event } else { nil }
        }
        #expect(events.map(\.number) == [1, 2, 3, 4])
        #expect(events[2].delivered.notification.request.identifier == "b")
        #expect(events[3].badgeChanged.badge == 3)

        let text = try await program.run("watch", "--after", "1", "--count", "1")
        #expect(text.lines.last == "2  2026-01-01 00:00:00  delivered  a  A  (list, banner)")
        let snapshot = try program.start(["watch", "--snapshot", "--count", "1"])
        try await snapshot.prints("As of event 4: 0 pending, badge 3, authorized.")
        #expect(try await program.run("badge", "0").status == 0)
        #expect(await snapshot.end().lines.last == "5  2026-01-01 00:00:00  badge  0")
        let ahead = try await program.run("watch", "--after", "99")
        #expect(ahead.status == 1)
        #expect(ahead.errors.contains("EVENT_NUMBER_UNKNOWN"))
        _ = await server.end(by: SIGTERM)
    }

    @Test("watch goes on through a restart of the server")
    func watchThroughRestart() async throws {
        let server = try await program.serveAuthorized()
        let watch = try program.start(["watch", "--after", "0", "--count", "3", "--json"])
        // Wait for the watch before the server goes: a start without a server is an error.
        try await watch.prints("settings_changed")
        #expect(try await program.run("add", "A", "--id", "a").status == 0)
        #expect(await server.end(by: SIGTERM).status == 0)
        let next = try await program.serve("--clock", "manual", "--prompts", "grant")
        #expect(try await program.run("add", "B", "--id", "b").status == 0)
        let end = await watch.end()
        #expect(end.status == 0)
        let numbers = try end.lines.map { try Belfry_V1_SubscriptionFrame(jsonString: $0) }
            .filter { if case .event = $0.kind { true } else { false } }.map(\.event.number)
        #expect(numbers == [1, 2, 3])
        _ = await next.end(by: SIGTERM)
    }

    @Test("Permission is asked for before anything is added")
    func permission() async throws {
        let server = try await program.serve("--prompts", "deny")
        let early = try await program.run("add", "Tea")
        #expect(early.status == 3)
        #expect(early.errors.contains("Ask for permission with 'belfry authorize'."))
        let denied = try await program.run("authorize")
        #expect(denied.status == 1)
        #expect(denied.output == "org.belfry.cli may not notify.\n")
        let add = try await program.run("add", "Tea")
        #expect(add.status == 77)
        #expect(add.errors.contains("NOTIFICATIONS_NOT_ALLOWED"))
        let quiet = try await program.run("authorize", "--provisional", "--app", "org.example.a")
        #expect(quiet.output == "org.example.a may notify quietly.\n")
        let settings = try await program.run("settings", "--json", "--app", "org.example.a")
        let told = try Belfry_V1_NotificationSettings(jsonString: settings.output)
        #expect(told.authorizationStatus == .provisional)
        _ = await server.end(by: SIGTERM)
    }

    @Test("A refusal names the flag")
    func refusal() async throws {
        let server = try await program.serveAuthorized()
        let run = try await program.run("add", "Tea", "--in", "0s")
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("INVALID_ARGUMENT, TIME_INTERVAL_INVALID"))
        #expect(run.errors.contains("belfry: --in: "))
        _ = await server.end(by: SIGTERM)
    }

    @Test(
        "A wrong command line ends with 64 before any server is tried",
        arguments: [
            ["add"], ["add", "Tea", "--in", "soon"], ["add", "Tea", "--file", "x"], ["remove"],
            ["remove", "a", "--all"], ["watch", "--after", "1", "--snapshot"],
            ["watch", "--count", "0"], ["pending", "--limit", "-1"], ["badge"], ["badge", "many"],
            ["tea"], ["serve", "--listen", "tcp:0.0.0.0:50061"], ["categories", "set"],
            ["categories", "remove"], ["register", "--file", "x", "--name", "X"],
            ["device", "answer"], ["device", "answer", "perhaps"],
            ["device", "answer", "deny", "--option", "alert"],
            ["device", "answer", "allow", "--in-summary"], ["device", "settings"],
            ["device", "settings", "--sound", "loud"], ["strings", "set", "-"],
            ["strings", "set", "--language", "en"], ["strings", "remove"],
            ["add", "Tea", "--body-arg", "x"], ["add", "Tea", "--at", "soon"],
            ["add", "Tea", "--cron", "* * *"], ["next", "--days", "0"], ["skip"],
            ["token", "create"],
            ["token", "create", "job"], ["token", "create", "job", "--role", "root"],
            ["token", "create", "", "--role", "app"], ["token", "revoke"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let run = try await program.start(arguments).end()
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(!run.errors.isEmpty)
    }

    @Test(
        "Where no server answers, every command ends with 69 and says what to do",
        arguments: [
            ["status"], ["add", "Tea"], ["add", "Tea", "--at", "noon"], ["pending"], ["next"],
            ["skip", "a"], ["delivered"], ["remove", "--all"],
            ["badge", "1"], ["settings"], ["watch"], ["authorize"], ["backup"], ["categories"],
            ["categories", "remove", "a"], ["register"], ["unregister"], ["device", "apps"],
            ["device", "answer", "deny"], ["device", "settings", "--sound", "off"],
            ["strings", "remove", "--language", "en"],
        ]
    )
    func unreachable(arguments: [String]) async throws {
        let run = try await program.start(arguments).end()
        #expect(run.status == 69)
        #expect(run.output == "")
        #expect(run.errors.contains("no server answers at unix:\(program.socket)"))
        #expect(run.errors.contains("belfry serve"))
    }
}
