internal import CBelfryLMDB

/// The size of an environment at one instant.
package struct EnvironmentStatistics: Sendable, Equatable {
    /// The size of the memory map in bytes: the most that the file can grow to.
    package let mapByteCount: Int
    /// The pages of the file that were ever used; pages that can be used again are among them.
    package let usedPageCount: Int
    package let pageByteCount: Int
    /// The number of the last committed transaction.
    package let lastTransactionID: Int
    /// The reader slots that were ever used at the same time, those of other processes included.
    package let readerCount: Int
    package let maximumReaderCount: Int

    /// The bytes of the file that were ever used.
    package var usedByteCount: Int { usedPageCount * pageByteCount }
}

/// Counts of the pages and entries of a table.
package struct TableStatistics: Sendable, Equatable {
    package let entryCount: Int
    /// The height of the tree.
    package let depth: Int
    /// The pages that hold keys and page numbers.
    package let branchPageCount: Int
    /// The pages that hold entries.
    package let leafPageCount: Int
    /// The pages that hold values too large for a leaf.
    package let overflowPageCount: Int
    /// The bytes of the pages that hold entries.
    package let dataByteCount: Int

    init(_ figures: MDB_stat) {
        entryCount = figures.ms_entries
        depth = Int(figures.ms_depth)
        branchPageCount = figures.ms_branch_pages
        leafPageCount = figures.ms_leaf_pages
        overflowPageCount = figures.ms_overflow_pages
        dataByteCount = (leafPageCount &+ overflowPageCount) &* Int(figures.ms_psize)
    }
}
