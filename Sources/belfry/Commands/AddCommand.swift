internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Schedules one notification, or the requests of a file.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Schedule a notification, or deliver it now.",
        discussion: """
            A file holds NotificationRequest messages of belfry.v1 as JSON: one array, or one \
            object on each line. What 'belfry pending --json' prints can be added again. Or it is \
            a calendar (.ics): each alarm of an event or to-do is a request, and an entry without \
            one tells of itself at its start; added again, it replaces what it added before. \
            Requests go to the server in batches; a request that is refused or cannot be read does \
            not stop the other requests, and is printed on standard error with its place in the \
            file.

              belfry add Tea --body 'It has drawn.' --in 4min --sound default
              belfry add Call --at 'tomorrow noon' --expires-after 1h
              belfry add 'Stand-up' --every weekday --at 9:30 --zone Europe/Lisbon
              belfry add Rent --every month --at '1 dec 9:00' --times 12
              belfry add Retrospective --every 'last friday' --at 16:00 --skip '25 dec'
              belfry add Stretch --id stretch --every 1.5h --from 9:00
              belfry add Backup --cron '30 3 * * 1-5'
              belfry add Milk --near 38.7,-9.1,200m --on enter
              belfry add --file requests.json
              belfry add calendar.ics

            Days and times are those of --zone. Without it they are those of the device, if it \
            has a zone, and then move with it; otherwise those of the shell. The answer says \
            which.
            """
    )

    @OptionGroup(title: "Notification")
    var notification: NotificationOptions

    @OptionGroup(title: "Trigger")
    var trigger: TriggerOptions

    @Option(
        help: ArgumentHelp(
            "Add the requests or the calendar of a file; - is standard input.",
            discussion: "A title that ends in .ics, said alone, is a file too.",
            valueName: "path"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(
        help: ArgumentHelp(
            "Wait until the person answers, and print the action and the typed text.",
            discussion: """
                A tab is between them; the action is 'open' for a tap, 'dismiss', or a button's \
                identifier. Ends with 3 where no answer comes, since the notification was \
                dismissed, removed or not shown, and with 75 where --answer-within is over, \
                which leaves it as it is. Any \
                number of commands may wait, each for the answer to its own, whatever else \
                speaks for the app; an answer that came while the server was away is told too. \
                With --json it prints an Answer of belfry.v1.
                """
        )
    )
    var waitAnswer = false

    @Option(
        help: ArgumentHelp(
            "How long to wait for the answer, from the start on, such as 10m.",
            valueName: "duration"
        )
    )
    var answerWithin: DurationArgument?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    /// The file whose requests are added; nil where one notification is described.
    private var path: String? {
        guard file == nil, let title = notification.title, title.lowercased().hasSuffix(".ics"),
            notification.request == .with({ $0.content.title = title }), !trigger.isSet, !waitAnswer
        else { return file }
        return title
    }

    func validate() throws {
        guard file == nil || !waitAnswer else {
            throw ValidationError("--wait-answer is of one notification: leave --file out.")
        }
        guard answerWithin == nil || waitAnswer else {
            throw ValidationError("--answer-within is of --wait-answer.")
        }
        guard answerWithin.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--answer-within must be longer than 0s.")
        }
        let isDescribed = notification.isSet || trigger.isSet
        guard file == nil || !isDescribed else {
            throw ValidationError("With --file, say nothing else of a notification.")
        }
        guard file != nil || isDescribed else {
            throw ValidationError("Say what to notify of, as in: belfry add Hello --in 5s")
        }
        // A shell's variable may be unset: a new identifier would not be what was meant.
        guard notification.replacement.identifier?.isEmpty != true else {
            throw ValidationError("--id must not be empty.")
        }
        guard notification.replacement.expiresAfter == nil || trigger.isSet else {
            throw ValidationError("--expires-after is of what fires later: say when, as --in 5s.")
        }
    }

    func run() async throws {
        let content = try path.map { try RequestFile.read($0) }
        try await client.run { session in
            if let content {
                try await addBatches(of: content, session)
            } else if waitAnswer {
                try await waitForAnswer(session)
            } else {
                let (response, dates, local) = try await addOne(session)
                if session.output.isJSON {
                    try session.output.print(json: response)
                } else {
                    try session.output.print(AddText.describe(response, dates, local))
                    await noteLostLevel([notification.request], session)
                }
            }
        }
    }

    /// Warns where requests are time-sensitive and the app's settings do not allow that.
    private func noteLostLevel(
        _ requests: [Belfry_V1_NotificationRequest],
        _ session: Session
    ) async {
        guard !session.output.isJSON,
            requests.contains(where: { $0.content.interruptionLevel == .timeSensitive }),
            // Ignore a failure: the requests are added, and the settings are only for the warning.
            let current = try? await session.notifications.notificationSettings().settings,
            current.timeSensitiveSetting == .notSupported
        else { return }
        session.output.note(
            """
            The level time-sensitive counts as active: the app has no entitlement to it \
            ('belfry register --time-sensitive').
            """
        )
    }

    private func waitForAnswer(_ session: Session) async throws {
        let wait = AnswerWait(session: session, limit: answerWithin?.duration) { [self] in
            let (response, dates, local) = try await addOne(session)
            session.output.note(AddText.describe(response, dates, local))
            return response
        } print: { answer in
            if session.output.isJSON {
                try session.output.print(json: answer)
            } else {
                try session.output.print(ResponseText.line(answer))
            }
        }
        switch try await wait.run() {
        case .answered: break
        case .gone(let reason):
            session.output.complain("no answer: \(reason)")
            throw ExitReason.notFound.code
        case nil:
            session.output.complain("no answer: the person did nothing in time")
            throw ExitReason.tryLater.code
        }
    }

    private func addOne(
        _ session: Session
    ) async throws -> (Belfry_V1_AddResponse, DateText, LocalTime?) {
        var request = notification.request
        await name(&request.content.attachments, session)
        let local = try await trigger.isLocal ? session.localTime(in: trigger.zone) : nil
        var dates = DateText.current()
        if local == nil, trigger.isSet { dates = try await session.dates() }
        let present = local ?? LocalTime(now: dates.now, zone: dates.zone)
        if let trigger = trigger.trigger(present) { request.trigger = trigger }
        if let local, request.trigger.namesZone(local.zoneName) { try checkZone(local, session) }
        let response: Belfry_V1_AddResponse
        do throws(ClientError) {
            response = try await session.notifications.add(request)
        } catch {
            throw error.naming { notification.flag(ofField: $0) ?? trigger.flag(ofField: $0) }
        }
        return (response, dates, local)
    }

    /// Refuses the shell's zone where a server cannot know it.
    private func checkZone(_ local: LocalTime, _ session: Session) throws {
        guard local.isShells, ShellZone.current.kind != .named else { return }
        session.output.complain(
            ShellZone.current.problem + (path == nil ? ": name the zone with --zone" : "")
        )
        throw ExitReason.usage.code
    }

    /// Names each file as it was named when it was stored, so that people see more than a number.
    private func name(
        _ attachments: inout [Belfry_V1_AttachmentReference],
        _ session: Session
    ) async {
        var names: Set<String> = []
        for index in attachments.indices where attachments[index].identifier.isEmpty {
            // Leave a file without a name where the server refuses: it says itself what is wrong
            // with the file.
            let stored = try? await session.attachments.get(attachments[index].attachmentID)
            guard let name = stored?.fileName, names.insert(name).inserted else { continue }
            attachments[index].identifier = name
        }
    }

    private func addBatches(of file: RequestFile.Content, _ session: Session) async throws {
        var refusedCount = 0
        var requests: [Belfry_V1_NotificationRequest] = []
        var places: [String] = []
        for entry in file.entries {
            switch entry.request {
            case .success(let request):
                requests.append(request)
                places.append(entry.place)
            case .failure(let problem):
                refusedCount += 1
                session.output.complain(problem.text)
            }
        }
        if file.isCalendar, requests.contains(where: \.trigger.floats) {
            let local = try await session.localTime(in: nil)
            try checkZone(local, session)
            for index in requests.indices { requests[index].trigger.fixZone(local.zoneName) }
        }
        for batch in RequestFile.batches(of: requests) {
            let results = try await session.notifications.addBatch(Array(requests[batch]))
            for (place, result) in zip(batch, results) {
                switch result {
                case .success(let added):
                    if session.output.isJSON { try session.output.print(json: added) }
                case .failure(let error):
                    refusedCount += 1
                    let error = file.isCalendar ? error.naming(CalendarFile.property) : error
                    session.output.complain(error, place: places[place])
                }
            }
        }
        let count = file.entries.count
        session.output.note("Added \(count - refusedCount) of \(count).")
        let leftOut = file.leftOut.sorted()
        if !leftOut.isEmpty {
            let names = leftOut.prefix(12).joined(separator: ", ")
            session.output.note("Not kept: \(names)\(leftOut.count > 12 ? " and others" : "").")
        }
        await noteLostLevel(requests, session)
        guard refusedCount == 0 else { throw ExitReason.refused.code }
    }
}

