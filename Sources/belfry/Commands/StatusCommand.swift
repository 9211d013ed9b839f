internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Shows whether a server serves, and its version, limits and clock.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the server serves, and its version, limits and clock.",
        discussion: """
            It ends with status 0 when the server serves and with 69 otherwise. With --wait it \
            waits for a server that is starting, for as long as --timeout says.
            """
    )

    @Flag(help: "Wait until the server serves.")
    var wait = false

    @Flag(help: "Show what the server has done and how long it took; this needs the role admin.")
    var statistics = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let health =
                wait ? try await waitUntilServing(session) : try await session.server.health()
            guard health == .serving else {
                session.output.note("The server at \(session.target) is there and does not serve.")
                throw ExitReason.unreachable.code
            }
            guard !statistics else { return try await showStatistics(session) }
            let info = try await session.server.serverInfo()
            guard !session.output.isJSON else {
                try session.output.print(json: info)
                return
            }
            var table = Table(header: ["SERVER", session.target])
            let events = await lastEvent(session)
            for (name, cell) in rows(info) + events { table.append([Table.Cell(name), cell]) }
            try session.output.print(table, whenEmpty: "")
        }
    }

    /// Shows the numbers of the server by the names that they have in its metrics.
    private func showStatistics(_ session: Session) async throws {
        let stats = try await session.admin.stats()
        guard !session.output.isJSON else { return try session.output.print(json: stats) }
        var table = Table(header: ["NAME", "VALUE"])
        for number in stats.counted + stats.measured {
            let name = number.name + (number.reason.map { " (\($0))" } ?? "")
            table.append([Table.Cell(name), Table.Cell("\(number.value)")])
        }
        for times in stats.timed {
            let mean = Duration(times.sum) / Int64(max(1, times.count))
            let cell = "\(times.count) times, \(DurationText.format(mean)) on average"
            table.append([Table.Cell(times.name), Table.Cell(cell)])
        }
        try session.output.print(table, whenEmpty: "")
    }

    /// The number of the newest event of the app, for 'belfry watch --after'; nothing where the app
    /// is not registered, or is not this caller's.
    private func lastEvent(_ session: Session) async -> [(String, Table.Cell)] {
        guard let settings = try? await session.notifications.notificationSettings() else {
            return []
        }
        return [("last event", Table.Cell("\(settings.asOfEvent) of \(session.center.appID)"))]
    }

    /// Asks until the server serves or the time has passed; then gives the last answer or throws
    /// the last error.
    private func waitUntilServing(_ session: Session) async throws -> ServerClient.Health {
        let clock = ContinuousClock()
        let deadline = clock.now + client.timeout.duration
        while true {
            do throws(ClientError) {
                let health = try await session.server.health()
                if health == .serving || clock.now >= deadline { return health }
            } catch {
                guard error.code == .unavailable, clock.now < deadline else { throw error }
            }
            // Wait for the connection, which the channel makes again by itself. The pause is for a
            // server that is connected and does not serve yet.
            _ = await session.channel.waitUntilReady(timeout: deadline - clock.now)
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func kept(_ retention: Google_Protobuf_Duration) -> String {
        "for \(DurationText.format(Duration(retention)))"
    }

    private func rows(_ info: Belfry_V1_GetServerInfoResponse) -> [(String, Table.Cell)] {
        let limits = info.limits
        let isManual = info.clock.kind == .manual
        let isWell = info.conditions.isEmpty
        let conditions = info.conditions.map { condition in
            (condition.name, Table.Cell(condition.advice, .yellow))
        }
        let health = [("health", Table.Cell("serving", isWell ? .green : .yellow))]
        let facts: [(String, Table.Cell)] = [
            ("version", Table.Cell(info.version)),
            ("profile", Table.Cell(info.profile == .ios ? "ios" : "server")),
            (
                "clock",
                Table.Cell(
                    (isManual ? "manual, " : "system, ")
                        + DateText.current().absolute(info.clock.now.date),
                    isManual ? .yellow : nil
                )
            ),
            ("pending per center", Table.Cell("\(limits.pendingPerCenter)")),
            (
                "delivered per center",
                Table.Cell(
                    "\(limits.deliveredPerCenter), "
                        + (limits.hasDeliveredRetention
                            ? kept(limits.deliveredRetention) : "until removed")
                )
            ),
            (
                "events kept",
                Table.Cell(limits.hasEventRetention ? kept(limits.eventRetention) : "for ever")
            ),
        ]
        return health + conditions + facts
    }
}
