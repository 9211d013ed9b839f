internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// Reads pages of a center's lists, a few hundred rows in each transaction.
struct ListReader {
    let reader: StoreReader
    let query: ListQuery
    let number: CenterNumber
    let asOfEvent: EventNumber
    let now: Now
    /// The bytes of the requested identifiers; empty is all.
    private let identifiers: Set<[UInt8]>

    /// Whether a filter skips entries; the number of rows that are read for one page is then
    /// limited.
    private var isFiltered: Bool {
        !identifiers.isEmpty || query.threadIdentifier != nil || query.categoryIdentifier != nil
    }

    init(
        reader: StoreReader,
        query: ListQuery,
        number: CenterNumber,
        asOfEvent: EventNumber,
        now: Now
    ) {
        self.reader = reader
        self.query = query
        self.number = number
        self.asOfEvent = asOfEvent
        self.now = now
        identifiers = Set(query.identifiers.map { Array($0.utf8) })
    }

    // Compare bytes: strings that only look alike name different requests and threads.
    private func matches(_ request: NotificationRequest) -> Bool {
        func isAsked(_ asked: String?, _ found: String) -> Bool {
            asked.map { $0.utf8.elementsEqual(found.utf8) } ?? true
        }
        return (identifiers.isEmpty || identifiers.contains(Array(request.identifier.utf8)))
            && isAsked(query.threadIdentifier, request.content.groupingThread)
            && isAsked(query.categoryIdentifier, request.content.categoryIdentifier)
    }

    /// Whether an identifier is in the list, and how its entry is made.
    typealias Entry<Value> = (
        IdentifierRecord, borrowing ReadTransaction
    ) throws(StoreFailure) -> (Value, NotificationRequest)?

