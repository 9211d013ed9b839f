public import BelfryLMDB

/// A table of a store: a tree of the file, and the changes that are not in the tree yet.
@usableFromInline
package struct StoreTable: Sendable {
    /// The tree in the file.
    @usableFromInline
    package let tree: Table
    /// The place of the table's changes; nil for the tree alone, whose reads see no change that is
    /// not in it.
    @usableFromInline
    let index: Int?
    /// The table whose rows' bytes are counted where they are written; nil where they are not.
    @usableFromInline
    let counted: TableName?
    /// Whether the rows are counted.
    @usableFromInline
    let keepsCount: Bool

    /// Whether a write has to know the row that was there before.
    var isCounted: Bool { keepsCount || counted != nil }

    /// A table whose tree is open.
    package init(_ tree: Table, _ name: TableName) {
        self.tree = tree
        index = name.index
        counted = name.countsRows ? name : nil
        keepsCount = TableName.counted.contains(name)
    }

    /// The tree alone.
    package init(tree: Table) {
        self.tree = tree
        index = nil
        counted = nil
        keepsCount = false
    }
}
