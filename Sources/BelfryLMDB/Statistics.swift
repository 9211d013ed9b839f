internal import CBelfryLMDB

/// The size of an environment at one instant.
package struct EnvironmentStatistics: Sendable, Equatable {
    /// The size of the memory map in bytes: the most that the file can grow to.
    package let mapByteCount: Int
    /// The pages of the file that were ever used; pages that can be used again are among them.
    package let usedPageCount: Int
    package let pageByteCount: Int

    /// The bytes of the file that were ever used.
    package var usedByteCount: Int { usedPageCount * pageByteCount }
}

/// The size of a table.
package struct TableStatistics: Sendable, Equatable {
    package let entryCount: Int
    /// The bytes of the pages that hold entries, and values too large for these.
    package let dataByteCount: Int

    init(_ figures: MDB_stat) {
        entryCount = figures.ms_entries
        let pageCount = figures.ms_leaf_pages &+ figures.ms_overflow_pages
        dataByteCount = pageCount &* Int(figures.ms_psize)
    }
}
