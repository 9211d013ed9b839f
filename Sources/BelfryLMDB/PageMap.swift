internal import CBelfryLMDB
internal import Glibc

/// Looks at the pages of an open file before LMDB follows them.
///
/// LMDB takes pages as they are: a damaged one ends the process, and one that stands in the place
/// of another gives wrong rows without a word. So each page that a read transaction is about to
/// follow is checked: that it has its own number, is of the kind that its level needs, and names
/// nothing outside of itself and of the file.
///
/// The layout is that of LMDB 0.9 with pages of 4,096 bytes.
@safe
final class PageMap: @unchecked Sendable {
    // Safety: the map stays as long as the environment, which owns this object; pages of a state
    // that a read transaction sees do not change.

    static let byteCount = 4_096
    /// The table of LMDB in which the other tables are.
    private static let main: UInt32 = 1
    private static let magic: UInt32 = 0xBEEF_C0DE
    /// The root of a table without entries.
    private static let noPage = UInt64.max
    /// The most levels that LMDB's cursors take.
    private static let deepest = 32
    private static let longestKey = 511
    /// The flag of an entry that is a table's record; that of a value on pages of its own is 1.
    private static let tableFlag: UInt64 = 2

    private let base: UnsafeRawPointer
    private let names: [UInt32: [UInt8]]

    /// Where a tree begins.
    struct Root {
        var page: UInt64
        var depth: Int
        var entryCount: Int
        /// The last page of the file.
        var last: UInt64
        /// Whether its keys are numbers of 8 bytes, as those of the list of free pages.
        var hasNumbers: Bool

