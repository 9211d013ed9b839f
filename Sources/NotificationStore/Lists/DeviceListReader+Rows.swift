internal import BelfryLMDB
internal import NotificationCore

// The rows of which a device's list is made, in transactions of a few hundred each.

extension DeviceListReader {
    /// Reads what the device is doing.
    package mutating func readDevice() throws(ReadError) {
        device = try reader.environment.read { transaction throws(LMDBError) in
            try transaction.device(query.device, reader.tables)
        }
    }

    /// Reads the next apps that are asked for, in one transaction.
    ///
    /// - Parameter place: The key of the app after which to go on; nil at the beginning.
    /// - Returns: The same for the next ones; nil at the end.
    /// - Throws: What the store reports.
    package mutating func readApps(after place: [UInt8]?) throws(ReadError) -> [UInt8]? {
        let prefix = Key.centerNumbers(device: query.device)
        return try reader.environment.read { transaction throws(LMDBError) in
            let limit = reader.limits.rowsPerRead
            guard query.apps.isEmpty else {
                let keys = query.apps.map { prefix + Array($0.utf8) }
                    .sorted { $0.lexicographicallyPrecedes($1) }
                let rest = keys.drop { key in
                    place.map { !$0.lexicographicallyPrecedes(key) } ?? false
                }
                for key in rest.prefix(limit) {
                    let table = reader.tables.centerNumbers
                    guard let value = try transaction.value(forKey: key, in: table) else {
                        continue
                    }
                    try addApp(key, value, prefix, in: transaction)
                }
                return rest.count > limit ? rest.prefix(limit).last : nil
            }
            let rows = try appRows(after: place, prefix, limit, in: transaction)
            for row in rows { try addApp(row.key, row.value, prefix, in: transaction) }
            return rows.count == limit ? rows.last?.key : nil
        }
    }

    private func appRows(
        after place: [UInt8]?,
        _ prefix: [UInt8],
        _ limit: Int,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
        try transaction.withCursor(in: reader.tables.centerNumbers) { cursor throws(LMDBError) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            var found = try cursor.seek(atOrAfter: place.map { $0 + [0] } ?? prefix)
            while found, rows.count < limit {
                let row = try cursor.entry()
                guard row.key.starts(with: prefix) else { break }
                rows.append(row)
                found = try cursor.move(to: .next)
            }
            return rows
        }
    }

    private mutating func addApp(
        _ key: [UInt8],
        _ value: [UInt8],
        _ prefix: [UInt8],
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let name = String(decoding: key.dropFirst(prefix.count), as: UTF8.self)
        var value = ByteReader(value)
        let number: UInt32 = try value.number()
        let center = try transaction.center(number, reader.tables)
        let prompt = try center.openPrompt.flatMap { prompt throws(LMDBError) in
            try transaction.prompt(prompt, reader.tables)
        }
        let record = try transaction.app(number, reader.tables)
        apps[name] = App(
            number: number,
            center: center,
            record: record,
            prompt: prompt?.prompt,
            strings: AppStrings(
                app: name,
                on: device,
                development: (record?.registration ?? AppRegistration()).language
            )
        )
    }

    /// Reads an app's list, of each content only what decides about groups and summaries.
    func readList(
        of app: App,
        into list: inout [ListedNotification]
    ) throws(LMDBError) {
        var position = Key.number(app.number)
        while list.count <= reader.limits.listedPerDevice {
            let rows = try reader.environment.read { transaction throws(LMDBError) in
                let table = reader.tables.delivered
                return try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                    var rows: [(key: [UInt8], entry: ListedNotification)] = []
                    var found = try cursor.seek(atOrAfter: position)
                    while found, rows.count < reader.limits.rowsPerRead {
                        let (key, value) = try cursor.entry()
                        guard Key.belongs(key, to: app.number) else { break }
                        let row = try DeliveredRecord(value)
                        let request = try transaction.record(row.sequence, reader.tables).request
                        var delivery = ByteReader(key, from: 4)
                        rows.append(
                            (
                                key,
                                ListedNotification(
                                    app: app.center.name.app,
                                    identifier: request.identifier,
                                    delivery: try delivery.number(),
                                    date: row.date,
                                    content: request.content.forGroups
                                )
                            )
                        )
                        found = try cursor.move(to: .next)
                    }
                    return rows
                }
            }
            list += rows.map(\.entry)
            guard rows.count == reader.limits.rowsPerRead, let last = rows.last else { return }
            position = last.key + [0]
        }
    }
}
