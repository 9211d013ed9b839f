internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// Lists the requests that fire in the coming days.
struct NextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "List what fires when, in the coming week.",
        discussion: """
            The server computes the dates, of repeating requests too, as they are by the present \
            rules.

            Of a request that fires more often than \(UpcomingList.rowsOfOne) times only the first \
            are listed, unless you name it.

            --ics writes a calendar instead, with an event and an alarm for each pending request: \
            the rule of one that repeats, with its zone. 'belfry add' reads it back. A request \
            whose dates no rule of a calendar says is written with its dates of the coming days, \
            and what has no place in a calendar is told.

              belfry next
              belfry next --days 1 --all
              belfry next standup --days 366 --limit 10
              belfry next --ics > notifications.ics
            """
    )

    @Argument(help: ArgumentHelp("Only these identifiers.", valueName: "id"))
    var identifiers: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many days ahead, at most 366. Default: 7, and with --ics all.",
            valueName: "number"
        )
    )
    var days: Int?

    @Flag(help: "Of all apps of the device.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "The zone of the dates. Default: the device's, else the shell's.",
            valueName: "zone"
        ),
        transform: TriggerOptions.parseZone
    )
    var zone: TimeZone?

    @Option(help: ArgumentHelp("List so many dates at most, up to 1000.", valueName: "number"))
    var limit = 100

    @Flag(help: "Write a calendar (.ics).")
    var ics = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    private static let usualDays = 7

    func validate() throws {
        guard !ics || !all else {
            throw ValidationError("--ics is of one app: leave --all out.")
        }
        guard (1...366).contains(days ?? 1) else { throw ValidationError("--days is 1 to 366.") }
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit is 1 to 1000.") }
    }

    func run() async throws {
        try await client.run { session in
            guard !ics else { return try await writeCalendar(session) }
            let local = try await session.localTime(in: zone)
            var upcoming = UpcomingList(
                limit: limit,
                each: identifiers.isEmpty && !session.output.isJSON ? UpcomingList.rowsOfOne : limit
            )
            let apps = try await all ? session.apps() : [session.center.appID]
            for app in apps { try await read(app, session, &upcoming) }
            try print(upcoming, local, session.output)
        }
    }

    private func writeCalendar(_ session: Session) async throws {
        let local = try await session.localTime(in: zone)
        var writer = CalendarWriter(now: local.now, device: local.zone)
        var filter = Belfry_V1_NotificationFilter()
        filter.identifiers = identifiers
        // Bounded: the pending requests of the app.
        var written: Set<String> = []
        var token = ""
        repeat {
            let page = try await session.notifications.listUpcoming(
                filter,
                window: .seconds((days ?? 366) * 86_400),
                datesPerRequest: Int32(Limits.recurrenceDates),
                pageToken: token
            )
            for upcoming in page.requests {
                writer.add(upcoming.request, upcoming.dates)
                written.insert(upcoming.request.identifier)
            }
            token = page.nextPageToken
        } while !token.isEmpty
        if days == nil {
            // A request that fires after the window has its one date.
            repeat {
                let page = try await session.notifications.listPending(filter, pageToken: token)
                for pending in page.requests where !written.contains(pending.request.identifier) {
                    writer.add(
                        pending.request,
                        pending.hasNextTriggerDate ? [pending.nextTriggerDate] : []
                    )
                }
                token = page.nextPageToken
            } while !token.isEmpty
        }
        try StandardOutput.write(Data(writer.text.utf8))
        note(writer.withDatesAlone, "With the next dates alone, since no rule says all", session)
        note(writer.shortened, "With texts and dates alone, as a calendar has them", session)
        note(writer.dateless, "Left out, since a calendar has no places", session)
    }

    private func note(_ identifiers: [String], _ text: String, _ session: Session) {
        guard !identifiers.isEmpty else { return }
        let names = identifiers.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
        let more = identifiers.count > 3 ? " and \(identifiers.count - 3) others" : ""
        session.output.note("\(text): \(names)\(more).")
    }

    /// Reads the dates of an app.
    private func read(
        _ app: String,
        _ session: Session,
        _ upcoming: inout UpcomingList
    ) async throws {
        var center = session.center
        center.appID = app
        let notifications = NotificationCenterClient(
            channel: session.channel,
            center: center,
            options: session.calls
        )
        var filter = Belfry_V1_NotificationFilter()
        filter.identifiers = identifiers
        var token = ""
        repeat {
            let page = try await notifications.listUpcoming(
                filter,
                window: .seconds((days ?? Self.usualDays) * 86_400),
                datesPerRequest: Int32(min(upcoming.each, limit)),
                pageToken: token
            )
            for request in page.requests { upcoming.add(request, of: app) }
            token = page.nextPageToken
        } while !token.isEmpty
    }

    private func print(_ upcoming: UpcomingList, _ local: LocalTime, _ output: Output) throws {
        let dates = DateText(now: local.now, zone: local.zone)
        var table = Table(header: ["DATE", "", "IDENTIFIER", all ? "APP" : "", "TITLE"])
        for entry in upcoming.entries {
            guard !output.isJSON else {
                try output.print(json: [
                    "app_id": entry.app, "identifier": entry.identifier,
                    "date": entry.date.formatted(.iso8601), "title": entry.title,
                ])
                continue
            }
            table.append([
                Table.Cell(dates.plain(entry.date)),
                Table.Cell(dates.relative(entry.date), .cyan),
                Table.Cell(entry.identifier.truncated(to: 24), .bold),
                Table.Cell(all ? entry.app.truncated(to: 24) : ""),
                Table.Cell(entry.title.truncated(to: all ? 16 : 24)),
            ])
        }
        guard !output.isJSON else { return }
        let days = days ?? Self.usualDays
        let window = days == 1 ? "the coming day" : "the coming \(days) days"
        try output.print(table, whenEmpty: "Nothing fires in \(window).")
        let often = upcoming.often.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
        if !often.isEmpty {
            let more = upcoming.often.count > 3 ? " and others" : ""
            output.note("More often: \(often)\(more); 'belfry next ID' lists them all.")
        }
        if upcoming.hasMore { output.note("There are more; see --limit.") }
        if !table.isEmpty { output.note("Times are those of \(local.zone.name).") }
    }
}

