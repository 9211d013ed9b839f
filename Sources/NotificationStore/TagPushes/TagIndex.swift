internal import NotificationCore
internal import NotificationRecords

extension Batch {
    /// The devices that have a tag.
    var tagIndex: TagIndex { TagIndex(batch: self) }
}

/// The index of the devices that have a tag, so that a push to a rare tag reads few registrations.
struct TagIndex {
    let batch: Batch

    /// Notes that the tags of a center changed; both lists are in the order of their bytes.
    func change(
        from old: [String],
        to new: [String],
        of center: CenterName
    ) throws(StoreFailure) {
        guard old != new else { return }
        for tag in old where !new.contains(tag) {
            try batch.transaction.deleteExisting(TagKey(tag, of: center), in: batch.tables.tags)
        }
        for tag in new where !old.contains(tag) {
            try batch.transaction.put(TagKey(tag, of: center), in: batch.tables.tags)
        }
    }
}
