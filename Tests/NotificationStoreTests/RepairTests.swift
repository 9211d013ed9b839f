internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("The repair of a store")
struct RepairTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    @Test("The numbers of events that are lost are never given again (P4)")
    func lostEvents() async throws {
        try await test.authorize()
        for number in 0..<4 { try await test.add(.titled("\(number)")) }
        let before = try test.state()
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            for event in [before.lastEvent - 1, before.lastEvent] {
                try file.delete(EventKey(event, of: 1).bytes, in: .events)
            }
        }
        let directory = test.directory.path
        let report = try StoreRepair.repair(directory: directory, onProblem: { _ in })
        #expect(report.rowCount > 0)
        #expect(try StoreAudit.problems(in: directory) == [])
        try test.reopen()
        let after = try test.state()
        #expect(after.lastEvent == before.lastEvent)
        #expect(after.firstEvent == before.lastEvent + 1)
        #expect(after.deliveredCount == 4)
        try await test.add(.titled("new"))
        #expect(try test.state().lastEvent == before.lastEvent + 1)
        // The removed rows are kept beside the store, those of events, too.
        let kept = try #require(report.keptPath)
        let lines = try String(contentsOfFile: kept, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.contains("\"events\"") })
        test.close()
        #expect(try StoreAudit.problems(in: directory) == [])
    }

    @Test("A center that counts other bytes for its caller is counted again")
    func bytes() async throws {
        try await test.authorize(by: Registrant(.token, "tea"))
        try await test.add(.titled("a", in: .seconds(60)))
        let before = try test.state()
        test.close()
        let directory = test.directory.path
        try StoreFile.change(in: directory) { file in
            var (number, center) = try file.center(test.center)
            center.pendingBytes = 7
            center.countedBytes = 9
            try file.set(center, number: number)
        }
        _ = try StoreRepair.repair(directory: directory, onProblem: { _ in })
        #expect(try StoreAudit.problems(in: directory) == [])
        try test.reopen()
        #expect(try test.state() == before)
    }
}
