internal import NotificationCore
internal import NotificationStore
internal import TestSupport

// The requests of apps.

extension CalendarSimulation {
    private static let identifiers = ["a", "b", "c", "d", "e", "f", "g", "h"]

    private mutating func identifier() -> String { oneOf(Self.identifiers) }

    /// A date in the months around the simulated time, or one that comes again and again.
    private mutating func components() -> CalendarComponents {
        var components = CalendarComponents()
        components.timeZone = isOne(in: 2) ? "" : oneOf(ZoneFiles.names)
        if !isOne(in: 8) { components.hour = isOne(in: 2) ? int(0...4) : int(0...23) }
        if components.hour == nil || isOne(in: 2) {
            components.minute = oneOf([0, 15, 30, 45, 59])
        }
        if isOne(in: 6) { components.second = oneOf([0, 1, 30]) }
        let today = DayScan.Day(model.wall.floored(by: TimeModel.day) / TimeModel.day)
        switch int(0...13) {
        case 0: components.weekday = int(1...7)
        case 1:
            components.weekday = int(1...7)
            components.weekdayOrdinal = int(1...5)
        case 2: components.day = components.hour == nil ? int(1...28) : int(1...31)
        case 3:
            components.month = isOne(in: 2) ? today.month : int(1...12)
            components.day = int(1...28)
        case 4: components.month = int(1...12)
        case 5: components.quarter = int(1...4)
        case 6: components.dayOfYear = int(1...366)
        case 7...8:
            // A whole date, not long from now.
            let day = DayScan.Day(today.number + Int64(int(0...12)))
            (components.year, components.month, components.day) = (day.year, day.month, day.day)
            if components.hour == nil { components.hour = int(0...23) }
        case 9:
            // DST changes are seen each day. A date without an hour in a short month is seen
            // elsewhere.
            components.day = components.hour == nil ? min(today.day, 28) : today.day
        default: break
        }
        return components
    }

    mutating func request() throws -> NotificationRequest {
        let identifier = identifier()
        var request = try NotificationRequest.titled(identifier)
        let repeats = isOne(in: 2)
        switch int(0...9) {
        case 0: break
        case 1...3:
            let seconds = repeats ? int(1...100) * 1_800 : int(1...7_200)
            let trigger = try TimeIntervalTrigger(
                intervalNanoseconds: Int64(seconds) * .nanosecondsPerSecond,
                repeats: repeats
            )
            request.trigger = .timeInterval(trigger)
        default:
            let components = components()
            request.trigger = .calendar(
                try CalendarTrigger(dateComponents: components, repeats: repeats)
            )
        }
        if recurs { try makeRecurrent(&request) }
        return request
    }

    private func expectedState(_ request: NotificationRequest, of center: Int) -> Int64? {
        guard let pending = model.centers[center].pending[request.identifier] else { return nil }
        return model.date(of: pending.due)
    }

    private mutating func requireAdded(
        _ result: Result<AddReply, Refusal>,
        _ request: NotificationRequest,
        to center: Int
    ) throws {
        guard model.add(request, to: center) else {
            guard case .failure(let refusal) = result else {
                throw Difference(description: "\(request) was added and never comes")
            }
            return try require("refusal", refusal.reason, .notificationInvalidNoDate)
        }
        let reply = try result.get()
        switch reply.state {
        case .pending(let date):
            try require(
                "added \(request.identifier)",
                date?.nanoseconds ?? 0,
                expectedState(request, of: center) ?? 0
            )
        case .arriving, .delivered, .gone:
            try require("\(request.identifier) is \(reply.state)", request.trigger, nil)
        }
    }

    mutating func add(to center: Int) async throws {
        try await add(try request(), to: center)
    }

    private mutating func add(_ request: NotificationRequest, to center: Int) async throws {
        let name = model.centers[center].name
        story.append("add \(Self.told(request)) to \(told(center))")
        let result = await test.result { $0.add(request, to: name, completion: $1) }
        try requireAdded(result, request, to: center)
    }

    mutating func addBatch(to center: Int) async throws {
        var requests: [NotificationRequest] = []
        for _ in 0..<int(2...6) { requests.append(try request()) }
        story.append("add \(requests.map(Self.told)) to \(told(center))")
        try await addBatch(requests, to: center)
    }

    private mutating func addBatch(
        _ requests: [NotificationRequest],
        to center: Int
    ) async throws {
        let name = model.centers[center].name
        let results = try await test.addBatch(requests.map { .success($0) }, to: name)
        for (request, result) in zip(requests, results) {
            try requireAdded(result, request, to: center)
        }
    }

