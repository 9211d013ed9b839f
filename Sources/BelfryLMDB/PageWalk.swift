internal import CBelfryLMDB

/// Goes through a tree beside a cursor of LMDB, and checks each page before the cursor gets there.
@safe
struct PageWalk {
    private let pages: PageMap
    private let root: PageMap.Root?
    /// The pages from the root to the leaf, with the place in each.
    private var path: [(page: PageMap.Page, place: Int)] = []

    init(
        _ pages: PageMap,
        _ table: Table,
        _ transaction: OpaquePointer
    ) throws(LMDBError) {
        self.pages = pages
        root = unsafe try pages.root(of: table, transaction).get()
    }

    /// A whole tree.
    init(_ pages: PageMap, _ root: PageMap.Root) {
        self.pages = pages
        self.root = root
    }

    mutating func seek(_ key: UnsafeRawBufferPointer) throws(LMDBError) {
        try descend { page in unsafe page.place(of: key) }
        guard let leaf = path.last else { return }
        guard leaf.page.isInOrder(around: leaf.place) else { throw outOfOrder }
        // Turn to the next leaf, as LMDB does where all keys of this one are less.
        if leaf.place == leaf.page.count { try turn(forward: true) }
        try checkEntry()
        try checkNeighbor(forward: true)
    }

    mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) {
        switch operation {
        case MDB_FIRST: try descend { _ in 0 }
        case MDB_LAST: try descend { $0.count - 1 }
        case MDB_NEXT: try step(forward: true)
        default: try step(forward: false)
        }
        try checkEntry()
        try checkNeighbor(forward: operation == MDB_FIRST || operation == MDB_NEXT)
    }

    private mutating func step(forward: Bool) throws(LMDBError) {
        guard let leaf = path.last else { return }
        let place = leaf.place + (forward ? 1 : -1)
        if (0..<leaf.page.count).contains(place) {
            path[path.count - 1].place = place
        } else {
            try turn(forward: forward)
        }
    }

    /// Goes to the next leaf, or to none.
    private mutating func turn(forward: Bool) throws(LMDBError) {
        _ = path.popLast()
        while let branch = path.popLast() {
            let place = branch.place + (forward ? 1 : -1)
            guard (0..<branch.page.count).contains(place) else { continue }
            path.append((branch.page, place))
            return try descend { forward ? 0 : $0.count - 1 }
        }
    }

    /// Goes from the last page of the path, or from the root, down to a leaf.
    private mutating func descend(
        _ place: (PageMap.Page) -> Int
    ) throws(LMDBError) {
        guard let root else { return }
        if path.count == root.depth { path = [] }
        while path.count < root.depth {
            let number = path.last.map { $0.page.child($0.place) } ?? root.page
            let isLeaf = path.count + 1 == root.depth
            var bounds = PageMap.Bounds()
            for above in path { bounds.narrow(to: above.place, of: above.page) }
            guard let page = pages.page(number, isLeaf: isLeaf, last: root.last),
                bounds.contain(page, root)
            else {
                path = []
                throw PageMap.damage(number)
            }
            path.append((page, place(page)))
        }
    }

    private func checkEntry() throws(LMDBError) {
        guard let root, let leaf = path.last, path.count == root.depth,
            (0..<leaf.page.count).contains(leaf.place)
        else { return }
        if pages.valuePages(leaf.page, leaf.place, last: root.last) == nil {
            throw PageMap.damage(leaf.page.overflow(leaf.place)?.page ?? 0)
        }
    }

    /// Checks the order of the entry and its neighbor, or the bounds in the pages above: a key
    /// whose bits have turned would end a list early.
    private func checkNeighbor(forward: Bool) throws(LMDBError) {
        guard let root, let leaf = path.last, path.count == root.depth,
            (0..<leaf.page.count).contains(leaf.place)
        else { return }
        let place = leaf.place + (forward ? 1 : -1)
        let key = unsafe leaf.page.key(leaf.place)
        let order: Int
        if (0..<leaf.page.count).contains(place) {
            order = unsafe root.order(key, leaf.page.key(place))
        } else if forward {
            guard let above = path.dropLast().last(where: { $0.place + 1 < $0.page.count }) else {
                return
            }
            order = unsafe root.order(key, above.page.key(above.place + 1))
        } else {
            guard let above = path.dropLast().last(where: { $0.place > 0 }) else { return }
            // The bound above is the least key that the leaf may have.
            order = unsafe root.order(above.page.key(above.place), key) > 0 ? -1 : 1
        }
        guard forward ? order < 0 : order > 0 else { throw outOfOrder }
    }

    private var outOfOrder: LMDBError {
        LMDBError(code: LMDBError.corrupted, operation: "the keys of a page are not in order")
    }

    /// Goes through the whole tree, and checks that its keys are in order and as many as its root
    /// says.
    ///
    /// - Complexity: O(*n*) in the entries.
    mutating func checkAll() throws(LMDBError) {
        guard let root else { return }
        var count = 0
        try descend { _ in 0 }
        while let leaf = path.last {
            for place in 0..<leaf.page.count {
                path[path.count - 1].place = place
                try checkEntry()
                try checkNeighbor(forward: false)
                try checkNeighbor(forward: true)
                count += 1
                guard count <= root.entryCount else { break }
            }
            guard count <= root.entryCount else { break }
            try turn(forward: true)
        }
        guard count == root.entryCount else {
            throw LMDBError(
                code: LMDBError.corrupted,
                operation: "a table has other than the \(root.entryCount) entries that it counts"
            )
        }
    }
}

extension ReadTransaction {
    /// Checks all pages of a table; nil is the table of the tables.
    ///
    /// - Throws: ``LMDBError/corrupted`` for a page that is damaged, or in the place of another.
    /// - Complexity: O(*n*) in the entries.
    package func checkPages(of table: Table?) throws(LMDBError) {
        guard let pages = handle.pages else { return }
        let root =
            if let table {
                unsafe try pages.root(of: table, handle.pointer).get()
            } else {
                unsafe try pages.mainRoot(handle.pointer).get()
            }
        guard let root else { return }
        var walk = PageWalk(pages, root)
        try walk.checkAll()
    }
}