/// Describes the result of an added request.
enum AddText {
    /// Gives for example "tea fires 2026-01-31 08:00:00 (in 5m)", or with local times "call fires
    /// Mon 23 Nov 09:00 (Europe/Lisbon), in 19h".
    static func describe(
        _ response: Belfry_V1_AddResponse,
        _ dates: DateText,
        _ local: LocalTime? = nil
    ) -> String {
        var text = response.identifier.printable
        switch response.state {
        case .delivered: text += " is delivered"
        case .arriving: text += " is arriving"
        case .pending where response.hasNextTriggerDate:
            let date = response.nextTriggerDate.date
            if let local {
                let dates = DateText(now: local.now, zone: local.zone)
                text += " fires \(dates.plain(date)) (\(local.zone.name.printable))"
                text += ", \(dates.relative(date))"
            } else {
                text += " fires \(dates.absolute(date)) (\(dates.relative(date)))"
            }
        case .gone: text += " is not kept"
        case .pending, .unspecified, .UNRECOGNIZED: text += " is pending"
        }
        if !response.evictedIdentifiers.isEmpty {
            text += "; pushed out: " + response.evictedIdentifiers.joined(separator: ", ").printable
        }
        return text
    }
}

extension ClientError {
    /// Gives the error with flags in place of the paths of fields, where a flag set the field.
    func naming(_ flag: (String) -> String?) -> ClientError {
        var error = self
        for index in error.fields.indices {
            let path = error.fields[index].path
            guard let flag = flag(path) else { continue }
            error.fields[index].path = flag
            if fields.count == 1, message.hasPrefix(path + ": ") {
                // Drop the path from the message, which the flag replaces.
                error.message = flag + message.dropFirst(path.count)
                error.fields = []
            }
        }
        return error
    }
}

