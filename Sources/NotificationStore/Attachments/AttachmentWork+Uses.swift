internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The references to attachments. A request refers to its attachments while it is pending, arriving
// or delivered; later events about the request do not count. The references of a request are a row
// of their own, so that the end of each batch only looks at requests that may have left all three
// states (ATT-7).

extension AttachmentWork {
    // MARK: Requests

    /// Checks a request's references against the files, and gives the request with the files'
    /// types.
    ///
    /// Paths in refusals are relative to the request: `UNErrorDomain` 103 for a file that does not
    /// exist, 101 for a file that notifications do not show (ATT-5).
    func resolve(
        _ request: NotificationRequest,
        for app: String
    ) throws(StoreFailure) -> Result<NotificationRequest, Refusal> {
        guard request.content.holdsAttachments else { return .success(request) }
        var request = request
        for index in request.content.attachments.indices {
            let path = ([.content, .attachments] as FieldPath)[index]
            var attachment = request.content.attachments[index]
            guard let stored = try stored(attachment.file, of: app) else {
                return .failure(.attachmentNotInDataStore(path.appending(.file)))
            }
            do throws(Refusal) {
                try attachment.resolve(type: stored.type, purpose: stored.purpose, path)
            } catch {
                return .failure(error)
            }
            request.content.attachments[index] = attachment
        }
        let avatar = request.content.communication?.avatarAttachment ?? ""
        return try picture(avatar, of: app, [.content, .communication, .avatar]).map { request }
    }

    /// Records the references of a request that was just stored.
    func hold(
        of request: NotificationRequest,
        _ sequence: RequestNumber,
        _ app: String
    ) throws(StoreFailure) {
        guard request.content.holdsAttachments else { return }
        var names = request.content.attachments.map(\.file)
        names.append(request.content.communication?.avatarAttachment ?? "")
        var identifiers: [AttachmentIdentifier] = []
        for identifier in names.compactMap({ AttachmentIdentifier($0) })
        where !identifiers.contains(identifier) {
            identifiers.append(identifier)
            try use(identifier, of: app)
        }
        let record = AttachmentUseRecord(app: app, identifiers: identifiers)
        try batch.transaction.insert(record, at: sequence, in: batch.tables.attachmentUses)
        batch.touched.append(sequence)
    }

    /// Releases the attachments of requests that are no longer pending, arriving or delivered.
    func release() throws(StoreFailure) {
        defer { batch.touched = [] }
        // Return early: most stores have no attachments, and their removals should not pay for
        // them.
        guard !batch.touched.isEmpty else { return }
        guard try !batch.transaction.isEmpty(batch.tables.attachmentUses) else { return }
        for sequence in batch.touched {
            let table = batch.tables.attachmentUses
            guard try batch.transaction.contains(sequence, in: table),
                batch.begin(sequence.bytes, in: .attachmentUses)
            else { continue }
            if try !batch.transaction.isHeld(sequence, batch.tables) {
                let record = try batch.transaction.row(sequence, in: table)
                try batch.transaction.deleteExisting(sequence, in: table)
                for identifier in record.identifiers {
                    try endUse(of: identifier, of: record.app)
                }
            }
            batch.endWork()
        }
    }

    // MARK: Apps

    /// Finds an app's icon; a refusal where it does not exist or is no picture.
    func icon(_ name: String, of app: String) throws(StoreFailure) -> Result<Void, Refusal> {
        try picture(name, of: app, [.registration, .iconFile])
    }

    /// Changes a reference of an app from one attachment to another; empty is none.
    func changeUse(from old: String, to new: String, of app: String) throws(StoreFailure) {
        // Add the new reference first, since both may be the same attachment.
        if let identifier = AttachmentIdentifier(new) {
            try use(identifier, of: app)
        }
        if let identifier = AttachmentIdentifier(old) {
            try endUse(of: identifier, of: app)
        }
    }

    private func picture(
        _ name: String,
        of app: String,
        _ path: FieldPath
    ) throws(StoreFailure) -> Result<Void, Refusal> {
        guard !name.isEmpty else { return .success(()) }
        guard let stored = try stored(name, of: app) else {
            return .failure(.attachmentNotInDataStore(path))
        }
        guard stored.purpose.isPicture(stored.type) else {
            return .failure(.attachmentTypeUnknown(path, "is no picture"))
        }
        return .success(())
    }

    func stored(_ name: String, of app: String) throws(StoreFailure) -> AttachmentRecord? {
        guard let identifier = AttachmentIdentifier(name) else { return nil }
        return try batch.transaction.attachment(identifier, of: app, batch.tables)
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Whether a request is pending, arriving, delivered or snoozed, or is an extension's best
    /// attempt at a push that is arriving.
    func isHeld(_ sequence: RequestNumber, _ tables: Tables) throws(StoreFailure) -> Bool {
        guard let record = try keptRecord(sequence, tables) else { return false }
        let key = IdentifierKey(record.request.identifier, of: record.center)
        guard let identifier = try rowIfAny(key, in: tables.identifiers) else { return false }
        if identifier.pending?.sequence == sequence { return true }
        if identifier.arriving?.sequence == sequence { return true }
        if let arriving = identifier.arriving {
            let key = ServiceArrivalKey(arriving.callback, of: record.center)
            let waiting = try rowIfAny(key, in: tables.serviceArrivals)
            if waiting?.bestAttempt == sequence { return true }
        }
        if let delivery = identifier.snoozed {
            let row = try row(DeliveryKey(delivery, of: record.center), in: tables.snoozed)
            return row.sequence == sequence
        }
        guard let delivery = identifier.delivered else { return false }
        let row = try row(DeliveryKey(delivery, of: record.center), in: tables.delivered)
        return row.sequence == sequence
    }
}
