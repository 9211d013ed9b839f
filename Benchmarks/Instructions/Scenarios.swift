internal import BenchmarkSupport
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationService
internal import SwiftProtobuf

let scenarios = [
    Scenario(name: "add to 10 k pending", run: countAdds),
    Scenario(name: "add alone with a key", run: countLoneAdds),
    Scenario(name: "fire", run: countFiring),
    Scenario(name: "fire and trim old events", run: countTrimming),
    Scenario(name: "decode an Add", run: countDecoding),
    Scenario(name: "encode and decode 3 records", run: countRecords),
    Scenario(name: "merge a change", run: countMerge),
    Scenario(name: "replay a change", run: countReplay),
    Scenario(name: "next second Tuesday", run: countCalendarRule),
    Scenario(name: "next date of a crontab", run: countPlainRecurrence),
    Scenario(name: "next date of the worst recurrence", run: countWorstRecurrence),
    Scenario(name: "find that a recurrence never comes", run: countNever),
    Scenario(name: "tell one of 100 subscribers an event", run: countFanOut),
]

/// Batches of 256 adds to a store with 10,000 pending requests.
@Sendable
private func countAdds() async throws -> Int {
    var generator = SplitMix64()
    let batchCount = 8
    let store = try await PendingStore(dueSeconds: generator.seconds(10_000))
    try await count {
        for _ in 0..<batchCount {
            let dueSeconds = generator.seconds(PendingStore.batchCount)
            try await store.add(store.makeRequests(dueSeconds: dueSeconds))
        }
    }
    try store.close()
    return batchCount * PendingStore.batchCount
}

/// Adds that come one after another, each with a key, to a store with 10,000 pending requests.
@Sendable
private func countLoneAdds() async throws -> Int {
    var generator = SplitMix64()
    let store = try await PendingStore(dueSeconds: generator.seconds(10_000))
    let addCount = 256
    try await count {
        for request in store.makeRequests(dueSeconds: generator.seconds(addCount)) {
            try await store.addWithKey(request)
        }
    }
    try store.close()
    return addCount
}

extension SplitMix64 {
    /// Seconds of a year.
    fileprivate mutating func seconds(_ count: Int) -> [Int64] {
        (0..<count).map { _ in .random(in: 1...365 * 24 * 3_600, using: &self) }
    }
}

/// Seconds in each of which 256 requests are due; the list of delivered notifications is full.
@Sendable
private func countFiring() async throws -> Int {
    let batchCount = 8
    let store = try await storeOfSeconds(2 * batchCount, requestCount: PendingStore.batchCount)
    try await count {
        for _ in 0..<batchCount { keep(try await store.advanceOneSecond()) }
    }
    try store.close()
    return batchCount * PendingStore.batchCount
}

/// The same while the log of events is full, as it is where firing goes on: each firing trims old
/// events, and the records to which they alone refer.
@Sendable
private func countTrimming() async throws -> Int {
    let batchCount = 8
    let store = try await storeOfSeconds(
        2 * batchCount,
        requestCount: PendingStore.batchCount,
        eventBytes: 512 << 10
    )
    try await count {
        for _ in 0..<batchCount { keep(try await store.advanceOneSecond()) }
    }
    try store.close()
    return batchCount * PendingStore.batchCount
}

/// A store with so many seconds in each of which so many requests are due.
private func storeOfSeconds(
    _ secondCount: Int,
    requestCount: Int,
    eventBytes: Int? = nil
) async throws -> PendingStore {
    var generator = SplitMix64()
    return try await PendingStore(
        dueSeconds: (0..<secondCount * requestCount)
            .map { Int64(1 + $0 / requestCount) }
            .shuffled(using: &generator),
        eventBytes: eventBytes
    )
}

/// The bytes of an `Add` to the request that the store takes, by the scanner.
@Sendable
private func countDecoding() async throws -> Int {
    var generator = SplitMix64()
    var message = Belfry_V1_AddRequest()
    message.center.appID = "org.example.benchmark"
    message.request = .init(.reminder(inSeconds: 3_600, using: &generator))
    let bytes: [UInt8] = try message.serializedBytes()
    let callCount = 1_000
    try await count {
        for _ in 0..<callCount {
            guard let add = ScannedAdd(bytes, atMost: 1) else {
                preconditionFailure("the full decoder is asked for the usual request")
            }
            keep(add)
        }
    }
    return callCount
}

/// The rows of a request, an event and a delivered notification to their bytes and back.
@Sendable
private func countRecords() async throws -> Int {
    let rows = SampleRows()
    let roundCount = 1_000
    try await count {
        for _ in 0..<roundCount { try rows.encodeAndDecode() }
    }
    return roundCount
}

/// All changes of a log into the trees of their tables.
@Sendable
private func countMerge() async throws -> Int {
    let changeCount = 4_096
    let files = try (0..<2).map { _ in try ChangedTables(changeCount: changeCount) }
    var rest = files
    try await count { try rest.removeLast().merge() }
    for file in files { try file.close() }
    return changeCount
}

/// The opening of a file with changes in its log.
@Sendable
private func countReplay() async throws -> Int {
    let changeCount = 4_096
    let file = try ChangedTables(changeCount: changeCount)
    try await count { try file.replay() }
    try file.close()
    return changeCount
}

/// The next date of a calendar rule.
@Sendable
private func countCalendarRule() async throws -> Int {
    let rules = try CalendarRules(limits: false) {
        ($0.weekday, $0.weekdayOrdinal) = (3, 2)
        return []
    }
    try await count { rules.search(rules.measured) }
    return CalendarRules.searchCount
}

/// The next date of a crontab of some times on some weekdays.
@Sendable
private func countPlainRecurrence() async throws -> Int {
    let searchCount = 2_000
    let recurrences = try Recurrences(Recurrences.plain, searchCount: searchCount)
    try await count { recurrences.search() }
    return searchCount
}

/// The next date of a recurrence of which 732 dates are left out.
@Sendable
private func countWorstRecurrence() async throws -> Int {
    let searchCount = 4
    let recurrences = try Recurrences(worstOf: searchCount)
    try await count { recurrences.search() }
    return searchCount
}

/// A search that takes all steps that it may and finds no date.
@Sendable
private func countNever() async throws -> Int {
    let searchCount = 4
    let recurrences = try Recurrences(Recurrences.never, searchCount: searchCount)
    try await count { recurrences.search() }
    return searchCount
}

/// Seconds in each of which one request is due, with 100 subscribers of its center.
///
/// More events of one second would be encoded by one thread of the feeds or by two, as it happens.
@Sendable
private func countFanOut() async throws -> Int {
    let (secondCount, subscriberCount) = (64, 100)
    let store = try await storeOfSeconds(2 * secondCount, requestCount: 1)
    let subscribers = try await Subscribers(subscriberCount, of: store)
    try await count {
        for _ in 0..<secondCount {
            keep(try await store.advanceOneSecond())
            await subscribers.wait(forEach: 1)
        }
    }
    try store.close()
    return secondCount * subscriberCount
}
