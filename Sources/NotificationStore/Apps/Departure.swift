internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The removal of an app's center, after the app was unregistered.
///
/// The center's name is removed at once; then its rows are deleted, a slice in each batch. After
/// each slice the remaining rows are consistent, and the center stays in the table `leaving` until
/// the last slice, so that a start of the server goes on with the removal.
struct Departure: CenterPart {
    let center: CenterWork

    /// Removes the center's name, and ends all that may still act on the center: calls,
    /// subscriptions, pushes, and notifications to show.
    ///
    /// - Returns: The app's token for pushes, which has ended.
    func begin() throws(StoreFailure) -> DeviceToken? {
        let token = try center.remote.end(.unregistered)
        // The rows of the registration are found by the name.
        try batch.settleRows()
        try batch.transaction.deleteExisting(center.name, in: batch.tables.centerNumbers)
        batch.forgetNumber(of: center.name)
        try batch.transaction.put(center.number, in: batch.tables.leaving)
        // Suppress requests that become due before they are deleted.
        center.state.settings = NotificationSettings()
        try center.prompts.end()
        batch.presentationWork.closeAll(of: center.number)
        batch.news.unregistered[center.number] = center.name
        center.tell(.appRemoved(center.name))
        try batch.noteEnd(of: center.state)
        return token
    }

    /// Deletes rows of the center: at most about `limit` of them.
    ///
    /// - Returns: Whether no row is left.
    func removeRows(atMost limit: Int) throws(StoreFailure) -> Bool {
        if !Fault.releasedRecordsOutliveTheirApp.isPlanted { batch.released.deleteAll() }
        var room = limit
        room -= try removeIdentifiers(atMost: room)
        room -= try removeResponses(atMost: room)
        room -= try removeRows(from: tables.endedCallbacks, atMost: room)
        room -= try removeRows(from: tables.categories, atMost: room)
        room -= try removeRows(from: tables.actionMeanings, atMost: room)
        room -= try removeRows(from: tables.backgroundPushes, atMost: room)
        room -= try batch.richPushes.forget(center, atMost: room)
        room -= try PushReceipts(batch: batch).forget(center, atMost: room)
        while room > 0, center.state.firstEvent <= center.state.lastEvent {
            try center.events.trimOldest()
            room -= 1
        }
        guard room > 0 else { return false }
        try center.events.setExpiry(nil)
        let app = try center.app()
        for prompt in app.endedPrompts {
            try batch.transaction.deleteExisting(prompt, in: tables.prompts)
        }
        try batch.attachments.changeUse(from: app.registration.icon, to: "", of: center.name.app)
        try batch.transaction.delete(center.number, in: tables.backgroundWork)
        // Read the registrant before the row with its name is deleted.
        _ = try center.registrant()
        try batch.transaction.delete(center.number, in: tables.apps)
        try batch.transaction.delete(center.number, in: tables.locationAccess)
        // Charge for the deleted rows while the registrant is still known.
        try batch.settleRows()
        try center.countStoreBytes()
        try batch.endRegistration(of: app)
        // A center that was registered in this batch is not written yet.
        try batch.transaction.delete(center.number, in: tables.centers)
        try batch.transaction.deleteExisting(center.number, in: tables.leaving)
        batch.forgetCenter(center.number)
        return true
    }

    /// Removes the requests and notifications of identifiers, and gives how many identifiers these
    /// were.
    private func removeIdentifiers(atMost limit: Int) throws(StoreFailure) -> Int {
        let keys = try center.keys(in: batch.tables.identifiers, atMost: limit)
        for key in keys {
            let identifier = try center.identifier(key.identifier)
            // Withdraw first: a repeating request can still note the event.
            try center.callbacks.withdraw(identifier)
            try center.records.takePending(identifier)
            try center.delivered.drop(identifier)
            // A notification with the identifier as its replacement key may be far behind.
            let keys = identifier.record.keys
            for name in [keys.arriving, keys.delivered] where !name.isEmpty {
                let mate = try center.identifier(name)
                try center.callbacks.withdraw(mate)
                try center.delivered.drop(mate)
                try center.snoozed.drop(mate)
            }
            try center.snoozed.drop(identifier)
        }
        // Delete at once, so that the next slice begins at the front again.
        try center.writeIdentifiers()
        return keys.count
    }

    /// Removes the open responses, which are all callbacks that are left then.
    private func removeResponses(atMost limit: Int) throws(StoreFailure) -> Int {
        let keys = try center.keys(in: batch.tables.callbacks, atMost: limit)
        for callback in keys.map(\.number) {
            try center.callbacks.delete(callback, try center.callbacks.callback(callback))
        }
        return keys.count
    }

    /// Deletes rows that no other row refers to, and gives how many these were.
    private func removeRows<Key: CenterOwnedKey, Row>(
        from table: TypedTable<Key, Row>,
        atMost limit: Int
    ) throws(StoreFailure) -> Int {
        let keys = try center.keys(in: table, atMost: limit)
        for key in keys { try batch.transaction.deleteExisting(key, in: table) }
        return keys.count
    }
}

extension Batch {
    /// Deletes rows of a center whose app was unregistered: at most about `limit` rows.
    ///
    /// - Returns: Whether no row is left.
    func removeRows(
        ofLeaving number: CenterNumber,
        atMost limit: Int
    ) throws(StoreFailure) -> Bool {
        guard try transaction.contains(number, in: tables.leaving) else { return true }
        return try center(number).departure.removeRows(atMost: limit)
    }
}
