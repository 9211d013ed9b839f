internal import BelfryLMDB
internal import Faults
package import NotificationCore
internal import NotificationRecords

package struct UpcomingRequest: Hashable, Sendable {
    package var request: NotificationRequest
    /// The dates within the window of the query, and whether there are more.
    package var upcoming: UpcomingDates
}

/// How far ahead dates are listed, and how many.
package struct UpcomingWindow: Hashable, Sendable {
    /// The length of the window from now, in nanoseconds.
    package var nanoseconds: Int64
    package var datesPerRequest: Int

    package init(nanoseconds: Int64, datesPerRequest: Int) {
        self.nanoseconds = nanoseconds
        self.datesPerRequest = datesPerRequest
    }

    /// After so many dates a page ends.
    static let datesPerPage = 1_000
}

extension ListReader {
    /// A page in identifier order of the requests that fire within a window.
    ///
    /// Dates are searched after the reads: a transaction waits for no search.
    func upcoming(
        _ window: UpcomingWindow,
        on device: String,
        _ zones: ZoneDatabase
    ) throws(StoreFailure) -> Page<UpcomingRequest> {
        let end = now.wall.advanced(byNanoseconds: window.nanoseconds)
        func candidate(
            _ identifier: IdentifierRecord,
            in transaction: borrowing ReadTransaction
        ) throws(StoreFailure) -> ((IdentifierRecord.Pending, RequestRecord), NotificationRequest)?
        {
            guard let pending = identifier.pending, let due = pending.due,
                due.date(asOf: now) <= end
            else { return nil }
            let record = try transaction.row(pending.sequence, in: reader.tables.records)
            return ((pending, record), record.request)
        }
        let found = try page(candidate)
        let state = try reader.device(device)
        var page = Page<UpcomingRequest>(
            entries: [],
            nextToken: found.nextToken,
            asOfEvent: found.asOfEvent
        )
        var dateCount = 0
        for (place, (pending, record)) in found.entries.enumerated() {
            guard let trigger = record.request.trigger, let due = pending.due else { continue }
            // Take UTC for a zone that the machine no longer has, as the firing does.
            let rules = trigger.timeZone.map { zones.name($0, on: state) }
                .flatMap { zones.zone($0)?.rules }
            let upcoming = UpcomingDates(
                of: trigger,
                from: due,
                base: record.base,
                after: Fault.datesToComeBeyondTheLast.isPlanted ? 0 : pending.occurrenceCount,
                until: end,
                atMost: window.datesPerRequest,
                now: now,
                in: rules ?? .utc
            )
            page.entries.append(UpcomingRequest(request: record.request, upcoming: upcoming))
            dateCount += upcoming.dates.count
            if dateCount >= UpcomingWindow.datesPerPage, place < found.entries.count - 1 {
                page.nextToken = Array(record.request.identifier.utf8)
                break
            }
        }
        return page
    }
}
