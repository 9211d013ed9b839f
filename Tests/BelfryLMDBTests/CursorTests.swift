internal import BelfryLMDB
internal import TestSupport
internal import Testing

@Suite("Cursors")
struct CursorTests {
    let directory: ScratchDirectory
    let environment: Environment
    let table: Table

    init() throws {
        directory = try ScratchDirectory()
        environment = try Environment(directory: directory.path)
        table = try environment.table("things")
    }

    /// Stores each key with itself as its value.
    private func store(_ keys: [[UInt8]]) throws {
        try environment.write { transaction throws(LMDBError) in
            for key in keys { try transaction.put(key, forKey: key, in: table) }
        }
    }

    @Test("Entries come in the order of their bytes, a prefix first")
    func order() throws {
        let keys: [[UInt8]] = [[200], [1], [1, 0], [255, 255], [0], [1, 0, 0], [2], [255]]
        try store(keys.shuffled())
        let seen = try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table)
        }
        let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(seen.map(\.key) == sorted)
        #expect(seen.map(\.value) == sorted)
    }

    @Test("A table of many pages is walked in both directions")
    func walk() throws {
        let count = 5_000
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<UInt64(count) {
                try transaction.put(bigEndian(number), forKey: bigEndian(number), in: table)
            }
        }
        try environment.read { transaction throws(LMDBError) in
            let forward = try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                var numbers: [UInt64] = []
                while try cursor.move(to: .next) {
                    numbers.append(
                        try cursor.withEntry { key, _ throws(LMDBError) in
                            key.bigEndian(at: 0)
                        }
                    )
                }
                return numbers
            }
            let backward = try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                var numbers: [UInt64] = []
                while try cursor.move(to: .previous) {
                    numbers.append(
                        try cursor.withEntry { _, value throws(LMDBError) in
                            value.bigEndian(at: 0)
                        }
                    )
                }
                return numbers
            }
            #expect(forward == Array(0..<UInt64(count)))
            #expect(backward == forward.reversed())
            let statistics = try transaction.statistics(of: table)
            #expect(statistics.entryCount == count)
            #expect(statistics.dataByteCount > 10 * 4096)
        }
    }

    @Test(
        "A seek finds the key or the one after it",
        arguments: [
            ([0], [2]), ([2], [2]), ([2, 0], [4]), ([3], [4]), ([4], [4]), ([5], [6, 1]),
            ([6, 1], [6, 1]), ([6, 2], nil), ([255], nil),
        ] as [(key: [UInt8], found: [UInt8]?)]
    )
    func seek(key: [UInt8], found: [UInt8]?) throws {
        try store([[2], [4], [6, 1]])
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                let isFound = try cursor.seek(atOrAfter: key)
                #expect(isFound == (found != nil))
                guard isFound else { return }
                let entry = try cursor.entry()
                #expect(entry.key == found)
                #expect(entry.value == found)
            }
        }
    }

    /// The keys that a cursor over 1, 2, 3 is at after each of some moves; nil where there is none.
    static let walks: [(moves: [Cursor.Position], keys: [UInt8?])] = [
        ([.next, .next, .next, .next, .next], [1, 2, 3, nil, nil]),
        ([.previous, .previous, .previous, .previous, .previous], [3, 2, 1, nil, nil]),
        ([.last, .next, .previous, .previous], [3, nil, 3, 2]),
        ([.first, .previous, .next, .next], [1, nil, 1, 2]),
        ([.first, .last, .first], [1, 3, 1]),
    ]

    @Test("Off an end there is no entry, and the way back leads to that end", arguments: walks)
    func ends(moves: [Cursor.Position], keys: [UInt8?]) throws {
        try store([[1], [2], [3]])
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                for (move, key) in zip(moves, keys) {
                    let isThere = try cursor.move(to: move)
                    #expect(isThere == (key != nil))
                    if isThere {
                        let entry = try cursor.entry()
                        #expect(entry.key.first == key)
                    }
                }
            }
        }
    }

    @Test("After a seek behind the last entry, the previous entry is the last one")
    func previousAfterSeek() throws {
        try store([[1], [2]])
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                let isFound = try cursor.seek(atOrAfter: [3])
                let isThere = try cursor.move(to: .previous)
                let entry = try cursor.entry()
                #expect(!isFound)
                #expect(isThere)
                #expect(entry.key == [2])
            }
        }
    }

    @Test(
        "An empty table has no entry anywhere",
        arguments: [Cursor.Position.first, .last, .next, .previous]
    )
    func empty(position: Cursor.Position) throws {
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                let isThere = try cursor.move(to: position)
                #expect(!isThere)
            }
        }
    }

    @Test("A cursor keeps its place while its transaction deletes and puts around it")
    func writesUnderCursor() throws {
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<UInt64(2_000) {
                try transaction.put(bigEndian(number), forKey: bigEndian(number), in: table)
            }
        }
        try environment.write { transaction throws(LMDBError) in
            var seen: [UInt64] = []
            try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                while try cursor.move(to: .next) {
                    let number: UInt64 = try cursor.withEntry { key, _ throws(LMDBError) in
                        key.bigEndian(at: 0)
                    }
                    seen.append(number)
                    // Every second entry goes, and each gets a longer value, so that pages split.
                    if number % 2 == 0 {
                        try transaction.delete(key: bigEndian(number), in: table)
                    } else {
                        let longer = [UInt8](repeating: UInt8(number % 251), count: 200)
                        try transaction.put(longer, forKey: bigEndian(number), in: table)
                        let stored = try cursor.entry()
                        #expect(stored.value == longer)
                    }
                }
            }
            #expect(seen == Array(0..<2_000))
            let count = try transaction.count(of: table)
            #expect(count == 1_000)
        }
    }
    @Test("A cursor puts and deletes what its transaction would, in any order of the keys")
    func writesThroughCursor() throws {
        var generator = SeededGenerator()
        var model: [UInt64: [UInt8]] = [:]
        for share in [0, 3, 6, 10] {
            try environment.write { transaction throws(LMDBError) in
                try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                    var number: UInt64 = 0
                    for _ in 0..<5_000 {
                        // Mostly beside the last key, as a merge writes them.
                        let isNear = UInt64.random(in: 0..<8, using: &generator) > 0
                        let step = UInt64.random(in: 0..<(isNear ? 4 : 2_000), using: &generator)
                        number = (number + step) % 2_000
                        if Int.random(in: 0..<10, using: &generator) < share {
                            try cursor.delete(key: bigEndian(number))
                            model[number] = nil
                        } else {
                            let count = Int.random(in: 0...300, using: &generator)
                            let value = [UInt8](repeating: UInt8(number % 251), count: count)
                            try cursor.put(value, forKey: bigEndian(number))
                            #expect(try cursor.entry().value == value)
                            model[number] = value
                        }
                    }
                }
                let entries = try transaction.entries(of: table)
                let expected = model.sorted { $0.key < $1.key }
                #expect(entries.map(\.value) == expected.map(\.value))
                let keys = entries.map { $0.key.reduce(0) { $0 << 8 | UInt64($1) } }
                #expect(keys == expected.map(\.key))
            }
        }
    }
}
