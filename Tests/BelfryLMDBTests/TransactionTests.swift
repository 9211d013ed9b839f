internal import BelfryLMDB
internal import TestSupport
internal import Testing

@Suite("Transactions")
struct TransactionTests {
    let directory: ScratchDirectory
    let environment: Environment
    let table: Table

    init() throws {
        directory = try ScratchDirectory()
        environment = try Environment(directory: directory.path)
        table = try environment.table("things")
    }

    @Test(
        "What was put is read back in this transaction and in later ones",
        arguments: [(1, 1), (3, 0), (3, 300), (511, 1), (511, 0), (2, 1 << 20)]
    )
    func roundTrip(keySize: Int, valueSize: Int) throws {
        let key = (0..<keySize).map { UInt8(truncatingIfNeeded: 255 - $0) }
        let value = (0..<valueSize).map { UInt8(truncatingIfNeeded: $0 / 3) }
        try environment.write { transaction throws(LMDBError) in
            try transaction.put(value, forKey: key, in: table)
            let own = try transaction.value(forKey: key, in: table)
            #expect(own == value)
        }
        try environment.read { transaction throws(LMDBError) in
            let stored = try transaction.value(forKey: key, in: table)
            let isThere = try transaction.contains(key: key, in: table)
            #expect(stored == value)
            #expect(isThere)
        }
    }

    @Test("Spans, arrays and inline arrays with the same bytes are the same key")
    func byteViews() throws {
        let inline: [3 of UInt8] = [1, 2, 3]
        let array: [UInt8] = [1, 2, 3]
        try environment.write { transaction throws(LMDBError) in
            try transaction.put(array, forKey: inline, in: table)
            let copied = try transaction.withValue(forKey: array.span, in: table) {
                value throws(LMDBError) in [UInt8](copying: value)
            }
            #expect(copied == array)
            let count = try transaction.withValue(forKey: unsafe array.span.bytes, in: table) {
                value throws(LMDBError) in value.byteCount
            }
            #expect(count == 3)
        }
    }

    @Test("An absent key has no value, and lends none")
    func absent() throws {
        try environment.read { transaction throws(LMDBError) in
            var isCalled = false
            let result: Void? = try transaction.withValue(forKey: [1], in: table) {
                _ throws(LMDBError) in isCalled = true
            }
            let isThere = try transaction.contains(key: [1], in: table)
            #expect(result == nil)
            #expect(!isCalled)
            #expect(!isThere)
        }
    }

    @Test("A put replaces, a delete says whether there was an entry")
    func replaceDelete() throws {
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([1], forKey: [1], in: table)
            try transaction.put([2], forKey: [1], in: table)
            try transaction.put([4], forKey: [2], in: table)
            let first = try transaction.value(forKey: [1], in: table)
            let second = try transaction.value(forKey: [2], in: table)
            #expect(first == [2])
            #expect(second == [4])
            let before = try transaction.count(of: table)
            let isDeleted = try transaction.delete(key: [1], in: table)
            let isDeletedAgain = try transaction.delete(key: [1], in: table)
            let after = try transaction.count(of: table)
            #expect((before, after) == (2, 1))
            #expect(isDeleted)
            #expect(!isDeletedAgain)
        }
    }

    @Test("Tables do not share keys")
    func tablesAreSeparate() throws {
        let other = try environment.table("others")
        #expect(other != table)
        #expect(try environment.table("things") == table)
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([1], forKey: [1], in: table)
            let isThere = try transaction.contains(key: [1], in: other)
            #expect(!isThere)
        }
    }

    @Test("Tables that are created together are one transaction, and none where all exist")
    func createdTogether() throws {
        let names = (0..<20).map { "table \($0)" }
        let before = try environment.lastTransactionID()
        try environment.createTables(names + ["things"])
        #expect(try environment.lastTransactionID() == before + 1)
        let tables = try names.map { name in try environment.table(name) }
        #expect(Set(tables).count == names.count)
        try environment.createTables(names)
        #expect(try environment.lastTransactionID() == before + 1)
    }

    @Test("A throw passes through and leaves nothing of the transaction")
    func abort() throws {
        let before = try environment.lastTransactionID()
        let reason = LMDBError(code: 4711, operation: "a reason of the caller")
        let error = #expect(throws: LMDBError.self) {
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1], forKey: [1], in: table)
                throw reason
            }
        }
        #expect(error == reason)
        #expect(try environment.lastTransactionID() == before)
        try environment.write { transaction throws(LMDBError) in
            let isThere = try transaction.contains(key: [1], in: table)
            #expect(!isThere)
            #expect(transaction.id == before + 1)
            try transaction.put([2], forKey: [2], in: table)
        }
        #expect(try environment.lastTransactionID() == before + 1)
    }

    @Test("A transaction that is kept and released changed nothing, and the next one begins")
    func released() throws {
        do {
            let transaction = try environment.beginWriting()
            try transaction.put([1], forKey: [1], in: table)
        }
        let transaction = try environment.beginWriting()
        let isThere = try transaction.contains(key: [1], in: table)
        #expect(!isThere)
        try transaction.put([2], forKey: [2], in: table)
        try transaction.commit()
        try environment.read { transaction throws(LMDBError) in
            #expect(try transaction.count(of: table) == 1)
        }
    }

    @Test("A reader sees the state it began with, whatever commits meanwhile")
    func snapshotIsolation() throws {
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([1], forKey: [1], in: table)
        }
        try environment.read { before throws(LMDBError) in
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([2], forKey: [1], in: table)
                try transaction.put([2], forKey: [2], in: table)
                let seen = try before.value(forKey: [1], in: table)
                #expect(seen == [1])
            }
            let old = try before.value(forKey: [1], in: table)
            let count = try before.count(of: table)
            #expect(old == [1])
            #expect(count == 1)
            try environment.read { after throws(LMDBError) in
                let new = try after.value(forKey: [1], in: table)
                #expect(new == [2])
                #expect(after.id == before.id + 1)
            }
        }
    }

    @Test("Closures pass on values that cannot be copied")
    func noncopyableResults() throws {
        struct Owned: ~Copyable { let byte: UInt8 }
        let written = try environment.write { transaction throws(LMDBError) in
            try transaction.put([5], forKey: [1], in: table)
            return Owned(byte: 4)
        }
        let read = try environment.read { transaction throws(LMDBError) -> Owned? in
            try transaction.withValue(forKey: [1], in: table) { value throws(LMDBError) in
                Owned(byte: value[0])
            }
        }
        #expect(written.byte == 4)
        guard let read else {
            Issue.record("the value is not there")
            return
        }
        #expect(read.byte == 5)
    }

    @Test("Threads read while one writes, and never see half a transaction")
    func concurrentReaders() async throws {
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([0], forKey: [1], in: table)
            try transaction.put([0], forKey: [2], in: table)
        }
        await withTaskGroup(of: Void.self) { [environment, table] group in
            for reader in 0..<4 {
                group.addTask {
                    #expect(throws: Never.self) {
                        for round in 0..<200 {
                            if reader == 0 {
                                try environment.write { transaction throws(LMDBError) in
                                    try transaction.put([UInt8(round)], forKey: [1], in: table)
                                    try transaction.put([UInt8(round)], forKey: [2], in: table)
                                }
                            }
                            try environment.read { transaction throws(LMDBError) in
                                let first = try transaction.value(forKey: [1], in: table)
                                let second = try transaction.value(forKey: [2], in: table)
                                #expect(first == second)
                            }
                        }
                    }
                }
            }
        }
    }
}
