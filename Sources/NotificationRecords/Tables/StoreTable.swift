public import BelfryLMDB

/// A table of a store: a tree of the file and, where it lags, changes that are not in the tree yet.
@usableFromInline
package struct StoreTable: Sendable {
    /// The tree in the file; for the check and the repair, and for a table that does not lag.
    @usableFromInline
    package let tree: Table
    /// Which lagging table it is; nil where every change is in the tree.
    @usableFromInline
    let lag: LaggingTable?
    /// The table whose rows are counted where they are written; nil where they are not.
    @usableFromInline
    let counted: TableName?

    /// A table whose tree is open.
    package init(_ tree: Table, _ lag: LaggingTable?, counted: TableName? = nil) {
        self.tree = tree
        self.lag = lag
        self.counted = counted
    }

    /// The tree alone: a read does not see the changes that are not in the tree yet.
    package init(tree: Table) {
        self.tree = tree
        lag = nil
        counted = nil
    }
}