/// The first dates of some requests, in order.
struct UpcomingList {
    /// A date of a request.
    struct Entry: Equatable {
        var date: Date
        var app: String
        var identifier: String
        var title: String
    }

    /// How many rows one of several requests may take.
    static let rowsOfOne = 7

    private let limit: Int
    /// How many dates of one request are listed.
    let each: Int
    /// The requests of which dates were left out since there are too many of them alone.
    private(set) var often: [String] = []
    private(set) var entries: [Entry] = []
    /// Whether dates were left out.
    private(set) var hasMore = false

    /// Makes an empty list of at most `limit` dates, and `each` of one request.
    init(limit: Int, each: Int? = nil) {
        self.limit = limit
        self.each = each ?? limit
    }

    /// Adds the dates of a request; the soonest of the list stay.
    mutating func add(_ request: Belfry_V1_UpcomingRequest, of app: String) {
        entries += request.dates.map { date in
            Entry(
                date: date.date,
                app: app,
                identifier: request.request.identifier,
                title: request.request.content.headline
            )
        }
        entries.sort { left, right in
            left.date == right.date
                ? (left.app, left.identifier) < (right.app, right.identifier)
                : left.date < right.date
        }
        let isOften = request.hasMore_p && each < limit
        if isOften { often.append(request.request.identifier) }
        hasMore = hasMore || (request.hasMore_p && !isOften) || entries.count > limit
        entries.removeLast(max(0, entries.count - limit))
    }
}

extension Session {
    /// The names of the apps of the device.
    func apps() async throws(ClientError) -> [String] {
        var names: [String] = []
        var token = ""
        repeat {
            let page = try await person.listApps(pageSize: 1_000, pageToken: token)
            names += page.apps.map(\.center.appID)
            token = page.nextPageToken
        } while !token.isEmpty
        return names
    }
}
