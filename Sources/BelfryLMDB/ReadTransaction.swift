internal import CBelfryLMDB

/// A view of one committed state, lent by ``Environment/read(_:)``.
///
/// The transaction does not see later commits. While it is open, the pages that it needs are not
/// used again, so the file grows: keep it short.
@usableFromInline
package struct ReadTransaction: ~Copyable, Transaction {
    /// The C transaction; for this target alone.
    @usableFromInline
    package let handle: TransactionHandle
    /// What the environment's ``StateKeeper`` keeps for the state; nil without a keeper.
    @usableFromInline
    package let companion: AnyObject?

    /// The pages that hold nothing and will be used again before the file grows.
    ///
    /// - Complexity: Reads the list of free pages: O(*n*) in the commits that freed them.
    package func freePageCount() throws(LMDBError) -> Int {
        try withCursor(in: .freePages) { cursor throws(LMDBError) in
            var count = 0
            while try cursor.move(to: .next) {
                // Each entry is an array of page numbers that begins with its length.
                try cursor.withEntry { _, pages throws(LMDBError) in
                    count += pages.native(at: 0)
                }
            }
            return count
        }
    }

    /// How many of the free pages have the number `first` or a greater one.
    ///
    /// - Complexity: O(*n*) in the free pages.
    func freePageCount(from first: Int) throws(LMDBError) -> Int {
        try withCursor(in: .freePages) { cursor throws(LMDBError) in
            var count = 0
            while try cursor.move(to: .next) {
                try cursor.withEntry { _, pages throws(LMDBError) in
                    let end = min(pages.byteCount, (pages.native(at: 0) + 1) * 8)
                    for offset in stride(from: 8, to: end, by: 8) {
                        let page: Int = pages.native(at: offset)
                        if page >= first { count += 1 }
                    }
                }
            }
            return count
        }
    }
}
