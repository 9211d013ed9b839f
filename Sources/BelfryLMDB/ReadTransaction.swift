internal import CBelfryLMDB

/// A view of one committed state, lent by ``Environment/read(_:)``.
///
/// The transaction does not see later commits. While it is open, the pages that it needs are not
/// used again, so the file grows: keep it short.
@usableFromInline
package struct ReadTransaction: ~Copyable, Transaction {
    @usableFromInline
    package let handle: TransactionHandle
    @usableFromInline
    package private(set) var companion: AnyObject?

    @usableFromInline
    init(handle: consuming TransactionHandle, companion: AnyObject?) {
        self.handle = handle
        self.companion = companion
    }

    /// Gives the companion away: from then on the transaction has none.
    package mutating func takeCompanion() -> AnyObject? { companion.take() }

    /// The pages that hold nothing and will be used again before the file grows.
    ///
    /// - Throws: ``LMDBError/corrupted`` where the list of them is damaged.
    /// - Complexity: Reads the list of free pages: O(*n*) in the commits that freed them.
    package func freePageCount() throws(LMDBError) -> Int {
        var count = 0
        try forEachFreeList { pages, _ throws(LMDBError) in count += pages }
        return count
    }

    /// How many of the free pages have the number `first` or a greater one.
    ///
    /// - Complexity: O(*n*) in the free pages.
    func freePageCount(from first: Int) throws(LMDBError) -> Int {
        var count = 0
        try forEachFreeList { pages, numbers throws(LMDBError) in
            for index in 0..<pages {
                let page: Int = numbers.native(at: 8 * index)
                if page >= first { count += 1 }
            }
        }
        return count
    }

    /// Checks the list of free pages: LMDB writes over what it names, so a wrong number in it costs
    /// pages that are in use.
    ///
    /// - Parameter last: The last page of the file.
    /// - Throws: ``LMDBError/corrupted`` where it names a page twice, or one that cannot be free.
    /// - Complexity: O(*n*) in the free pages, with a bit for each page of the file.
    package func checkFreePages(last: Int) throws(LMDBError) {
        var seen = [UInt64](repeating: 0, count: last / 64 + 1)
        try forEachFreeList { pages, numbers throws(LMDBError) in
            var above = last + 1
            for index in 0..<pages {
                let page: Int = numbers.native(at: 8 * index)
                guard page >= 2, page < above, seen[page / 64] & 1 << (page % 64) == 0 else {
                    throw Self.freeListIsDamaged
                }
                seen[page / 64] |= 1 << (page % 64)
                above = page
            }
        }
    }

    /// Lends the pages that each commit freed: how many, and their numbers from the greatest down.
    private func forEachFreeList(
        _ body: (_ count: Int, _ pages: RawSpan) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        try withCursor(in: .freePages) { cursor throws(LMDBError) in
            while try cursor.move(to: .next) {
                try cursor.withEntry { _, list throws(LMDBError) in
                    // The numbers stand behind their count; more room than they need may follow.
                    guard list.byteCount >= 8,
                        case let count:Int = list.native(at: 0),
                        (0..<list.byteCount / 8).contains(count)
                    else { throw Self.freeListIsDamaged }
                    try body(count, list.extracting(8..<8 + 8 * count))
                }
            }
        }
    }

    private static var freeListIsDamaged: LMDBError {
        LMDBError(code: LMDBError.corrupted, operation: "the list of free pages is damaged")
    }
}
