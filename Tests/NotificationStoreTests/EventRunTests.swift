internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("The rows of the log of events")
struct EventRunTests {
    /// The numbers of the first events of the rows.
    private func firsts(_ test: TestStore) throws -> [EventNumber] {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        let rows = try StoreFile.read(file: test.directory.path + "/data.mdb") { file in
            try file.rows(of: .events)
        }
        return try rows.keys.map { try EventKey($0).number }.sorted()
    }

    @Test("Events of a batch share rows, and each is found by its number")
    func numbers() async throws {
        let test = try TestStore()
        try await test.authorize()
        try await test.addAll(try (0..<60).map { try .titled("\($0)") })
        for after in 0...61 as ClosedRange<UInt64> {
            let events = try await test.events(after: EventNumber(rawValue: after))
            #expect(events.map(\.number.rawValue) == Array(after...61).filter { $0 > after })
        }
        let rows = try firsts(test)
        #expect(rows.count > 2 && rows.count < 12)
    }

    @Test("A row of which the oldest events go begins with the next one from then on")
    func trimmed() async throws {
        let test = try TestStore { $0.limits.eventBytesPerCenter = 5_000 }
        try await test.authorize()
        try await test.addAll(try (0..<60).map { try .titled("\($0)") })
        var trims = 0
        for number in 60..<80 {
            let before = try test.state()
            try await test.add(.titled("\(number)"))
            let state = try test.state()
            trims += state.firstEvent > before.firstEvent ? 1 : 0
            let events = try await test.events(after: state.firstEvent.previous)
            #expect(events.map(\.number) == Array(state.firstEvent...state.lastEvent))
            #expect(try firsts(test).first == state.firstEvent)
            try test.reopen()
        }
        #expect(trims > 5)
    }
}
