internal import BelfryLMDB
internal import NotificationCore

// An app that is taken off a device. Its name leads nowhere at once; then its rows go, a slice in
// each batch. Each slice leaves the rows that are still there as they should be among themselves,
// and the table `leaving` has the center until the last one, so that a start goes on with it.

extension Batch {
    /// Takes a center's name away, and all that may still act on it: its calls, its subscriptions
    /// and what it may show.
    func unregister(_ number: UInt32) throws(LMDBError) {
        var center = try center(number)
        try transaction.deleteExisting(Key.centerNumber(center.name), in: tables.centerNumbers)
        forgetNumber(of: center.name)
        try transaction.put([], forKey: Key.number(number), in: tables.leaving)
        // What falls due before its turn comes is suppressed.
        center.settings = NotificationSettings()
        try endPrompt(of: &center, number: number)
        setCenter(number, center)
        news.unregistered[number] = center.name
        tell(.appRemoved(center.name), on: center.name.device)
    }

    /// Deletes rows of a center whose app is gone: at most about `limit` of them.
    ///
    /// - Returns: Whether that was all.
    func removeRows(of number: UInt32, atMost limit: Int) throws(LMDBError) -> Bool {
        let row = Key.number(number)
        guard try transaction.contains(key: row, in: tables.leaving) else { return true }
        var center = try center(number)
        var room = limit
        room -= try removeIdentifiers(of: number, &center, atMost: room)
        room -= try removeResponses(of: number, &center, atMost: room)
        for table in [tables.endedCallbacks, tables.categories] {
            room -= try removeRows(of: number, from: table, atMost: room)
        }
        while room > 0, center.firstEvent <= center.lastEvent {
            try trimOldestEvent(of: &center, number: number)
            room -= 1
        }
        guard room > 0 else {
            setCenter(number, center)
            return false
        }
        if let expiry = center.expiry {
            try transaction.deleteExisting(Key.expiry(expiry, center: number), in: tables.expiry)
        }
        let app = try app(of: number)
        for prompt in app.endedPrompts {
            try transaction.deleteExisting(Key.number(prompt), in: tables.prompts)
        }
        let icon = app.registration.icon
        try changeUse(from: icon, to: "", of: center.name.app)
        _ = try transaction.delete(key: row, in: tables.apps)
        // One that was registered in this very batch is not written yet.
        _ = try transaction.delete(key: row, in: tables.centers)
        try transaction.deleteExisting(row, in: tables.leaving)
        forgetCenter(number)
        return true
    }

    /// Takes away what identifiers stand for, and gives how many those were.
    private func removeIdentifiers(
        of number: UInt32,
        _ center: inout CenterState,
        atMost limit: Int
    ) throws(LMDBError) -> Int {
        let keys = try keys(of: number, in: tables.identifiers, atMost: limit)
        for key in keys {
            var identifier = try transaction.identifierRecord(key: key, tables)
            // First, while a request that fires again and again may still note the event.
            try withdraw(&identifier, center: &center, number: number)
            if let pending = identifier.pending.take() {
                try forget(pending, identifier, center, number)
                center.pendingCount -= 1
            }
            if let delivery = identifier.delivered.take() {
                let row = try transaction.deliveredRecord(delivery, center: number, tables)
                let key = Key.numbered(delivery, center: number)
                try transaction.deleteExisting(key, in: tables.delivered)
                center.deliveredCount -= 1
                if row.isHeld { try endHold(for: &center, number: number) }
                try release(row, identifier, center)
            }
            try transaction.deleteExisting(key, in: tables.identifiers)
        }
        return keys.count
    }

    /// Takes away what the person did and the app has not taken: all callbacks that are left then.
    private func removeResponses(
        of number: UInt32,
        _ center: inout CenterState,
        atMost limit: Int
    ) throws(LMDBError) -> Int {
        let keys = try keys(of: number, in: tables.callbacks, atMost: limit)
        for key in keys {
            var reader = ByteReader(key, from: 4)
            let callback: UInt64 = try reader.number()
            let record = try transaction.callback(callback, center: number, tables)
            let due = Key.due(record.deadline.nanoseconds, number: callback)
            try transaction.deleteExisting(due, in: tables.dueElapsed)
            try transaction.deleteExisting(key, in: tables.callbacks)
            center.openResponseCount -= 1
        }
        return keys.count
    }

    /// Deletes rows that nothing refers to, and gives how many those were.
    private func removeRows(
        of number: UInt32,
        from table: Table,
        atMost limit: Int
    ) throws(LMDBError) -> Int {
        let keys = try keys(of: number, in: table, atMost: limit)
        for key in keys { try transaction.deleteExisting(key, in: table) }
        return keys.count
    }

    /// The first keys of a center in a table.
    func keys(
        of center: UInt32,
        in table: Table,
        atMost limit: Int
    ) throws(LMDBError) -> [[UInt8]] {
        guard limit > 0 else { return [] }
        return try transaction.withCursor(in: table) { cursor throws(LMDBError) in
            var keys: [[UInt8]] = []
            var found = try cursor.seek(atOrAfter: Key.number(center))
            while found, keys.count < limit {
                let key = try cursor.key()
                guard Key.belongs(key, to: center) else { break }
                keys.append(key)
                found = try cursor.move(to: .next)
            }
            return keys
        }
    }
}
