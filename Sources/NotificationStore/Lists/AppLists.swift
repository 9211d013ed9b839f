internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

package struct ListedAttachment: Hashable, Sendable {
    package var attachment: StoredAttachment
    /// How many requests, apps, sounds and rich pushes refer to it.
    package var referenceCount: Int
}

package struct ListedSound: Hashable, Sendable {
    package var sound: InstalledSound
    /// The size of the sound's file in bytes.
    package var byteCount: Int
}

/// The texts of an app in one language, in a list.
package struct ListedStringTable: Hashable, Sendable {
    /// The language, as a tag in its canonical form.
    package var language: String
    package var count: Int
    /// The bytes of the texts and their keys in the store.
    package var byteCount: Int
}

/// The use that a caller with limits makes of them.
package struct ListedCaller: Hashable, Sendable {
    /// The caller's ``Registrant/name``.
    package var name: String
    package var apps: Int
    package var fileBytes: Int
    package var storeBytes: Int
}

package struct AppPageQuery: Sendable {
    /// The app, which need not be registered; empty for a list of all callers.
    package var app: String
    /// How many entries the page has at most.
    package var pageSize: Int
    /// The ``AppListPage/nextToken`` of the page before; nil for the first page.
    package var token: [UInt8]?

    package init(app: String, pageSize: Int, token: [UInt8]?) {
        self.app = app
        self.pageSize = pageSize
        self.token = token
    }
}

package struct AppListPage<Entry: Sendable>: Sendable {
    /// The entries, in the order of their keys' bytes.
    package var entries: [Entry]
    package var nextToken: [UInt8]?
}

extension Store {
    /// Reads a page of an app's stored files, by identifier; `completion` runs on a reader thread.
    package func listAttachments(
        _ query: AppPageQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<AppListPage<ListedAttachment>>
    ) {
        let now = clock.now()
        readList(caller, completion) { reader throws(StoreFailure) in
            try reader.attachments(query, now)
        }
    }

    /// Reads a page of an app's sounds, by name; `completion` runs on a reader thread.
    package func listSounds(
        _ query: AppPageQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<AppListPage<ListedSound>>
    ) {
        readList(caller, completion) { reader throws(StoreFailure) in try reader.sounds(query) }
    }

    /// Reads a page of the languages in which an app has texts; `completion` runs on a reader
    /// thread.
    package func listStringTables(
        _ query: AppPageQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<AppListPage<ListedStringTable>>
    ) {
        readList(caller, completion) { reader throws(StoreFailure) in
            try reader.stringTables(query)
        }
    }

    /// Reads a page of the callers that have limits, by name; `completion` runs on a reader thread.
    package func listCallers(
        _ query: AppPageQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<AppListPage<ListedCaller>>
    ) {
        readList(caller, completion) { reader throws(StoreFailure) in try reader.callers(query) }
    }

    /// The damaged rows that were met, by table and key.
    package var damagedRows: [DamagedRow] { damage.rows }

    private func readList<Entry: Sendable>(
        _ caller: ReadCaller,
        _ completion: @escaping Completion<AppListPage<Entry>>,
        _ read: @escaping @Sendable (AppListReader) throws(StoreFailure) -> AppListPage<Entry>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in
            try damage.orRefuse { try read(AppListReader(reader: reader)) }
        }
    }
}

/// Reads the lists of apps, in transactions of a few hundred rows.
private struct AppListReader {
    let reader: StoreReader

    private var tables: Tables { reader.tables }

    func attachments(
        _ query: AppPageQuery,
        _ now: Now
    ) throws(StoreFailure) -> AppListPage<ListedAttachment> {
        try page(query, of: tables.attachments, .app(query.app)) {
            key,
            transaction throws(StoreFailure) in
            let record = try transaction.row(key, in: tables.attachments)
            let attachment = StoredAttachment(record, key.identifier, app: key.app, now: now)
            return ListedAttachment(
                attachment: attachment,
                referenceCount: Int(record.referenceCount)
            )
        }
    }

    func sounds(
        _ query: AppPageQuery
    ) throws(StoreFailure) -> AppListPage<ListedSound> {
        try page(query, of: tables.sounds, .app(query.app)) {
            key,
            transaction throws(StoreFailure) in
            let file = try transaction.row(key, in: tables.sounds).attachment
            let stored = try transaction.attachment(file, of: key.app, tables)
            guard let stored, let facts = stored.sound else {
                throw .disagrees(key, in: tables.sounds)
            }
            let sound = InstalledSound(name: key.name, attachment: file.text, facts: facts)
            return ListedSound(sound: sound, byteCount: stored.byteCount)
        }
    }

    func callers(_ query: AppPageQuery) throws(StoreFailure) -> AppListPage<ListedCaller> {
        try page(query, of: tables.registrants, KeyPrefix([])) {
            key,
            transaction throws(StoreFailure) in
            let count = try transaction.row(key, in: tables.registrants)
            return ListedCaller(
                name: key.name,
                apps: count.apps,
                fileBytes: count.fileBytes,
                storeBytes: count.storeBytes
            )
        }
    }

    func stringTables(
        _ query: AppPageQuery
    ) throws(StoreFailure) -> AppListPage<ListedStringTable> {
        try page(query, of: tables.stringTables, .app(query.app)) {
            key,
            transaction throws(StoreFailure) in
            let size = try transaction.stringTableSize(at: key, in: tables.stringTables)
            return ListedStringTable(
                language: key.language,
                count: size.count,
                byteCount: size.byteCount
            )
        }
    }

    /// Reads a page of the rows of a table whose keys begin with an app, some rows in each
    /// transaction.
    private func page<Key: TableKey, Row: TableRow, Entry>(
        _ query: AppPageQuery,
        of table: TypedTable<Key, Row>,
        _ prefix: KeyPrefix<Key>,
        _ entry: (Key, borrowing ReadTransaction) throws(StoreFailure) -> Entry
    ) throws(StoreFailure) -> AppListPage<Entry> {
        var page = AppListPage<Entry>(entries: [], nextToken: nil)
        var position = query.token.flatMap { try? Key($0) }
        while true {
            // Read one more than the page takes: it tells whether another page follows.
            let limit = min(reader.limits.rowsPerRead, query.pageSize - page.entries.count + 1)
            let found = try reader.environment.reading { transaction throws(StoreFailure) in
                let keys = try transaction.keys(in: table, prefix, after: position, atMost: limit)
                return try keys.map { key throws(StoreFailure) in
                    (key, try entry(key, transaction))
                }
            }
            for (key, entry) in found {
                guard page.entries.count < query.pageSize else { return page }
                page.entries.append(entry)
                // Give a token only where a further entry is found.
                page.nextToken = key.bytes
            }
            guard found.count == limit else {
                page.nextToken = nil
                return page
            }
            position = found.last?.0
        }
    }
}
