internal import BelfryLocking
package import NotificationCore
package import NotificationStore

/// Which part of an app's history is asked for.
package struct HistoryQuery: Hashable, Sendable {
    package var device: String
    package var app: String
    /// A text that entries have; empty is any.
    package var text = ""
    /// The notification that entries are about; empty is any.
    package var identifier = ""
    package var since: WallInstant?
    package var before: WallInstant?
    package var pageSize = 100
    /// The ``HistoryPage/nextToken`` of the page before; nil for the first page.
    package var token: [UInt8]?

    package init(device: String, app: String) {
        self.device = device
        self.app = app
    }
}

/// A page of what became of an app's notifications, the newest first.
package struct HistoryPage: Sendable {
    package struct Entry: Sendable {
        package var event: Event
        /// The notification as the device would show it now; nil for an event without a content.
        package var shown: ShownNotification?
        package var addedAt: WallInstant?
        /// Whether the device hides texts of the app now.
        package var hidesTexts: Bool
    }

    package var entries: [Entry] = []
    package var nextToken: [UInt8]?
}

extension Feeds {
    /// Reads a page of what became of an app's notifications; `completion` runs on a reader thread.
    ///
    /// `completion` is told the page, or why there is none.
    package func listHistory(
        _ query: HistoryQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<HistoryPage>
    ) {
        var asked = DeviceListQuery(device: query.device)
        asked.apps = [query.app]
        let list = DeviceListReader(reader: reader, query: asked)
        let history = Guarded(HistoryReader(query: query, list: list))
        store.lists.readInSteps(for: caller, completion) { [reader] () throws(Refusal) in
            do {
                return try history.withLock { history throws(ReadError) in try history.step() }
            } catch {
                throw reader.refusal(for: error)
            }
        }
    }
}

/// Reads a page of an app's history, some events at a time.
private struct HistoryReader {
    private let query: HistoryQuery
    private var list: DeviceListReader
    private let text: String
    private var page = HistoryPage()
    private var position: EventNumber?
    private var (rowCount, readBytes) = (0, 0)

    init(query: HistoryQuery, list: DeviceListReader) {
        self.query = query
        self.list = list
        text = query.text.lowercased()
        position = query.token.map { EventNumber(rawValue: UInt64(bytes: $0.prefix(8))) }
    }

    /// Does a step of the work for the page that the query asks for.
    ///
    /// - Returns: The page; nil where there is more to do.
    mutating func step() throws(ReadError) -> HistoryPage? {
        guard try list.readSomeApps() else { return nil }
        guard let app = list.apps[query.app] else { return page }
        let limits = list.reader.limits
        let previews = app.center.settings.showPreviews
        let hidesTexts = previews.hidesText(whileLocked: list.device.isLocked)
        let (rows, hasMore) = try app.lastEvents(before: position, in: list.reader)
        for row in rows {
            rowCount += 1
            readBytes += row.byteCount
            if let entry = try entry(of: row, hidesTexts), entry.has(text) {
                guard page.entries.count < query.pageSize, list.byteCount < limits.bytesPerPage
                else { return page }
                page.entries.append(entry)
            }
            position = row.event.number
            page.nextToken = row.event.number.rawValue.bytes
            guard rowCount < limits.rowsPerPage, readBytes < limits.bytesPerPage
            else { return page }
        }
        if hasMore { return nil }
        page.nextToken = nil
        return page
    }

    /// Gives the entry of an event; nil where the event is about no notification, or was not asked
    /// for.
    private mutating func entry(
        of row: HistoryRow,
        _ hidesTexts: Bool
    ) throws(ReadError) -> HistoryPage.Entry? {
        let event = row.event
        guard let identifier = event.identifier,
            query.identifier.isEmpty || identifier.isExactly(query.identifier),
            query.since.map({ event.date >= $0 }) ?? true,
            query.before.map({ event.date < $0 }) ?? true
        else { return nil }
        var entry = HistoryPage.Entry(event: event, addedAt: row.addedAt, hidesTexts: hidesTexts)
        if let content = event.content {
            entry.shown = try list.show(
                ListedNotification(
                    app: query.app,
                    identifier: identifier,
                    delivery: 0,
                    date: event.date,
                    content: content
                ),
                content
            )
        }
        return entry
    }
}

extension HistoryPage.Entry {
    /// Whether the person can read a text in it, which is in small letters.
    fileprivate func has(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        var texts = [event.identifier ?? ""]
        if let rendered = shown?.rendered {
            texts += [rendered.title, rendered.subtitle, rendered.body]
        }
        if !hidesTexts, let typed = event.userText { texts.append(typed) }
        return texts.contains { $0.lowercased().contains(text) }
    }
}

extension Event {
    /// The notification that the event is about; nil where it is about none.
    fileprivate var identifier: String? {
        switch kind {
        case .delivered(let delivered): delivered.notification.request.identifier
        case .suppressed(let fired, _, _), .missed(let fired): fired.request.identifier
        case .removed(let removed): removed.identifier
        case .expired(let identifier), .evicted(let identifier, _): identifier
        case .responseCompleted(let responded), .responseExpired(let responded):
            responded.identifier
        case .snoozed(let snoozed): snoozed.identifier
        case .settingsChanged, .badgeChanged, .summaryPresented, .openSettings, .tokenChanged,
            .backgroundPush:
            nil
        }
    }

    fileprivate var content: NotificationContent? {
        switch kind {
        case .delivered(let delivered): delivered.notification.request.content
        case .suppressed(let fired, _, _), .missed(let fired): fired.request.content
        default: nil
        }
    }

    /// The text that the person typed; nil where they typed nothing.
    fileprivate var userText: String? {
        switch kind {
        case .responseCompleted(let responded), .responseExpired(let responded): responded.userText
        default: nil
        }
    }
}
