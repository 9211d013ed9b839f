internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The state of one identifier of a center in a batch; the room writes it back.
final class IdentifierWork {
    let name: String
    let key: [UInt8]
    /// The identifier's record, as the batch changes it.
    var record: IdentifierRecord
    /// Whether the present batch has asked for the identifier.
    fileprivate var isTouched = false
    /// The request whose occurrence is being settled and has no event yet: its record stays,
    /// whichever older event is trimmed meanwhile.
    var settling: RequestNumber?
    /// The row as it is stored; empty where there is none.
    private var stored: [UInt8]

    /// Stands for a stored row that was not read: it is written or removed in any case.
    static let unreadRow: [UInt8] = [0]

    /// Begins with the row at a key: empty where there is none, or ``unreadRow``.
    init(_ name: String, _ record: IdentifierRecord, stored: [UInt8], at key: [UInt8]) {
        self.name = name
        self.key = key
        self.record = record
        self.stored = stored
    }

    /// The row as the batch leaves it; empty where nothing exists under the identifier.
    private var row: [UInt8] { record.isEmpty ? [] : record.bytes }

    var isChanged: Bool { row != stored }

    /// The error for a row that contradicts another row.
    func disagreement(in batch: Batch) -> StoreFailure {
        batch.tables.identifiers.error(.disagrees, key)
    }

    /// Writes the row if it changed, or deletes it where nothing exists under the identifier any
    /// more.
    func write(_ batch: Batch) throws(StoreFailure) {
        let row = row
        guard row != stored else { return }
        batch.hasChanged = true
        let table = batch.tables.identifiers.raw
        if row.isEmpty {
            // There is a row: it was read or written, or the pending request has it.
            _ = try batch.transaction.remove(key, in: table, wasRead: true)
        } else {
            try batch.transaction.set(row, at: key, in: table, isNew: stored.isEmpty)
        }
        stored = row
    }
}

/// The identifiers of a center that batches have read, by their names.
///
/// A firing and an add look for them so often that growing a dictionary, which hashes each name
/// again, was a twentieth of their work.
struct IdentifierTable {
    /// In the order in which they were read.
    ///
    /// Bounded: a batch touches a limited number of rows, and leaves few to the next.
    private var all: [IdentifierWork] = []
    /// The hashes of their names.
    private var hashes: [Int] = []
    /// For each place of a hash, the number of the identifier there, from 1 on; half of them are 0.
    private var places: [UInt32] = []
    /// Those for which the present batch has asked.
    private(set) var touched: [IdentifierWork] = []

    var count: Int { all.count }

    /// The identifier of a name; `read` reads one that is not known.
    mutating func identifier(
        _ name: String,
        _ read: () throws(StoreFailure) -> IdentifierWork
    ) throws(StoreFailure) -> IdentifierWork {
        if 2 * all.count >= places.count { makePlaces(max(32, 4 * places.count)) }
        // Apps choose the names, so the hash is one whose seed they do not know.
        let hash = ExactText(name).hashValue
        var place = hash & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if hashes[index] == hash, all[index].name.isExactly(name) {
                touch(all[index])
                return all[index]
            }
            place = (place + 1) & (places.count - 1)
        }
        let identifier = try read()
        all.append(identifier)
        hashes.append(hash)
        places[place] = UInt32(all.count)
        touch(identifier)
        return identifier
    }

    /// Notes that the present batch has asked for an identifier of the table.
    mutating func touch(_ identifier: IdentifierWork) {
        guard !identifier.isTouched else { return }
        identifier.isTouched = true
        touched.append(identifier)
    }

    /// Forgets identifiers without a delivery, where they are many, at the end of a batch: those
    /// with one are asked for again as it leaves the list.
    ///
    /// `deliveredCount` is how many have one, about; 0 is that none is to be kept.
    mutating func endBatch(keeping deliveredCount: Int) {
        for identifier in touched { identifier.isTouched = false }
        touched.removeAll(keepingCapacity: touched.count <= Self.spareCount)
        let spareCount = deliveredCount == 0 ? 16 : Self.spareCount
        guard all.count > 2 * deliveredCount + spareCount else { return }
        let kept = deliveredCount == 0 ? [] : all.indices.filter { all[$0].record.delivered != nil }
        hashes = kept.map { hashes[$0] }
        all = kept.map { all[$0] }
        var placeCount = 32
        while placeCount < 2 * (all.count + spareCount) { placeCount *= 2 }
        makePlaces(placeCount)
    }

    /// The identifiers beside those with a delivery that may stay.
    private static let spareCount = 256

    private mutating func makePlaces(_ count: Int) {
        places = [UInt32](repeating: 0, count: count)
        for (index, hash) in hashes.enumerated() {
            var place = hash & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(index + 1)
        }
    }
}
