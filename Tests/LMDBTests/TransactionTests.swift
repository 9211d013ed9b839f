internal import LMDB
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

    @Test("What was put is read back, in this transaction and in later ones")
    func roundTrip() throws {
        let key: [4 of UInt8] = [0, 1, 2, 255]
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([7, 8, 9], forKey: key, in: table)
            let own = try transaction.value(forKey: key, in: table)
            #expect(own == [7, 8, 9])
        }
        let stored = try environment.read { transaction throws(LMDBError) in
            try transaction.value(forKey: key, in: table)
        }
        #expect(stored == [7, 8, 9])
    }
}
