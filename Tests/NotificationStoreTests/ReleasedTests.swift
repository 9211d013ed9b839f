internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Released records (ST-8)")
struct ReleasedTests {
    /// The records in a closed store's file.
    private struct Found {
        /// The requests whose records are there.
        var records: Set<UInt64> = []
        var released: Set<UInt64> = []
        var byteCount = 0
        var state = ReleasedRecords()

        init(in directory: String) throws {
            try StoreFile.change(in: directory) { file in
                let records = try file.rows(of: .records)
                self.records = Set(try records.keys.map { try RequestNumber($0).rawValue })
                for (key, row) in try file.rows(of: .released) {
                    let requests = try ReleasedRow(row).requests(at: try ReleasedKey(key))
                    for request in requests {
                        released.insert(request.rawValue)
                        byteCount += records[request.bytes]?.count ?? 0
                    }
                }
                state = try file.state().released
            }
        }
    }

    /// Closes the store, looks at its file, and expects it to be sound.
    private func found(_ store: TestStore) throws -> Found {
        store.close()
        #expect(try StoreAudit.problems(in: store.directory.path) == [])
        let found = try Found(in: store.directory.path)
        #expect(found.state.count == found.released.count)
        #expect(found.state.byteCount == found.byteCount)
        return found
    }

    private func request(_ number: Int) throws -> NotificationRequest {
        var request = try NotificationRequest.titled("\(number)", in: .seconds(1_000 + number))
        request.content.body = String(repeating: "x", count: 200)
        return request
    }

    @Test("A record stays until a quarter of all records is released, then all such are deleted")
    func quarter() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.addAll(try (0..<400).map(request))
        _ = try await store.removePending((0..<20).map { "\($0 * 20)" })
        #expect(try store.store.usage().records == 380)
        let few = try found(store)
        #expect(few.records.count == 400)
        #expect(few.released.count == 20)

        try store.reopen()
        _ = try await store.removePending((0..<200).map { "\($0 * 2 + 1)" })
        #expect(try store.store.usage().records == 180)
        let many = try found(store)
        #expect(many.records.count == 180)
        #expect(many.released.isEmpty)

        try store.reopen()
        #expect(try await store.pending().count == 180)
    }

    @Test("What is released is told nobody, and is counted at a start")
    func crash() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.addAll(try (0..<100).map(request))
        _ = try await store.removePending(["3", "5"])
        try store.crash()
        #expect(try await store.pending().count == 98)
        #expect(try store.store.usage().records == 98)
        try await store.add(try request(3))
        let found = try found(store)
        #expect(found.records.count == 101)
        #expect(found.released.count == 2)
    }

    @Test("A store without room deletes what is released with any removal")
    func full() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.addAll(try (0..<200).map(request))
        _ = try await store.removePending(["3", "5"])
        try store.reopen { $0.limits.storeBytes = 1 }
        _ = try await store.removePending(["7"])
        let found = try found(store)
        #expect(found.records.count == 197)
        #expect(found.released.isEmpty)
    }

    @Test("Random adds, removals and crashes", arguments: 0..<8)
    func model(run: Int) async throws {
        var generator = SeededGenerator()
        let store = try TestStore()
        try await store.authorize()
        var pending: Set<Int> = []
        var next = 0
        for _ in 0..<30 {
            if Bool.random(using: &generator) {
                let count = Int.random(in: 1...60, using: &generator)
                try await store.addAll(try (next..<next + count).map(request))
                pending.formUnion(next..<next + count)
                next += count
            } else {
                let part = Int.random(in: 2...9, using: &generator)
                let gone = pending.sorted().filter { _ in
                    Int.random(in: 0..<part, using: &generator) == 0
                }
                _ = try await store.removePending(gone.map { "\($0)" })
                pending.subtract(gone)
            }
            guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
            if Bool.random(using: &generator) { try store.crash() }
            #expect(try store.store.usage().records == pending.count)
            let found = try found(store)
            let seed = "SEED=\(generator.seed)"
            #expect(found.released.isSubset(of: found.records), "\(seed)")
            #expect(found.records.count - found.released.count == pending.count, "\(seed)")
            // A quarter of the pages: each is at least a quarter full, and one may be nearly empty.
            #expect(found.byteCount < 4_096 + 300 * found.records.count, "\(seed)")
            try store.reopen()
        }
    }
}
