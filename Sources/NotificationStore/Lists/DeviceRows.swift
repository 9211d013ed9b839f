internal import BelfryLMDB
package import NotificationCore

// The rows of which a device's list is made, in transactions of a few hundred each.

/// An app of a device, with all that the rendering of its notifications needs.
///
/// Used by one thread.
package struct DeviceApp {
    let number: UInt32
    /// The app's center.
    package let center: CenterState
    /// The app's registration.
    package let registration: AppRegistration
    /// How the app's notifications are grouped.
    package let grouping: GroupingMode
    /// The app's open prompt to the person; nil is none.
    package let prompt: AuthorizationPrompt?
    /// The app's texts in the person's languages.
    let texts: AppStrings

    /// The texts that were looked up so far.
    package var strings: LocalizedStrings { texts.strings }
}

extension StoreReader {
    /// The state of a device.
    package func device(_ name: String) throws(ReadError) -> DeviceState {
        try environment.read { transaction throws(LMDBError) in
            try transaction.device(name, tables)
        }
    }

    /// The next apps of a device, in one transaction, by name.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - state: The device's state.
    ///   - names: The requested apps; empty is all.
    ///   - place: The key of the app after which to go on; nil at the beginning.
    /// - Returns: The apps, and the place after them; nil at the end.
    /// - Throws: What the store reports.
    package func apps(
        of device: String,
        in state: DeviceState,
        // Bounded: names of apps, which were validated.
        named names: Set<String>,
        after place: [UInt8]?
    ) throws(ReadError) -> (apps: [(name: String, app: DeviceApp)], place: [UInt8]?) {
        let prefix = Key.centerNumbers(device: device)
        return try environment.read { transaction throws(LMDBError) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            let next: [UInt8]?
            if names.isEmpty {
                rows = try appRows(after: place, prefix, in: transaction)
                next = rows.count == limits.rowsPerRead ? rows.last?.key : nil
            } else {
                let keys = names.map { prefix + Array($0.utf8) }
                    .sorted { $0.lexicographicallyPrecedes($1) }
                let rest = keys.drop { key in
                    place.map { !$0.lexicographicallyPrecedes(key) } ?? false
                }
                for key in rest.prefix(limits.rowsPerRead) {
                    let value = try transaction.value(forKey: key, in: tables.centerNumbers)
                    if let value { rows.append((key, value)) }
                }
                next = rest.count > limits.rowsPerRead ? rest.prefix(limits.rowsPerRead).last : nil
            }
            var apps: [(name: String, app: DeviceApp)] = []
            for row in rows {
                let name = String(decoding: row.key.dropFirst(prefix.count), as: UTF8.self)
                apps.append((name, try app(name, row.value, state, in: transaction)))
            }
            return (apps, next)
        }
    }

    private func appRows(
        after place: [UInt8]?,
        _ prefix: [UInt8],
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
        try transaction.withCursor(in: tables.centerNumbers) { cursor throws(LMDBError) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            var found = try cursor.seek(atOrAfter: place.map { $0 + [0] } ?? prefix)
            while found, rows.count < limits.rowsPerRead {
                let row = try cursor.entry()
                guard row.key.starts(with: prefix) else { break }
                rows.append(row)
                found = try cursor.move(to: .next)
            }
            return rows
        }
    }

    private func app(
        _ name: String,
        _ row: [UInt8],
        _ state: DeviceState,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> DeviceApp {
        var row = ByteReader(row)
        let number: UInt32 = try row.number()
        let center = try transaction.center(number, tables)
        let prompt = try center.openPrompt.flatMap { prompt throws(LMDBError) in
            try transaction.prompt(prompt, tables)
        }
        let record = try transaction.app(number, tables)
        let registration = record?.registration ?? AppRegistration()
        return DeviceApp(
            number: number,
            center: center,
            registration: registration,
            grouping: record?.grouping ?? .automatic,
            prompt: prompt?.prompt,
            texts: AppStrings(app: name, on: state, development: registration.language)
        )
    }

    /// Reads an app's list, with only those parts of each content that groups and summaries need.
    ///
    /// It stops when all read notifications are more than ``StoreLimits/listedPerDevice``.
    package func readList(
        of app: DeviceApp,
        into list: inout [ListedNotification]
    ) throws(ReadError) {
        var position = Key.number(app.number)
        while list.count <= limits.listedPerDevice {
            let rows = try listRows(of: app, after: position)
            list += rows.map(\.entry)
            guard rows.count == limits.rowsPerRead, let last = rows.last else { return }
            position = last.key + [0]
        }
    }

    private func listRows(
        of app: DeviceApp,
        after position: [UInt8]
    ) throws(LMDBError) -> [(key: [UInt8], entry: ListedNotification)] {
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: tables.delivered) { cursor throws(LMDBError) in
                var rows: [(key: [UInt8], entry: ListedNotification)] = []
                var found = try cursor.seek(atOrAfter: position)
                while found, rows.count < limits.rowsPerRead {
                    let (key, value) = try cursor.entry()
                    guard Key.belongs(key, to: app.number) else { break }
                    let row = try DeliveredRecord(value)
                    let request = try transaction.record(row.sequence, tables).request
                    var delivery = ByteReader(key, from: 4)
                    let entry = ListedNotification(
                        app: app.center.name.app,
                        identifier: request.identifier,
                        delivery: try delivery.number(),
                        date: row.date,
                        content: request.content.forGroups
                    )
                    rows.append((key, entry))
                    found = try cursor.move(to: .next)
                }
                return rows
            }
        }
    }

    /// The content of a notification, with its texts looked up, and whether the notification waits
    /// for the summary; nil where it no longer exists.
    ///
    /// - Parameters:
    ///   - delivery: The number of the delivery.
    ///   - app: Its app.
    ///   - known: The content of a notification without an entry in the list.
    /// - Returns: Both.
    /// - Throws: What the store reports.
    package func content(
        of delivery: UInt64,
        in app: DeviceApp,
        known: NotificationContent? = nil
    ) throws(ReadError) -> (NotificationContent, isHeld: Bool)? {
        try environment.read { transaction throws(LMDBError) in
            var isHeld = false
            var content = known
            if content == nil {
                let key = Key.numbered(delivery, center: app.number)
                guard let bytes = try transaction.value(forKey: key, in: tables.delivered)
                else { return nil }
                let row = try DeliveredRecord(bytes)
                isHeld = row.isHeld
                content = try transaction.record(row.sequence, tables).request.content
            }
            guard let content else { return nil }
            try app.texts.lookUp(content.localizationKeys, tables, in: transaction)
            return (content, isHeld)
        }
    }

    /// A category of an app, with its texts looked up.
    package func category(
        _ identifier: String,
        of app: DeviceApp
    ) throws(ReadError) -> NotificationCategory? {
        try environment.read { transaction throws(LMDBError) in
            let category = try transaction.category(identifier, center: app.number, tables)
            try app.texts.lookUp(category?.localizationKeys ?? [], tables, in: transaction)
            return category
        }
    }
}

extension NotificationContent {
    /// The parts of the content that groups and summaries need: the whole contents of a long list
    /// would not fit in memory.
    fileprivate var forGroups: NotificationContent {
        var content = NotificationContent()
        content.threadIdentifier = threadIdentifier
        content.categoryIdentifier = categoryIdentifier
        content.summaryArgument = summaryArgument
        content.summaryArgumentCount = summaryArgumentCount
        content.communication = communication
        return content
    }
}
