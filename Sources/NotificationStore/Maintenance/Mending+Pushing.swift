internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The repair of registrations, pushes to many devices and rich pushes: rows by which they are found
// are written again, so that damage to an index does not cost what the index leads to.

extension Mending {
    /// A registration with the rows of its tags; nil where something else is wrong with it.
    func registration(_ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let registration = try? RegistrationRecord(value),
            let token = try transaction.found(registration.token, in: tables.deviceTokens).row,
            token.end == nil,
            (try? DeviceTags.checked(registration.tags)) == registration.tags,
            try transaction.found(token.center, in: tables.centerNumbers).row
                == registration.number
        else { return nil }
        for tag in registration.tags {
            try transaction.put(TagKey(tag, of: token.center), in: tables.tags)
        }
        return registration.bytes
    }

    /// A push to many with its row of the index and its app's counts; nil where something else is
    /// wrong with it.
    func tagPush(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let key = try? TagPushKey(key), let push = try? TagPushRecord(value),
            (try? TagExpression(push.expression)) != nil,
            push.state.isEnded == (push.content == nil),
            push.state.isEnded == (push.endedAt != nil),
            try transaction.lastRows(in: tables.tagPushOutcomes, .push(key), atMost: 1).first?.key
                .number ?? 0 == push.deviceCount
        else { return nil }
        if let row = push.date(of: key) {
            try transaction.put(row, in: tables.pushDates)
        } else if let row = push.work(of: key) {
            try transaction.put(row, in: tables.pushWork)
        } else {
            return nil
        }
        try owner(key.app)
        return push.bytes
    }

    /// A rich push with its row of the index and its app's counts; nil where its file is gone.
    func richPush(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let key = try? RichPushKey(key), let richPush = try? RichPushRecord(value) else {
            return nil
        }
        if let attachment = richPush.attachment {
            let row = AttachmentKey(attachment, of: key.app)
            guard try transaction.contains(row, in: tables.attachments) else { return nil }
        }
        try transaction.put(richPush.removal(of: key), in: tables.pushWork)
        try owner(key.app)
        return richPush.bytes
    }

    private func owner(_ app: String) throws(StoreFailure) {
        let key = NameKey(app)
        guard let owner = sums.pushOwners[app],
            try !transaction.contains(key, in: tables.pushOwners)
        else { return }
        try transaction.put(owner, at: key, in: tables.pushOwners)
    }
}