extension Belfry_V1_Trigger {
    /// Whether the server has to know a zone for the trigger.
    fileprivate func namesZone(_ name: String) -> Bool {
        [calendar.dateComponents.timeZone, anchoredInterval.timeZone, recurrence.timeZone]
            .contains(name)
    }

    /// Whether the trigger has local times without a zone, as calendars write them.
    fileprivate var floats: Bool {
        switch kind {
        case .calendar(let calendar): calendar.dateComponents.timeZone.isEmpty
        case .recurrence(let recurrence): recurrence.timeZone.isEmpty
        default: false
        }
    }

    /// Puts local times without a zone into one.
    fileprivate mutating func fixZone(_ name: String) {
        guard floats else { return }
        if case .calendar = kind {
            calendar.dateComponents.timeZone = name
        } else {
            recurrence.timeZone = name
        }
    }
}

extension Session {
    /// The server's present moment, from which distances are told, and the shell's zone.
    func dates() async throws(ClientError) -> DateText {
        DateText(now: try await server.serverInfo().clock.now.date, zone: ShellZone.current.zone)
    }

    /// Gives the server's present moment, and the zone of local times: `zone`, else the device's,
    /// else the shell's.
    func localTime(in zone: TimeZone?) async throws -> LocalTime {
        let now = try await server.serverInfo().clock.now.date
        if let zone { return LocalTime(now: now, zone: zone) }
        let name = try await person.state().timeZone
        guard !name.isEmpty else {
            guard ShellZone.current.kind != .unknown else {
                output.complain(ShellZone.current.problem)
                throw ExitReason.usage.code
            }
            return LocalTime(now: now, zone: ShellZone.current.zone, isShells: true)
        }
        guard let zone = TimeZone(identifier: name) else {
            output.complain("the device's zone \(name) is not known here: name one with --zone")
            throw ExitReason.refused.code
        }
        return LocalTime(now: now, zone: zone, isFloating: true)
    }
}
