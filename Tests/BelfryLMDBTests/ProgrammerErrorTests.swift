internal import BelfryLMDB
internal import TestSupport
internal import Testing

/// Mistakes that would hang or read freed memory in C trap instead.
@Suite("Programmer errors")
struct ProgrammerErrorTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    @Test("A write inside a write traps; LMDB would wait for itself")
    func nestedWrite() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            try environment.write { _ throws(LMDBError) in
                try environment.write { _ throws(LMDBError) in }
            }
        }
        expect(result, says: "cannot begin another")
    }

    @Test("A write while a value of its transaction is lent traps; LMDB may move its bytes")
    func writeUnderValue() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1], forKey: [1], in: table)
                try transaction.withValue(forKey: [1], in: table) { _ throws(LMDBError) in
                    try transaction.put([2], forKey: [2], in: table)
                }
            }
        }
        expect(result, says: "copy it before writing")
    }

    @Test("A use of a transaction that was committed traps; its memory is LMDB's again")
    func useAfterCommit() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            let transaction = try environment.beginWriting()
            try transaction.put([1], forKey: [1], in: table)
            try transaction.commit()
            // Open another transaction, from which the ended one has to be told.
            let other = try environment.beginWriting()
            try other.put([2], forKey: [2], in: table)
            _ = try transaction.contains(key: [1], in: table)
        }
        expect(result, says: "the write transaction has ended")
    }

    @Test("A commit while a cursor is lent traps; the commit frees it")
    func commitUnderCursor() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            let transaction = try environment.beginWriting()
            try transaction.withCursor(in: table) { _ throws(LMDBError) in
                try transaction.commit()
            }
        }
        expect(result, says: "it cannot end yet")
    }

    @Test("A delete while an entry of its transaction is lent traps")
    func deleteUnderEntry() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1], forKey: [1], in: table)
                try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                    _ = try cursor.move(to: .first)
                    try cursor.withEntry { key, _ throws(LMDBError) in
                        _ = try transaction.delete(key: key, in: table)
                    }
                }
            }
        }
        expect(result, says: "copy it before writing")
    }

    @Test("A key of a size that LMDB does not store traps", arguments: [0, 512])
    func keySize(size: Int) async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String, size = size as Int] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.write { transaction throws(LMDBError) in
                let key = [UInt8](repeating: 1, count: size)
                try transaction.put([1], forKey: key, in: table)
            }
        }
        expect(result, says: "a key has from 1 to 511 bytes")
    }

    @Test("A table of another environment traps")
    func foreignTable() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let other = try Environment(directory: path + "/other")
            let table = try other.table("things")
            _ = try environment.read { transaction throws(LMDBError) in
                try transaction.contains(key: [1], in: table)
            }
        }
        expect(result, says: "does not belong")
    }

    @Test("Reading from a cursor that is at no entry traps")
    func cursorWithoutEntry() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.read { transaction throws(LMDBError) in
                try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                    _ = try cursor.entry()
                }
            }
        }
        expect(result, says: "the cursor is not at an entry")
    }

    @Test("Swapping a cursor with one that ends earlier traps")
    func swappedCursors() async {
        let path = directory.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.read { transaction throws(LMDBError) in
                try transaction.withCursor(in: table) { outer throws(LMDBError) in
                    try transaction.withCursor(in: table) { inner throws(LMDBError) in
                        swap(&outer, &inner)
                    }
                }
            }
        }
        expect(result, says: "a cursor was swapped")
    }

    @Test("Reading an integer that is not wholly inside of a value traps", arguments: [-1, 1])
    func integerOutside(offset: Int) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [offset = offset as Int] in
            let bytes: [4 of UInt8] = [1, 2, 3, 4]
            _ = unsafe bytes.span.bytes.bigEndian(UInt32.self, at: offset)
        }
        expect(result, says: "offset is outside of the bytes")
    }

    /// Expects that the process trapped for the reason that was meant.
    private func expect(_ result: ExitTest.Result?, says text: String) {
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(text))
    }
}
