internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("When things fire, from the command line", .timeLimit(.minutes(5)))
struct ScheduleTests {
    let program: Program

    init() throws { program = try Program() }

    /// Adds a request, which has to succeed, and gives what is printed.
    private func add(_ arguments: String...) async throws -> String {
        let run = try await program.start(["add"] + arguments).end()
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    // The server's clock stands at the midnight that begins Thursday, 1 January 2026.

    @Test("A time is that of the server's clock in the named zone, the device's or the shell's")
    func zones() async throws {
        let server = try await program.serveAuthorized()
        let shell = try await add("Tea", "--id", "a", "--at", "tomorrow 9:00")
        #expect(shell == "a fires Fri 2 Jan 09:00 (UTC), in 1d 9h\n")
        let named = try await add("Tea", "--id", "b", "--at", "9:00", "--zone", "Asia/Tokyo")
        #expect(named == "b fires Fri 2 Jan 09:00 (Asia/Tokyo), in 1d\n")
        _ = try await program.run("device", "zone", "America/New_York")
        let device = try await add("Tea", "--id", "c", "--at", "monday noon")
        #expect(device == "c fires Mon 5 Jan 2026 12:00 (America/New_York), in 4d 17h\n")
        let utc = try await add("Tea", "--id", "d", "--at", "2026-12-24T18:00:00Z")
        #expect(utc == "d fires Thu 24 Dec 2026 13:00 (America/New_York), in 51w\n")

        // A date in the device's zone moves with the device.
        _ = try await program.run("device", "zone", "Europe/Lisbon")
        let pending = try await program.run("pending", "--json", "--order", "identifier")
        let next = try pending.lines.map { line in
            try Belfry_V1_PendingRequest(jsonString: line).nextTriggerDate.date.formatted(.iso8601)
        }
        #expect(
            next == [
                "2026-01-02T09:00:00Z", "2026-01-02T00:00:00Z", "2026-01-05T12:00:00Z",
                "2026-12-24T18:00:00Z",
            ]
        )
        _ = await server.end(by: SIGTERM)
    }

    @Test("pending says how often in words, and next lists each date")
    func next() async throws {
        let server = try await program.serveAuthorized()
        _ = try await add("Stand-up", "--id", "a", "--every", "weekday", "--at", "9:30")
        _ = try await add("Rent", "--id", "b", "--every", "month", "--at", "5 jan 8:00")
        _ = try await add("Far", "--id", "c", "--at", "1 mar 8:00")
        _ = try await add("Tea", "--id", "d", "--every", "last friday", "--at", "16:00")
        let pending = try await program.run("pending")
        #expect(pending.output.contains("every weekday at 09:30 (UTC)"))
        #expect(pending.output.contains("every month from Mon 5 Jan 08:00 (UTC)"))
        #expect(pending.output.contains("every last Fri of the month at 16:00 (UTC)"))

        let next = try await program.run("next")
        let table = next.lines.map { line in
            line.split(separator: " ").prefix(4).joined(separator: " ")
                + " \(line.split(separator: " ").suffix(2).joined(separator: " "))"
        }
        #expect(
            table.dropFirst() == [
                "Thu 1 Jan 09:30 a Stand-up", "Fri 2 Jan 09:30 a Stand-up",
                "Mon 5 Jan 08:00 b Rent", "Mon 5 Jan 09:30 a Stand-up",
                "Tue 6 Jan 09:30 a Stand-up", "Wed 7 Jan 09:30 a Stand-up",
            ]
        )
        #expect(next.errors == "Times are those of UTC.\n")
        #expect(next.lines.allSatisfy { $0.count <= 80 })

