internal import NotificationCore
internal import NotificationRecords

/// The rich pushes in a batch: their rows, the devices that they are sent to, and their removal.
struct RichPushWork {
    let batch: Batch
    private var tables: Tables { batch.tables }

    /// Keeps a rich push for a command and pushes its announcement, by the same transaction.
    func create(_ new: NewRichPush) throws(StoreFailure) -> RichPushReply {
        guard let identifier = AttachmentIdentifier(new.attachment),
            let stored = try batch.transaction.attachment(identifier, of: new.app, tables)
        else { throw .refused(.attachmentNotInDataStore([.file])) }
        guard stored.purpose == .richPush else {
            throw .refused(.attachmentTypeUnknown([.file], "was not stored for a rich push"))
        }
        let before = try batch.tagPushes.owner(new.app)
        let key = RichPushKey(before.lastRichPush.next, of: new.app)
        let content = new.announcement(as: key.number)
        guard content.payload.utf8.count <= Limits.payloadBytes else {
            throw .refused(.richPushTooLarge)
        }
        let push = try batch.tagPushes.take(
            content,
            to: new.expression,
            of: new.app,
            at: nil,
            announcing: key.number
        )
        let end = batch.now.elapsed.advanced(byNanoseconds: batch.limits.richPushNanoseconds)
        let record = RichPushRecord(
            createdAt: batch.now.wall,
            message: new.message,
            richType: new.richType,
            mediaType: stored.mediaType,
            byteCount: stored.byteCount,
            attachment: identifier,
            push: push,
            removalAt: end
        )
        try batch.attachments.use(identifier, of: new.app)
        try batch.transaction.put(record, at: key, in: tables.richPushes)
        try batch.transaction.put(record.removal(of: key), in: tables.pushWork)
        var owner = try batch.tagPushes.owner(new.app)
        owner.lastRichPush = key.number
        owner.richPushes += 1
        try batch.tagPushes.setOwner(new.app, owner)
        if owner.richPushes > batch.limits.richPushesPerApp { try removeOldest(of: new.app) }
        return RichPushReply(number: key.number, push: push)
    }

    // MARK: Devices

    /// Notes that a rich push was sent to a device, which may fetch it from now on.
    func address(_ key: RichPushKey, to center: CenterNumber) throws(StoreFailure) {
        guard try batch.transaction.rowIfAny(key, in: tables.richPushes)?.attachment != nil else {
            // Do nothing: the rich push was removed before its push had reached all.
            return
        }
        let inbox = RichInboxKey(key.number, of: center)
        try batch.transaction.put(RichInboxRecord(), at: inbox, in: tables.richInbox)
        let addressee = RichAddresseeKey(center, of: key)
        try batch.transaction.put(addressee, in: tables.richAddressees)
    }

    /// Marks a rich push as read on a device; one that is read keeps its time.
    ///
    /// - Returns: Since when it is read; nil where the device has no such rich push.
    func markRead(
        _ number: RichPushNumber,
        on center: CenterWork
    ) throws(StoreFailure) -> WallInstant? {
        let inbox = RichInboxKey(number, of: center.number)
        let key = RichPushKey(number, of: center.name.app)
        guard let row = try batch.transaction.rowIfAny(inbox, in: tables.richInbox),
            try batch.transaction.rowIfAny(key, in: tables.richPushes)?.attachment != nil
        else { return nil }
        if let readAt = row.readAt { return readAt }
        let read = RichInboxRecord(readAt: batch.now.wall)
        try batch.transaction.put(read, at: inbox, in: tables.richInbox)
        batch.hasChanged = true
        return batch.now.wall
    }

    /// Removes the rows of rich pushes that a center has, and gives how many these were.
    func forget(
        _ center: CenterWork,
        atMost limit: Int
    ) throws(StoreFailure) -> Int {
        let keys = try center.keys(in: tables.richInbox, atMost: limit)
        for key in keys {
            let richPush = RichPushKey(key.number, of: center.name.app)
            let addressee = RichAddresseeKey(center.number, of: richPush)
            try batch.transaction.deleteExisting(addressee, in: tables.richAddressees)
            try batch.transaction.deleteExisting(key, in: tables.richInbox)
        }
        return keys.count
    }

    // MARK: Removal

    /// Removes the oldest rich push of an app, since a newer one takes its place.
    private func removeOldest(of app: String) throws(StoreFailure) {
        var oldest: (key: RichPushKey, record: RichPushRecord)?
        try batch.transaction.scan(tables.richPushes, .app(app)) { key, record in
            guard record.attachment != nil else { return true }
            oldest = (key, record)
            return false
        }
        guard let key = oldest?.key, var record = oldest?.record else { return }
        try batch.transaction.deleteExisting(record.removal(of: key), in: tables.pushWork)
        record.removalAt = batch.now.elapsed
        try batch.transaction.put(record.removal(of: key), in: tables.pushWork)
        try beginRemoval(of: key, &record)
    }

    /// Takes a rich push from all devices at once, with its file; its rows are deleted in slices.
    private func beginRemoval(
        of key: RichPushKey,
        _ record: inout RichPushRecord
    ) throws(StoreFailure) {
        guard let attachment = record.attachment.take() else { return }
        try batch.attachments.endUse(of: attachment, of: key.app)
        try batch.transaction.put(record, at: key, in: tables.richPushes)
        var owner = try batch.tagPushes.owner(key.app)
        guard owner.richPushes > 0 else {
            throw .disagrees(NameKey(key.app), in: tables.pushOwners)
        }
        owner.richPushes -= 1
        try batch.tagPushes.setOwner(key.app, owner)
    }

    /// Removes a rich push that was kept long enough: at most `limit` of its rows for devices.
    ///
    /// - Returns: How many rows these were, about.
    func remove(
        _ due: PushWorkKey<ElapsedInstant>,
        atMost limit: Int
    ) throws(StoreFailure) -> Int {
        let key = due.richPush
        var record = try batch.transaction.row(key, in: tables.richPushes)
        guard record.removalAt == due.instant else {
            throw .disagrees(key, in: tables.richPushes)
        }
        try beginRemoval(of: key, &record)
        let addressees = try batch.transaction.keys(
            in: tables.richAddressees,
            .richPush(key),
            atMost: limit
        )
        for addressee in addressees {
            let inbox = RichInboxKey(key.number, of: addressee.center)
            try batch.transaction.deleteExisting(inbox, in: tables.richInbox)
            try batch.transaction.deleteExisting(addressee, in: tables.richAddressees)
        }
        if addressees.count < limit {
            try batch.transaction.deleteExisting(key, in: tables.richPushes)
            try batch.transaction.deleteExisting(due, in: tables.pushWork)
        }
        batch.hasChanged = true
        return max(1, addressees.count)
    }
}
