/// Keeps an object in memory beside each state of an environment, for what is not in its tables.
///
/// A transaction has the object of the state that it reads or makes, as
/// ``Transaction/companion``. Used by any thread.
@usableFromInline
package protocol StateKeeper: AnyObject, Sendable {
    /// The object of a committed state; nil where the object is kept no more, as the state is old:
    /// the reader then begins again with the newest state.
    func companion(ofState state: Int) -> AnyObject?

    /// Makes the object of the state that a write transaction will make; on the writing thread.
    func companion(forWriting state: Int) -> AnyObject?

    /// Called right before a write transaction commits: its writes are in the commit, and the
    /// object of the new state has to be there for readers when this returns.
    ///
    /// The commit may still fail. The next write transaction then has the same number.
    ///
    /// - Throws: What LMDB reports; the transaction is then not committed.
    func willCommit(_ transaction: borrowing WriteTransaction) throws(LMDBError)
}