        /// The order of two of its keys.
        func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
            guard hasNumbers, one.count == 8, other.count == 8 else {
                return unsafe compare(one, other)
            }
            let (first, second) = unsafe (
                one.loadUnaligned(as: UInt64.self), other.loadUnaligned(as: UInt64.self)
            )
            return first < second ? -1 : first > second ? 1 : 0
        }
    }

    /// Finds the map of an environment; nil where the environment has no table.
    ///
    /// - Throws: An ``LMDBError`` where the first pages are damaged.
    init?(_ transaction: OpaquePointer, names: [UInt32: [UInt8]]) throws(LMDBError) {
        var cursor: OpaquePointer?
        try unsafe check(mdb_cursor_open(transaction, Self.main, &cursor), "mdb_cursor_open")
        defer { unsafe mdb_cursor_close(cursor) }
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        if code == MDB_NOTFOUND { return nil }
        try check(code, "mdb_cursor_get")
        // The key lies in a page, whose number says how far it is from the first page.
        let address = unsafe UInt(bitPattern: key.mv_data) & ~UInt(Self.byteCount - 1)
        guard let page = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        let number = unsafe page.load(as: UInt64.self)
        let distance = UInt(truncatingIfNeeded: number) &* UInt(Self.byteCount)
        guard distance < address,
            let base = unsafe UnsafeRawPointer(bitPattern: address - distance),
            // Ask the system whether there is a map, without reading it.
            unsafe msync(UnsafeMutableRawPointer(mutating: base), Self.byteCount, MS_ASYNC) == 0,
            unsafe base.load(as: UInt64.self) == 0,
            unsafe base.load(fromByteOffset: 16, as: UInt32.self) == Self.magic
        else {
            throw LMDBError(code: LMDBError.corrupted, operation: "page of the tables")
        }
        unsafe self.base = unsafe base
        self.names = names
    }

    // MARK: Roots

    /// The root of a table in the state that a transaction sees; nil for a table without entries,
    /// and for one whose pages are not checked: of no name, or of an older state than the newest.
    func root(
        of table: Table,
        _ transaction: OpaquePointer
    ) -> Result<Root?, LMDBError> {
        if table == .freePages {
            return unsafe metaRoot(at: 40, transaction, hasNumbers: true)
        }
        guard let name = names[table.identifier] else { return .success(nil) }
        let record: UnsafeRawBufferPointer? = unsafe name.withUnsafeBytes { name in
            var key = unsafe MDB_val(name)
            var value = unsafe MDB_val()
            let code = unsafe mdb_get(transaction, Self.main, &key, &value)
            return unsafe code == MDB_SUCCESS ? value.bytes : nil
        }
        guard let record = unsafe record, record.count == 48 else { return .success(nil) }
        return unsafe root(ofRecord: record, transaction, hasNumbers: false)
    }

    private func root(
        ofRecord record: UnsafeRawBufferPointer,
        _ transaction: OpaquePointer,
        hasNumbers: Bool
    ) -> Result<Root?, LMDBError> {
        var information = unsafe MDB_envinfo()
        unsafe mdb_env_info(mdb_txn_env(transaction), &information)
        let last = unsafe UInt64(information.me_last_pgno)
        func number(_ offset: Int) -> UInt64 {
            unsafe record.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        let depth = unsafe Int(record.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let (page, entryCount, counts) = (number(40), number(32), [8, 16, 24].map(number))
        // The pages of page numbers, of entries and of large values are pages of the file. An entry
        // takes 11 bytes at least.
        let isSound =
            counts.allSatisfy { $0 <= last } && (page == Self.noPage) == (depth == 0)
            && (depth == 0) == (entryCount == 0) && depth <= Self.deepest
            && (depth > 1) == (counts[0] > 0) && entryCount >= counts[1]
            && entryCount <= counts[1] &* UInt64(Self.byteCount / 11)
        guard isSound else {
            return .failure(
                LMDBError(code: LMDBError.corrupted, operation: "the record of a table is damaged")
            )
        }
        guard page != Self.noPage else { return .success(nil) }
        return .success(
            Root(
                page: page,
                depth: depth,
                entryCount: Int(entryCount),
                last: last,
                hasNumbers: hasNumbers
            )
        )
    }

    /// The root of the tree of all tables, in the state that a transaction sees.
    func mainRoot(_ transaction: OpaquePointer) -> Result<Root?, LMDBError> {
        unsafe metaRoot(at: 88, transaction, hasNumbers: false)
    }

    private func metaRoot(
        at offset: Int,
        _ transaction: OpaquePointer,
        hasNumbers: Bool
    ) -> Result<Root?, LMDBError> {
        // LMDB writes the first two pages in turn: the next state but one replaces this one.
        let state = unsafe mdb_txn_id(transaction)
        let (meta, next) = unsafe (
            base + (state & 1) * Self.byteCount, base + (~state & 1) * Self.byteCount
        )
        let record = unsafe [UInt8](UnsafeRawBufferPointer(start: meta + offset, count: 48))
        // Read the other page's state, which is its last field, after the copy: while it is older,
        // nobody writes this page.
        guard unsafe next.load(fromByteOffset: 144, as: UInt.self) < UInt(state) else {
            return .success(nil)
        }
        return unsafe record.withUnsafeBytes { record in
            unsafe root(ofRecord: record, transaction, hasNumbers: hasNumbers)
        }
    }

    // MARK: Pages

    /// A page that was checked.
    @safe
    struct Page {
        let start: UnsafeRawPointer
        let isLeaf: Bool
        let count: Int

        private func node(_ index: Int) -> UnsafeRawPointer {
            unsafe start + Int(start.load(fromByteOffset: 16 + 2 * index, as: UInt16.self))
        }

        func key(_ index: Int) -> UnsafeRawBufferPointer {
            let node = unsafe node(index)
            let count = unsafe Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
            return unsafe UnsafeRawBufferPointer(start: node + 8, count: count)
        }

        /// The page below, of a page of page numbers.
        func child(_ index: Int) -> UInt64 {
            unsafe node(index).loadUnaligned(as: UInt64.self) & 0xFFFF_FFFF_FFFF
        }

        /// The number of the page of a value that is too large for a leaf, and its size; nil where
        /// the value stands in the leaf.
        func overflow(_ index: Int) -> (page: UInt64, byteCount: Int)? {
            let node = unsafe node(index)
            guard unsafe node.loadUnaligned(fromByteOffset: 4, as: UInt16.self) & 1 != 0 else {
                return nil
            }
            let key = unsafe Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
            return unsafe (
                node.loadUnaligned(fromByteOffset: 8 + key, as: UInt64.self),
                Int(node.loadUnaligned(as: UInt32.self))
            )
        }

        /// Whether the keys around `place`, where a search ended, are in order: one whose bits have
        /// turned could hide an entry.
        func isInOrder(around place: Int) -> Bool {
            let pairs = max(1, place - 1)..<max(1, min(count, place + 2))
            return pairs.allSatisfy { unsafe compare(key($0 - 1), key($0)) < 0 }
        }

        /// The first entry whose key is `key` or greater; of page numbers, where such keys are.
        func place(of key: UnsafeRawBufferPointer) -> Int {
            var (low, high) = (isLeaf ? 0 : 1, count)
            while low < high {
                let middle = (low + high) / 2
                let order = unsafe compare(self.key(middle), key)
                if isLeaf ? order < 0 : order <= 0 { low = middle + 1 } else { high = middle }
            }
            return isLeaf ? low : low - 1
        }
    }

    /// The keys that a page may have, as the pages above it say: another page in its place has
    /// others.
    @safe
    struct Bounds {
        /// The least key; nil where there is no bound.
        private var least: UnsafeRawBufferPointer?
        /// The first key beyond.
        private var end: UnsafeRawBufferPointer?

        /// Takes the bounds of the page below an entry.
        mutating func narrow(to place: Int, of page: Page) {
            if place > 0 { unsafe least = page.key(place) }
            if place + 1 < page.count { unsafe end = page.key(place + 1) }
        }

        /// Whether the keys of a page, whose order is checked elsewhere, are within the bounds.
        func contain(_ page: Page, _ root: Root) -> Bool {
            // The first entry of page numbers has no key.
            let first = unsafe page.key(page.isLeaf ? 0 : 1)
            let last = unsafe page.key(page.count - 1)
            return unsafe least.map { unsafe root.order($0, first) <= 0 } ?? true
                && end.map { unsafe root.order(last, $0) < 0 } ?? true
        }
    }

    /// Checks a page.
    ///
    /// `isLeaf` says whether it has to hold entries, or page numbers. `last` is the last page of
    /// the file.
    ///
    /// - Returns: The page; nil where it is damaged.
    func page(_ number: UInt64, isLeaf: Bool, last: UInt64) -> Page? {
        guard (2...max(2, last)).contains(number) else { return nil }
        let start = unsafe base + Int(number) * Self.byteCount
        let lower = unsafe Int(start.load(fromByteOffset: 12, as: UInt16.self))
        let upper = unsafe Int(start.load(fromByteOffset: 14, as: UInt16.self))
        guard unsafe start.load(as: UInt64.self) == number,
            unsafe start.load(fromByteOffset: 10, as: UInt16.self) == (isLeaf ? 2 : 1),
            lower >= 16, lower % 2 == 0, lower <= upper, upper <= Self.byteCount
        else { return nil }
        let count = (lower - 16) / 2
        guard count >= (isLeaf ? 1 : 2) else { return nil }
        // LMDB leaves no room between entries: a page that has lost some from its index has more.
        var used = 0
        for index in 0..<count {
            let offset = unsafe Int(start.load(fromByteOffset: 16 + 2 * index, as: UInt16.self))
            guard offset >= upper, offset + 8 <= Self.byteCount else { return nil }
            let head = unsafe (start + offset).loadUnaligned(as: UInt64.self)
            let keyByteCount = Int(head >> 48)
            guard keyByteCount <= Self.longestKey else { return nil }
            var end = offset + 8 + keyByteCount
            if isLeaf {
                let flags = head >> 32 & 0xFFFF
                guard keyByteCount > 0, flags <= Self.tableFlag else { return nil }
                end += flags & 1 != 0 ? 8 : Int(head & 0xFFFF_FFFF)
            } else {
                guard (2...max(2, last)).contains(head & 0xFFFF_FFFF_FFFF) else { return nil }
            }
            guard end <= Self.byteCount else { return nil }
            used += (end - offset + 1) & ~1
        }
        guard used == Self.byteCount - upper else { return nil }
        return unsafe Page(start: start, isLeaf: isLeaf, count: count)
    }

    /// The number of pages of the value of an entry that is too large for its leaf, 0 of another
    /// one; nil where its pages are damaged.
    func valuePages(_ page: Page, _ index: Int, last: UInt64) -> Int? {
        guard let (number, byteCount) = page.overflow(index) else { return 0 }
        guard (2...max(2, last)).contains(number) else { return nil }
        let start = unsafe base + Int(number) * Self.byteCount
        let count = unsafe Int(start.load(fromByteOffset: 12, as: UInt32.self))
        guard unsafe start.load(as: UInt64.self) == number,
            unsafe start.load(fromByteOffset: 10, as: UInt16.self) == 4,
            count >= 1, UInt64(count - 1) <= last - number,
            byteCount <= count * Self.byteCount - 16
        else { return nil }
        return count
    }

    /// Checks the pages that a search for a key follows.
    func checkWay(
        to key: UnsafeRawBufferPointer,
        in table: Table,
        _ transaction: OpaquePointer
    ) throws(LMDBError) {
        guard let root = unsafe try root(of: table, transaction).get() else { return }
        var number = root.page
        var bounds = Bounds()
        for level in 1...max(1, min(root.depth, Self.deepest)) {
            let isLeaf = level == root.depth
            guard let page = page(number, isLeaf: isLeaf, last: root.last),
                bounds.contain(page, root)
            else { throw Self.damage(number) }
            let place = unsafe page.place(of: key)
            if isLeaf {
                guard page.isInOrder(around: place),
                    place == page.count || valuePages(page, place, last: root.last) != nil
                else { throw Self.damage(number) }
            } else {
                number = page.child(place)
                bounds.narrow(to: place, of: page)
            }
        }
    }

    static func damage(_ page: UInt64) -> LMDBError {
        LMDBError(code: LMDBError.corrupted, operation: "page \(page) of the file is damaged")
    }
}

/// The order of two keys, as LMDB has it: a prefix comes before the longer key.
func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let count = min(one.count, other.count)
    if count > 0, let first = one.baseAddress, let second = other.baseAddress {
        let order = unsafe memcmp(first, second, count)
        if order != 0 { return Int(order) }
    }
    return one.count - other.count
}