    /// Adds requests that are due together, more than fit in one batch.
    mutating func addMany(to center: Int) async throws {
        let count = 30
        var components = CalendarComponents()
        components.hour = int(0...23)
        components.timeZone = isOne(in: 3) ? "" : oneOf(ZoneFiles.names)
        story.append("add \(count) at \(Self.told(components)) to \(told(center))")
        let requests = try (0..<count).map { index in
            var request = try NotificationRequest.titled("many \(index)")
            request.trigger = .calendar(
                try CalendarTrigger(dateComponents: components, repeats: index % 3 != 0)
            )
            return request
        }
        try await addBatch(requests, to: center)
    }

    /// A request that is due in so many seconds; nil is now.
    private func request(_ identifier: String, in seconds: Int?) throws -> NotificationRequest {
        var request = try NotificationRequest.titled(identifier)
        request.trigger = try seconds.map {
            .timeInterval(
                try TimeIntervalTrigger(
                    intervalNanoseconds: Int64($0) * .nanosecondsPerSecond,
                    repeats: false
                )
            )
        }
        return request
    }

    /// A notification arrives, its replacement is due before the app has to answer, and nobody is
    /// there until both have passed.
    mutating func askTwiceAndBeAway(_ center: Int) async throws {
        let identifier = identifier()
        try await add(request(identifier, in: nil), to: center)
        try await add(request(identifier, in: int(1...4)), to: center)
        try await suspend()
    }

    /// The app is cut off, and time passes in which something is due before and after its place in
    /// front is free.
    mutating func cutOffAndGoOn(_ center: Int) async throws {
        guard seen[center].primary != nil else { return try await comeOrGo(center) }
        try await add(request(identifier(), in: int(1...4)), to: center)
        try await add(request(identifier(), in: int(6...600)), to: center)
        try await comeOrGo(center)
        try await advance(by: duration())
    }

    private mutating func someIdentifiers() -> [String] {
        (0..<int(1...3)).map { _ in identifier() }
    }

    mutating func remove(from center: Int) async throws {
        let asked = someIdentifiers()
        let name = model.centers[center].name
        story.append("remove \(asked) from \(told(center))")
        let removed = await test.result {
            $0.removePending(asked, from: name, completion: $1)
        }
        try require("removed", try removed.get(), model.removePending(asked, of: center))
    }

    mutating func removeDelivered(from center: Int) async throws {
        let asked = someIdentifiers()
        let name = model.centers[center].name
        story.append("remove delivered \(asked) from \(told(center))")
        _ = try await test.result {
            $0.removeDelivered(asked, from: name, completion: $1)
        }.get()
        model.withdraw(asked, of: center)
    }

    static func told(_ request: NotificationRequest) -> String {
        switch request.trigger {
        case nil, .push: "\(request.identifier) now"
        case .at(let instant): "\(request.identifier) at \(told(instant.nanoseconds))"
        case .location(let trigger): "\(request.identifier) at \(trigger.region)"
        case .timeInterval(let trigger):
            "\(request.identifier) in \(trigger.intervalNanoseconds / .nanosecondsPerSecond) s"
                + (trigger.repeats ? ", again and again" : "")
        case .calendar(let trigger):
            "\(request.identifier) at \(told(trigger.dateComponents))"
                + (trigger.repeats ? ", again and again" : "") + told(trigger.limits)
        case .anchoredInterval(let trigger):
            "\(request.identifier) from \(told(trigger.anchor.nanoseconds)) by \(trigger.step)"
                + " in '\(trigger.timeZone)'" + (trigger.repeats ? ", again and again" : "")
                + told(trigger.limits)
        case .recurrence(let trigger):
            "\(request.identifier) by \(String(describing: trigger.text))"
                + " from local \(told(Int64(trigger.start ?? 0) * .nanosecondsPerSecond))"
                + " in '\(trigger.timeZone)'" + (trigger.repeats ? ", again and again" : "")
                + told(trigger.limits)
        }
    }

    static func told(_ components: CalendarComponents) -> String {
        let parts: [(String, Int?)] = [
            ("year", components.year), ("quarter", components.quarter),
            ("month", components.month), ("day", components.day),
            ("day of year", components.dayOfYear), ("weekday", components.weekday),
            ("ordinal", components.weekdayOrdinal), ("hour", components.hour),
            ("minute", components.minute), ("second", components.second),
        ]
        return parts.compactMap { name, value in value.map { "\(name) \($0)" } }
            .joined(separator: " ") + " in '\(components.timeZone)'"
    }
}
