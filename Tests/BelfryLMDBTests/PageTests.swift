internal import BelfryLMDB
internal import Foundation
internal import TestSupport
internal import Testing

/// A damage that a disk may do to a page.
private enum PageDamage: CaseIterable, CustomTestStringConvertible {
    case zeros
    case ones
    /// Another page stands in its place.
    case misdirected
    /// The places of its entries lie anywhere.
    case places
    /// Its entries have any sizes.
    case sizes
    /// Its second half is zero: the entries there have no key and no value.
    case half
    /// A bit of each key turned, of its number's second byte.
    case keys
    /// It says that it has four entries less.
    case fewer
    /// A page of page numbers names another page.
    case child

    var testDescription: String { "\(self)" }

    func apply(to page: Int, of bytes: inout Data, with other: Int) {
        let (start, size) = (page * 4_096, 4_096)
        switch self {
        case .zeros: bytes.replaceSubrange(start..<start + size, with: Data(count: size))
        case .ones:
            let ones = Data(repeating: 255, count: size)
            bytes.replaceSubrange(start..<start + size, with: ones)
        case .misdirected:
            let from = other * size
            bytes.replaceSubrange(start..<start + size, with: bytes[from..<from + size])
        case .places:
            for offset in stride(from: 16, to: 48, by: 2) { bytes[start + offset] ^= 0x5A }
        case .sizes:
            // The entries are behind the places.
            let upper = Int(bytes[start + 14]) | Int(bytes[start + 15]) << 8
            for offset in stride(from: max(16, upper), to: size, by: 3) {
                bytes[start + offset] ^= 0xF3
            }
        case .half:
            bytes.replaceSubrange(start + size / 2..<start + size, with: Data(count: size / 2))
        case .keys:
            // One entry alone, in the midst of the page.
            let count = (Int(bytes[start + 12]) + Int(bytes[start + 13]) << 8 - 16) / 2
            let slot = start + 16 + 2 * (count / 2)
            let node = start + (Int(bytes[slot]) | Int(bytes[slot + 1]) << 8)
            // The node's head is 8 bytes, and 200 bytes of the key are all alike.
            if count > 2, node + 208 + 8 <= start + size { bytes[node + 208 + 5] ^= 8 }
        case .fewer:
            let lower = Int(bytes[start + 12]) + Int(bytes[start + 13]) << 8
            guard lower >= 16 + 5 * 2, bytes[start + 10] <= 2 else { return }
            bytes[start + 12] = UInt8(truncatingIfNeeded: lower - 8)
            bytes[start + 13] = UInt8(truncatingIfNeeded: (lower - 8) >> 8)
        case .child:
            let slot = start + 16
            let node = start + (Int(bytes[slot]) | Int(bytes[slot + 1]) << 8)
            guard bytes[start + 10] == 1 else { return }
            bytes[node] = UInt8(truncatingIfNeeded: other)
            bytes[node + 1] = UInt8(truncatingIfNeeded: other >> 8)
        }
    }
}

@Suite("Damaged pages (ST-4)")
struct PageTests {
    private let directory: ScratchDirectory
    private let name = "the only table"

    init() throws { directory = try ScratchDirectory() }

    private var file: URL { URL(filePath: directory.path + "/data.mdb") }

