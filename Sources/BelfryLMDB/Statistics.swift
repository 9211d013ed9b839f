internal import CBelfryLMDB

/// The size of an environment at one instant.
public struct EnvironmentStatistics: Sendable, Equatable {
    /// The size of the memory map in bytes: the most that the file can grow to.
    public let mapByteCount: Int
    /// The pages of the file that were ever used; pages that can be used again are among them.
    public let usedPageCount: Int
    /// The size of a page in bytes.
    public let pageByteCount: Int
    /// The number of the last committed transaction.
    public let lastTransactionID: Int
    /// The reader slots that were ever used at the same time, those of other processes included.
    public let readerCount: Int
    /// The reader slots that there are.
    public let maximumReaderCount: Int

    /// The bytes of the file that were ever used.
    public var usedByteCount: Int { usedPageCount * pageByteCount }
}

/// The size and the shape of a table.
public struct TableStatistics: Sendable, Equatable {
    /// The number of entries.
    public let entryCount: Int
    /// The height of the tree.
    public let depth: Int
    /// The pages that hold keys and page numbers.
    public let branchPageCount: Int
    /// The pages that hold entries.
    public let leafPageCount: Int
    /// The pages that hold values too large for a leaf.
    public let overflowPageCount: Int

    init(_ figures: MDB_stat) {
        entryCount = figures.ms_entries
        depth = Int(figures.ms_depth)
        branchPageCount = figures.ms_branch_pages
        leafPageCount = figures.ms_leaf_pages
        overflowPageCount = figures.ms_overflow_pages
    }
}
