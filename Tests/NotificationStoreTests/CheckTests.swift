internal import BelfryLMDB
internal import BelfryLocking
internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("The check of a store")
struct CheckTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    /// A damage that is planted in the store of ``fill()``, and the problems that are found.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problems: [String]
        let plant: @Sendable (StoreFile) throws -> Void

        init(
            _ description: String,
            _ problems: [String],
            _ plant: @escaping @Sendable (StoreFile) throws -> Void
        ) {
            testDescription = description
            self.problems = problems
            self.plant = plant
        }
    }

    /// Makes a store with one center and one idempotency key.
    ///
    /// Request 1, "a", is pending for 60 s; request 2, "b", is delivered. Event 1 is about the
    /// settings, event 2 about the delivery.
    private func fill() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60)))
        let request = try NotificationRequest.titled("b")
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "Add", request: [])
        _ = try await test.result {
            $0.add(request, to: test.center, once: key, completion: $1)
        }.get()
        test.close()
    }

    private func problems() throws -> [String] {
        try StoreAudit.problems(in: test.directory.path)
    }

    @Test("Each rule finds what breaks it, and names the row", arguments: Self.damages)
    func finds(damage: Damage) async throws {
        try await fill()
        #expect(try problems() == [])
        try StoreFile.change(in: test.directory.path, damage.plant)
        let found = try problems()
        #expect(found == damage.problems, "\(found)")
        // A check changes nothing.
        #expect(try problems() == damage.problems)
    }

    @Test("A state that cannot be read ends the check")
    func damagedState() async throws {
        try await fill()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put([1], forKey: MetaKey.state.bytes, in: .meta)
        }
        let error = #expect(throws: StoreError.self) { try problems() }
        guard case .failed(let cause) = error else {
            Issue.record("ended for another reason: \(String(describing: error))")
            return
        }
        #expect(cause.row != nil)
    }

    @Test("Many slices of each table are read, and counted")
    func large() async throws {
        try await test.authorize()
        let other = CenterName.local("org.example.other")
        try await test.authorize(for: other)
        for center in [test.center, other] {
            try await test.addAll(
                try (0..<600).map { try .titled("\($0)", in: .seconds(1 + $0)) },
                to: center
            )
            try await test.addAll(try (0..<512).map { try .titled("now \($0)") }, to: center)
        }
        try await test.advance(by: .seconds(256))
        test.close()
        let progress = Guarded<[StoreCheck.Progress]>([])
        let report = try StoreCheck.check(
            directory: test.directory.path,
            onProblem: { Issue.record("\($0)") },
            onProgress: { part in progress.withLock { $0.append(part) } }
        )
        // The rows are the format, the state, two secrets, and how much is merged and flushed;
        // identifiers; due; delivered; events; apps, centers, expiry, names; records.
        let delivered = 2 * (512 + 256)
        let last = Dictionary(
            progress.withLock { $0 }.map { ($0.table, $0) },
            uniquingKeysWith: { $1 }
        )
        // A row has many events.
        let events = try #require(last["events"]?.rowCount)
        #expect(events > 4 && events < delivered / 4)
        let rows = 6 + 2 * 1_112 + 2 * 344 + delivered + events + 8 + 2 * 1_112
        #expect(report.rowCount == rows)
        #expect(report.problemCount == 0)
        #expect(report.asOf == .newYear + .seconds(256))
        #expect(Set(last.keys) == Set(TableName.allCases.map(\.rawValue)))
        #expect(last.values.allSatisfy { $0.rowCount == $0.totalCount })
        #expect(last.values.map(\.rowCount).reduce(0, +) == rows)
    }

    @Test("A damaged page is told, and the other tables are read all the same")
    func damagedPage() async throws {
        // Each batch merges the changes of the batch before, and deletes them from the log.
        try test.reopen { $0.limits.changes.changesPerMerge = 1 }
        try await fill()
        try test.reopen()
        for number in 0..<4 { try await test.add(.titled("\(number)", in: .seconds(900))) }
        test.close()
        let path = test.directory.path + "/data.mdb"
        var bytes = try Data(contentsOf: URL(filePath: path))
        // The page with the only event about a delivery is made a page of no kind; older copies of
        // it are not read.
        let record = try StoreFile.read(file: path) { file in
            try file.value(forKey: EventKey(2, of: 1).bytes, in: .events)
        }
        var place = bytes.startIndex
        while let found = bytes.range(of: Data(record), in: place..<bytes.endIndex) {
            let page = found.lowerBound / 4_096 * 4_096
            bytes[page + 10] = 0
            bytes[page + 11] = 0
            place = found.upperBound
        }
        try bytes.write(to: URL(filePath: path))
        let problems = try problems()
        #expect(problems.first?.hasPrefix("events first row: ") == true)
        #expect(problems.contains { $0.hasPrefix("centers center 1: its newest event is 2") })
        #expect(!problems.contains { $0.hasPrefix("identifiers") })
    }

    @Test("What is no store, or of another format, is not checked", arguments: 0..<4)
    func noStore(kind: Int) async throws {
        let directory = try ScratchDirectory()
        let path = directory.path + "/data.mdb"
        switch kind {
        case 1: try Data(repeating: 0x41, count: 10_000).write(to: URL(filePath: path))
        case 2: _ = try Environment(directory: directory.path).table("things")
        case 3:
            try StoreFile.change(in: directory.path) { file in
                try file.put(FormatRow(version: 9).bytes, forKey: MetaKey.format.bytes, in: .meta)
            }
        default: break
        }
        let error = #expect(throws: StoreError.self) {
            try StoreCheck.check(directory: directory.path, onProblem: { _ in })
        }
        switch error {
        case .missing where kind == 0: break
        case .notAStore where kind == 1 || kind == 2: break
        case .format(found: 9, known: StoreState.format) where kind == 3: break
        default: Issue.record("refused for another reason: \(String(describing: error))")
        }
        if kind == 0 {
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        }
    }

    @Test("A store that a server holds is not checked")
    func inUse() throws {
        let error = #expect(throws: StoreError.self) { try problems() }
        guard case .inUse = error else {
            Issue.record("refused for another reason: \(String(describing: error))")
            return
        }
    }
}
