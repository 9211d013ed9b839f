internal import BelfryLMDB
internal import BelfryLocking
internal import Faults
internal import NotificationCore

/// Keeps the changes that are not in the trees yet, for the last states of a store.
final class ChangeKeeper: StateKeeper {
    private let states: Guarded<[Kept]>

    private struct Kept {
        var state: Int
        var changes: StateChanges
    }

    /// How many states are kept: the newest committed state, and the one that is being committed.
    ///
    /// No more: LMDB has two meta pages, and a reader that is delayed while it begins may copy the
    /// roots of the state after the next one. Then its number is that of a state which is kept no
    /// more, since a state is forgotten before its meta page is written again.
    private static let stateLimit = 2

    /// A number that no row of the log has passed when a server wrote it: a greater one is damage.
    private static let greatestRow = ChangeNumber(rawValue: 1 << 62)

    /// Begins with the changes of the log that are not in the trees.
    ///
    /// `limits` says how much may be behind. `skipsDamage` says whether rows of the log that cannot
    /// be read are passed over.
    ///
    /// - Throws: What LMDB reports, or the row of the log that does not decode.
    /// - Complexity: O(*n*) in these changes, of which there are at most about twice as many as
    ///   ``ChangeLimits/changesPerMerge``.
    init(
        _ environment: Environment,
        _ tables: Tables,
        _ limits: ChangeLimits,
        skipsDamage: Bool
    ) throws(StoreFailure) {
        let trees = ChangeTrees(
            log: tables.changes.raw.tree,
            meta: tables.merged.raw.tree,
            tables: LaggingTable.allCases.map(tables.tree)
        )
        let kept = try environment.reading { transaction throws(StoreFailure) in
            let merged = try transaction.rowIfAny(.merged, in: tables.merged)?.number ?? 0
            guard merged <= Self.greatestRow else {
                throw tables.merged.error(.undecodable, MetaKey.merged.bytes)
            }
            let flushed = try transaction.rowIfAny(.flushed, in: tables.flushed)?.number ?? 0
            let log = tables.changes
            let first = try? transaction.keys(bytesOf: log.raw, atMost: 1).first.map(log.key)
            let changes = StateChanges(merged: merged, first: first ?? nil, trees, limits)
            do throws(StoreFailure) {
                let start = merged.next.bytes
                try transaction.scan(bytesOf: tables.changes.raw, from: start) {
                    key,
                    value throws(StoreFailure) in
                    do throws(StoreFailure) {
                        let row = try tables.changes.row(value, at: key)
                        let number = try tables.changes.key(key)
                        guard number <= Self.greatestRow else {
                            throw tables.changes.error(.undecodable, key)
                        }
                        if !Fault.logNotReplayed.isPlanted {
                            changes.replay(row, number, flushed: flushed)
                        }
                    } catch {
                        guard skipsDamage else { throw error }
                    }
                    return true
                }
            } catch {
                guard skipsDamage else { throw error }
            }
            try StoreFailure.ofLMDB { () throws(LMDBError) in
                try changes.countGathered(in: transaction)
            }
            return Kept(state: transaction.id, changes: changes)
        }
        states = Guarded([kept])
    }

    func companion(ofState state: Int) -> AnyObject? {
        states.withLock { states in
            states.last { $0.state == state || Fault.newestChangesForAll.isPlanted }?.changes
        }
    }

    func companion(forWriting state: Int) -> AnyObject? {
        let before = states.withLock { $0.last { $0.state < state }?.changes }
        guard let before else { preconditionFailure("the state before \(state) has no changes") }
        return StateChanges(following: before)
    }

    func willCommit(_ transaction: borrowing WriteTransaction) throws(LMDBError) {
        guard let changes = transaction.companion as? StateChanges else { return }
        try changes.finish(in: transaction)
        let kept = Kept(state: transaction.id, changes: changes)
        states.withLock { states in
            // A state that was not committed has its number again.
            states.removeAll { $0.state >= kept.state }
            states.append(kept)
            states.removeFirst(max(0, states.count - Self.stateLimit))
        }
    }
}