    func pending(
        _ identifier: IdentifierRecord,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> (PendingRequest, NotificationRequest)? {
        guard let pending = identifier.pending else { return nil }
        let record = try transaction.row(pending.sequence, in: reader.tables.records)
        let entry = PendingRequest(
            request: record.request,
            nextFire: pending.due?.date(asOf: now),
            addedAt: record.addedAt
        )
        return (entry, record.request)
    }

    func delivered(
        _ identifier: IdentifierRecord,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> (DeliveredNotification, NotificationRequest)? {
        guard let delivery = identifier.delivered else { return nil }
        let key = DeliveryKey(delivery, of: number)
        let row = try transaction.row(key, in: reader.tables.delivered)
        let request = try transaction.row(row.sequence, in: reader.tables.records).request
        guard reader.profile.lists(request) else { return nil }
        return (
            DeliveredNotification(request: request, date: row.date, delivery: delivery), request
        )
    }

    /// A page in identifier order.
    ///
    /// `keys` are the keys that may have entries, in the list's order; nil is all keys of the
    /// center.
    func page<Value: Sendable>(
        of keys: [[UInt8]]? = nil,
        _ entry: Entry<Value>
    ) throws(StoreFailure) -> Page<Value> {
        let keys = identifiers.isEmpty ? keys : namedKeys
        var page = Page<Value>(entries: [], nextToken: nil, asOfEvent: asOfEvent)
        var byteCount = 0
        var rowCount = 0
        var position = query.token.map { number.bytes + $0 }
        while true {
            let count = rowsToRead(page.entries.count)
            let rows = try self.rows(of: keys, after: position, count)
            for slice in try entries(of: rows, entry) {
                guard let (value, request) = slice.entry, matches(request) else { continue }
                if isFull(page.entries.count, byteCount) {
                    return page
                }
                page.entries.append(value)
                byteCount += request.byteCount
                // Give the token only where the list goes on.
                page.nextToken = Array(slice.key.dropFirst(4))
            }
            guard rows.count == count, let last = rows.last else {
                page.nextToken = nil
                return page
            }
            position = last
            rowCount += rows.count
            guard rowCount < reader.limits.rowsPerPage || Fault.filterWithoutBound.isPlanted else {
                page.nextToken = Array(last.dropFirst(4))
                return page
            }
        }
    }

    /// A page of the delivered list in identifier order, made from the few rows of the delivered
    /// list, not from the identifiers of all pending requests.
    func deliveredByIdentifier() throws(StoreFailure) -> Page<DeliveredNotification> {
        guard identifiers.isEmpty else { return try page(delivered) }
        var keys: [[UInt8]] = []
        var position: DeliveryKey?
        while true {
            let rows = try deliveredRows(before: position, reader.limits.rowsPerRead)
            keys += rows.map { row in
                number.bytes + Array(row.notification.request.identifier.utf8)
            }
            guard rows.count == reader.limits.rowsPerRead, let last = rows.last else { break }
            position = last.key
        }
        keys.sort { $0.lexicographicallyPrecedes($1) }
        return try page(of: keys, delivered)
    }

    /// How many rows are read at once: where each row is an entry, no more than the page needs.
    private func rowsToRead(_ entryCount: Int) -> Int {
        let limit = reader.limits.rowsPerRead
        return isFiltered ? limit : min(limit, max(query.pageSize - entryCount, 0) + 16)
    }

    /// A page by next fire date: the whole list is sorted, so the list's length is limited.
    func pendingByDate() throws(StoreFailure) -> Page<PendingRequest> {
        var order: [(due: Due?, key: [UInt8])] = []
        let keys = identifiers.isEmpty ? nil : namedKeys
        var position: [UInt8]?
        repeat {
            let rows = try self.rows(of: keys, after: position, reader.limits.rowsPerRead)
            for row in try entries(
                of: rows,
                { identifier, _ throws(StoreFailure) in
                    identifier.pending.map { pending in
                        (pending.due, NotificationRequest(identifier: "", content: .init()))
                    }
                }
            ) {
                // Skip a request without a due instant: it waits for a place, and comes last.
                guard let entry = row.entry else { continue }
                order.append((entry.0, row.key))
            }
            position = rows.count == reader.limits.rowsPerRead ? rows.last : nil
        } while position != nil
        // Compares due instants of both clocks as of this instant; a token keeps each due instant
        // on its own clock.
        func precedes(
            _ left: (due: Due?, key: [UInt8]),
            _ right: (due: Due?, key: [UInt8])
        ) -> Bool {
            let late = (left.due.lateness(at: now), right.due.lateness(at: now))
            return late.0 == late.1
                ? left.key.lexicographicallyPrecedes(right.key) : late.0 > late.1
        }
        order.sort(by: precedes)
        let start = query.token.flatMap(dueToken)

        var page = Page<PendingRequest>(entries: [], nextToken: nil, asOfEvent: asOfEvent)
        var byteCount = 0
        var rowCount = 0
        func token(_ row: (due: Due?, key: [UInt8])) -> [UInt8] {
            var token = ByteWriter()
            row.due.write(to: &token)
            return token.bytes + row.key.dropFirst(4)
        }
        for row in order {
            if let start, !precedes(start, row) { continue }
            let found = try entries(of: [row.key], pending).first?.entry
            rowCount += 1
            if let (value, request) = found, matches(request) {
                if isFull(page.entries.count, byteCount) { return page }
                page.entries.append(value)
                byteCount += request.byteCount
                page.nextToken = token(row)
            }
            if rowCount == reader.limits.rowsPerPage {
                page.nextToken = token(row)
                return page
            }
        }
        page.nextToken = nil
        return page
    }

    /// The place where a page by next fire date ended; nil for the token of another order.
    private func dueToken(_ token: [UInt8]) -> (due: Due?, key: [UInt8])? {
        var reader = ByteReader(token)
        guard case .success(let due) = Result(catching: { try Due?(&reader) }) else { return nil }
        return (due, number.bytes + reader.rest)
    }

    /// A page of the delivered list, the newest first.
    func deliveredNewestFirst() throws(StoreFailure) -> Page<DeliveredNotification> {
        var page = Page<DeliveredNotification>(entries: [], nextToken: nil, asOfEvent: asOfEvent)
        var byteCount = 0
        var position = query.token.flatMap { try? DeliveryKey(number.bytes + $0) }
        while true {
            let count = rowsToRead(page.entries.count)
            let rows = try deliveredRows(before: position, count)
            for row in rows {
                guard matches(row.notification.request),
                    reader.profile.lists(row.notification.request)
                else { continue }
                if isFull(page.entries.count, byteCount) { return page }
                page.entries.append(row.notification)
                byteCount += row.notification.request.byteCount
                page.nextToken = Array(row.key.bytes.dropFirst(4))
            }
            guard rows.count == count, let last = rows.last else {
                page.nextToken = nil
                return page
            }
            position = last.key
        }
    }

    private func deliveredRows(
        before position: DeliveryKey?,
        _ count: Int
    ) throws(StoreFailure) -> [(key: DeliveryKey, notification: DeliveredNotification)] {
        try reader.environment.reading { transaction throws(StoreFailure) in
            try transaction.lastRows(
                in: reader.tables.delivered,
                .center(number),
                before: position,
                atMost: count
            ).map { key, row throws(StoreFailure) in
                let request = try transaction.row(row.sequence, in: reader.tables.records).request
                let notification = DeliveredNotification(
                    request: request,
                    date: row.date,
                    delivery: key.number
                )
                return (key, notification)
            }
        }
    }

    private func isFull(_ count: Int, _ byteCount: Int) -> Bool {
        count >= query.pageSize || byteCount >= reader.limits.bytesPerPage
    }

    /// The keys of the requested identifiers, in the order of the list.
    private var namedKeys: [[UInt8]] {
        identifiers.map { number.bytes + $0 }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The next rows of some keys, or of all keys of the center.
    private func rows(
        of keys: [[UInt8]]?,
        after position: [UInt8]?,
        _ count: Int
    ) throws(StoreFailure) -> [[UInt8]] {
        if let keys {
            let rest = keys.drop { key in
                position.map { !$0.lexicographicallyPrecedes(key) } ?? false
            }
            return Array(rest.prefix(count))
        }
        return try reader.environment.reading { transaction throws(StoreFailure) in
            try transaction.keys(
                bytesOf: reader.tables.identifiers.raw,
                number.bytes,
                from: position.map(keyBehind),
                atMost: count
            )
        }
    }

    private func entries<Value>(
        of keys: [[UInt8]],
        _ entry: Entry<Value>
    ) throws(StoreFailure) -> [(key: [UInt8], entry: (Value, NotificationRequest)?)] {
        try reader.environment.reading { transaction throws(StoreFailure) in
            var entries: [(key: [UInt8], entry: (Value, NotificationRequest)?)] = []
            entries.reserveCapacity(keys.count)
            for key in keys {
                let table = reader.tables.identifiers
                let identifier = try transaction.rowIfAny(at: key, in: table) ?? IdentifierRecord()
                entries.append((key, try entry(identifier, transaction)))
            }
            return entries
        }
    }
}