    /// Makes a file of a few levels, with values that have pages of their own.
    private func fill() throws -> [Entry] {
        let environment = try Environment(directory: directory.path)
        let table = try environment.table(name)
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<UInt64(1_500) {
                let size = number % 500 == 0 ? 9_000 : Int(number % 90)
                let key = [UInt8](repeating: 7, count: 200) + withBytes(of: number)
                try transaction.put([UInt8](repeating: 1, count: size), forKey: key, in: table)
            }
        }
        return try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table)
        }
    }

    private func withBytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    /// The pages of the file that hold entries, page numbers or large values, but for those of the
    /// tree of the tables.
    private func pages(of bytes: Data) -> [Int] {
        (2..<bytes.count / 4_096).filter { page in
            let part = bytes[page * 4_096..<(page + 1) * 4_096]
            return part.range(of: Data(name.utf8)) == nil
        }
    }

    @Test("Each read is right, or tells the damage", arguments: PageDamage.allCases)
    fileprivate func reads(damage: PageDamage) throws {
        let entries = try fill()
        let whole = try Data(contentsOf: file)
        let pages = pages(of: whole)
        #expect(pages.count > 90)
        var told = 0
        for (index, page) in pages.enumerated() where index % 3 == 0 {
            var bytes = whole
            damage.apply(to: page, of: &bytes, with: pages[(index + 1) % pages.count])
            try bytes.write(to: file)
            let environment = try Environment(directory: directory.path)
            let table = try environment.table(name)
            try environment.checkPages()
            let found = Result { () throws(LMDBError) in
                try environment.read { transaction throws(LMDBError) in
                    try transaction.entries(of: table).map(\.key)
                }
            }
            let reversed = Result { () throws(LMDBError) in
                try environment.read { transaction throws(LMDBError) in
                    try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                        var count = 0
                        while try cursor.move(to: .previous) { count += 1 }
                        return count
                    }
                }
            }
            for entry in [entries[0], entries[749], entries[1_499]] {
                let value = Result { () throws(LMDBError) in
                    try environment.read { transaction throws(LMDBError) in
                        try transaction.value(forKey: entry.key, in: table)?.count
                    }
                }
                if case .success(let count) = value, damage != .sizes, damage != .places {
                    #expect(count == entry.value.count)
                }
            }
            let all = Result { () throws(LMDBError) in
                try environment.read { transaction throws(LMDBError) in
                    try transaction.checkPages(of: table)
                }
            }
            if case .success = all {
                // The page was free, or has the bytes of a value, which nothing checks.
                #expect(try found.get().count == entries.count)
                #expect(try reversed.get() == entries.count)
            } else {
                told += 1
            }
            if [.zeros, .ones, .misdirected, .fewer, .child].contains(damage),
                case .failure = all
            {
                #expect(throws: LMDBError.self) { try found.get() }
                #expect(throws: LMDBError.self) { try reversed.get() }
            }
        }
        #expect(told > (damage == .child ? 0 : 20))
    }

    /// A damage that a disk may do to the list of free pages, whose first entry begins at an
    /// offset.
    @Test(
        "A damaged list of free pages is told, and counts nothing",
        arguments: [
            (offset: 0, number: Int.max), (0, -1), (0, 300), (8, 1), (8, 1 << 40), (16, -1),
        ]
    )
    func freeList(offset: Int, number: Int) throws {
        do {
            let environment = try Environment(directory: directory.path)
            let table = try environment.table(name)
            for round in 0..<6 {
                try environment.write { transaction throws(LMDBError) in
                    for key in 0..<200 {
                        try transaction.put(
                            [UInt8](repeating: UInt8(round), count: 500),
                            forKey: Array("\(key)".utf8),
                            in: table
                        )
                    }
                }
            }
        }
        let whole = try Data(contentsOf: file)
        var told = 0
        for page in freeListPages(whole) {
            var bytes = whole
            // The value follows the node's head of 8 bytes and a key of 8.
            let start = firstNode(of: page, bytes) + 16 + offset
            let text = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            bytes.replaceSubrange(start..<start + 8, with: text)
            try bytes.write(to: file)
            let environment = try Environment(directory: directory.path)
            _ = try environment.table(name)
            try environment.checkPages()
            let last = environment.statistics.usedPageCount - 1
            let result = Result { () throws(LMDBError) in
                try environment.read { transaction throws(LMDBError) in
                    try transaction.checkFreePages(last: last)
                }
            }
            if case .failure = result { told += 1 }
            // Counting ends well, whatever the list holds.
            _ = Result { () throws(LMDBError) in
                try environment.read { transaction throws(LMDBError) in
                    try transaction.freePageCount()
                }
            }
        }
        #expect(told > 0)
        try whole.write(to: file)
        let environment = try Environment(directory: directory.path)
        let last = environment.statistics.usedPageCount - 1
        try environment.read { transaction throws(LMDBError) in
            try transaction.checkFreePages(last: last)
        }
    }

    /// The leaves of the list of free pages: their keys are numbers of transactions.
    private func freeListPages(_ bytes: Data) -> [Int] {
        (2..<bytes.count / 4_096).filter { page in
            let start = page * 4_096
            guard bytes[start + 10] == 2, bytes[start + 12] > 16 else { return false }
            let node = firstNode(of: page, bytes)
            return node + 48 <= start + 4_096 && bytes[node + 6] == 8 && bytes[node + 9] == 0
        }
    }

    private func firstNode(of page: Int, _ bytes: Data) -> Int {
        let start = page * 4_096
        let offset = Int(bytes[start + 17]) << 8 | Int(bytes[start + 16])
        return start + offset
    }
}