        let two = try await program.run("next", "a", "--limit", "2", "--json")
        #expect(
            two.lines.last == """
                {"app_id":"org.belfry.cli","date":"2026-01-02T09:30:00Z","identifier":"a",\
                "title":"Stand-up"}
                """
        )
        #expect(two.lines.count == 2)
        let all = try await program.run("next", "--all", "--days", "60", "--limit", "1")
        #expect(all.output.contains("org.belfry.cli"))
        #expect(all.errors.hasPrefix("There are more; see --limit.\n"))
        let none = try await program.run("next", "c")
        #expect(none.errors == "Nothing fires in the coming 7 days.\n")
        #expect(try await program.run("next", "--days", "367").status == 64)
        _ = await server.end(by: SIGTERM)
    }

    @Test("skip leaves one occurrence out, and says what comes instead")
    func skip() async throws {
        let server = try await program.serveAuthorized()
        _ = try await add("Tea", "--id", "tea", "--every", "day", "--at", "9:00")
        let skipped = try await program.run("skip", "tea")
        #expect(skipped.output == "tea skips Thu 1 Jan 09:00 and fires Fri 2 Jan 09:00 (UTC)\n")
        let json = try await program.run("skip", "tea", "--json")
        let response = try Belfry_V1_SkipNextResponse(jsonString: json.output)
        #expect(response.nextTriggerDate.date.formatted(.iso8601) == "2026-01-03T09:00:00Z")
        _ = try await add("Once", "--id", "once", "--at", "9:00")
        let last = try await program.run("skip", "once")
        #expect(last.output == "once skips Thu 1 Jan 09:00 and fires no more (UTC)\n")
        #expect(try await program.run("skip", "once").status == 3)
        _ = await server.end(by: SIGTERM)
    }

    @Test("A first time that the clock skips stays the time of the others")
    func gap() async throws {
        let server = try await program.serveAuthorized()
        for (id, arguments) in [
            ("week", ["--every", "1w", "--at", "2026-04-24 0:00", "--zone", "Africa/Cairo"]),
            (
                "days",
                [
                    "--every", "2 days", "--from", "2026-03-29", "--at", "2:30", "--zone",
                    "Europe/Berlin",
                ]
            ),
            ("month", ["--every", "month", "--at", "2026-03-29 2:30", "--zone", "Europe/Berlin"]),
            (
                "rule",
                [
                    "--rrule", "FREQ=YEARLY;COUNT=2", "--at", "2026-03-29 2:30", "--zone",
                    "Europe/Berlin",
                ]
            ),
            ("cron", ["--cron", "30 2 29 3,4 *", "--zone", "Europe/Berlin"]),
        ] {
            let run = try await program.start(["add", "Tea", "--id", id] + arguments).end()
            #expect(run.status == 0, "\(run.errors)")
        }
        struct Row: Decodable {
            let identifier: String
            let date: String
        }
        let next = try await program.run("next", "--days", "366", "--limit", "1000", "--json")
        var dates: [String: [String]] = [:]
        for line in next.lines {
            let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
            if dates[row.identifier, default: []].count < 2 {
                dates[row.identifier, default: []].append(row.date)
            }
        }
        #expect(
            dates == [
                "week": ["2026-04-23T22:00:00Z", "2026-04-30T21:00:00Z"],
                "days": ["2026-03-29T01:00:00Z", "2026-03-31T00:30:00Z"],
                "month": ["2026-03-29T01:00:00Z", "2026-04-29T00:30:00Z"],
                "rule": ["2026-03-29T01:00:00Z"],
                "cron": ["2026-03-29T01:00:00Z", "2026-04-29T00:30:00Z"],
            ]
        )
        _ = await server.end(by: SIGTERM)
    }

    @Test("A bound that leaves nothing is refused with its flag")
    func refused() async throws {
        let server = try await program.serveAuthorized()
        let run = try await program.run(
            "add",
            "Tea",
            "--every",
            "day",
            "--at",
            "9:00",
            "--from",
            "2026-02-01",
            "--until",
            "2026-01-15"
        )
        #expect(run.status == 1)
        #expect(run.errors.contains("RECURRENCE_LIMITS_INVALID"))
        #expect(run.errors.hasPrefix("belfry: --until: must not be before the start ("))
        _ = await server.end(by: SIGTERM)
    }

    @Test("One that fires too late is missed")
    func expires() async throws {
        let server = try await program.serveAuthorized()
        let added = try await program.run(
            "add",
            "Tea",
            "--id",
            "tea",
            "--in",
            "1h",
            "--expires-after",
            "10min",
            "--json"
        )
        #expect(added.status == 0)
        let pending = try await program.run("pending", "--json")
        let request = try Belfry_V1_PendingRequest(jsonString: pending.output).request
        #expect(request.expiresAfter.seconds == 600)
        #expect(try await program.run("add", "Tea", "--expires-after", "1h").status == 64)
        _ = await server.end(by: SIGTERM)
    }
}
