internal import BelfryLMDB
internal import NotificationCore

/// An app that is taken off a device.
///
/// Its name leads nowhere at once; then its rows go, a slice in each batch. Each slice leaves the
/// rows that are still there as they should be among themselves, and the table `leaving` has the
/// center until the last one, so that a start goes on with it.
struct Departure {
    let center: CenterWork
    private var batch: Batch { center.batch }
    private var row: [UInt8] { Key.number(center.number) }

    /// Takes the center's name away, and all that may still act on it: its calls, its subscriptions
    /// and what it may show.
    func begin() throws(LMDBError) {
        let key = Key.centerNumber(center.name)
        try batch.transaction.deleteExisting(key, in: batch.tables.centerNumbers)
        batch.forgetNumber(of: center.name)
        try batch.transaction.put([], forKey: row, in: batch.tables.leaving)
        // What falls due before its turn comes is suppressed.
        center.state.settings = NotificationSettings()
        try center.prompts.end()
        batch.news.unregistered[center.number] = center.name
        center.tell(.appRemoved(center.name))
    }

    /// Deletes rows of the center: at most about `limit` of them.
    ///
    /// - Returns: Whether that was all.
    /// - Throws: What the store reports.
    func removeRows(atMost limit: Int) throws(LMDBError) -> Bool {
        let tables = batch.tables
        var room = limit
        room -= try removeIdentifiers(atMost: room)
        room -= try removeResponses(atMost: room)
        for table in [tables.endedCallbacks, tables.categories] {
            room -= try removeRows(from: table, atMost: room)
        }
        while room > 0, center.state.firstEvent <= center.state.lastEvent {
            try center.events.trimOldest()
            room -= 1
        }
        guard room > 0 else { return false }
        try center.events.setExpiry(nil)
        let app = try center.app()
        for prompt in app.endedPrompts {
            try batch.transaction.deleteExisting(Key.number(prompt), in: tables.prompts)
        }
        try batch.attachments.changeUse(from: app.registration.icon, to: "", of: center.name.app)
        _ = try batch.transaction.delete(key: row, in: tables.apps)
        // One that was registered in this very batch is not written yet.
        _ = try batch.transaction.delete(key: row, in: tables.centers)
        try batch.transaction.deleteExisting(row, in: tables.leaving)
        batch.forgetCenter(center.number)
        return true
    }

    /// Takes away what identifiers stand for, and gives how many those were.
    private func removeIdentifiers(atMost limit: Int) throws(LMDBError) -> Int {
        let keys = try center.keys(in: batch.tables.identifiers, atMost: limit)
        for key in keys {
            let identifier = try center.identifier(Key.identifier(in: key))
            // First, while a request that fires again and again may still note the event.
            try center.callbacks.withdraw(identifier)
            try center.records.takePending(identifier)
            try center.delivered.drop(identifier)
        }
        try center.writeIdentifiers()
        return keys.count
    }

    /// Takes away what the person did and the app has not taken: all callbacks that are left then.
    private func removeResponses(atMost limit: Int) throws(LMDBError) -> Int {
        let keys = try center.keys(in: batch.tables.callbacks, atMost: limit)
        for key in keys {
            let callback = try Key.number(inNumbered: key)
            let (number, tables) = (center.number, batch.tables)
            let record = try batch.transaction.callback(callback, center: number, tables)
            try center.callbacks.delete(callback, record)
        }
        return keys.count
    }

    /// Deletes rows that nothing refers to, and gives how many those were.
    private func removeRows(from table: Table, atMost limit: Int) throws(LMDBError) -> Int {
        let keys = try center.keys(in: table, atMost: limit)
        for key in keys { try batch.transaction.deleteExisting(key, in: table) }
        return keys.count
    }
}

extension Batch {
    /// Deletes rows of a center whose app is gone: at most about `limit` of them.
    ///
    /// - Returns: Whether that was all.
    /// - Throws: What the store reports.
    func removeRows(ofLeaving number: UInt32, atMost limit: Int) throws(LMDBError) -> Bool {
        guard try transaction.contains(key: Key.number(number), in: tables.leaving) else {
            return true
        }
        return try center(number).departure.removeRows(atMost: limit)
    }
}
