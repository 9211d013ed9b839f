internal import Foundation
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationRecords
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Stores of older formats as their servers wrote them, and what has to be in them.
@Suite("Upgrading a store of an older format (R18)")
struct UpgradeTests {
    private let directory: ScratchDirectory
    private let mail: CenterName
    private let quiet = CenterName.local("org.example.quiet")

    init() throws {
        directory = try ScratchDirectory()
        mail = try CenterName(app: "org.example.mail", device: "phone")
        try place(format: 1)
    }

    /// Puts the store of an older format into the directory.
    private func place(format: Int) throws { try place("format-\(format)") }

    private func place(_ name: String) throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/\(name).mdb")
        try Data(contentsOf: fixture).write(to: URL(filePath: directory.path + "/data.mdb"))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test("All that an older format held is there, and goes on", arguments: [1, 2])
    func all(format: Int) async throws {
        try place(format: format)
        let test = try TestStore(in: directory)
        let pending = try await test.pending { $0.center = mail }
        #expect(pending.map(\.request.identifier) == ["daily", "next"])
        #expect(
            pending.map { $0.nextFire?.nanoseconds }
                == [1_767_398_400, 1_767_322_861].map {
                    $0 * 1_000_000_000
                }
        )
        let delivered = try await test.delivered { $0.center = mail }
        #expect(delivered.map(\.request.identifier) == ["both", "daily", "later", "replaced"])
        #expect(delivered.map(\.delivery) == [6, 7, 5, 4])
        let usage = try test.store.usage()
        #expect(usage.pending == 3)
        #expect(usage.delivered == 5)
        #expect(usage.arriving == 0)
        #expect(delivered[1].request.content.badge == 3)
        #expect(delivered[2].request.content.body == "A body — with ümlauts")
        #expect(delivered[3].request.content.userInfoJSON == #"{"k": [1, 2]}"#)
        #expect(try test.state(of: mail).badge == 9)
        #expect(try test.state(of: mail).settings.authorizationStatus == .authorized)
        #expect(try test.state(of: quiet).settings.authorizationStatus == .provisional)
        let events = try await test.events(of: mail)
        #expect(events.map(\.number) == Array(1...12))
        let deliveries = events.compactMap { event -> Event.Delivered? in
            if case .delivered(let delivered) = event.kind { delivered } else { nil }
        }
        #expect(deliveries.map(\.notification.delivery) == Array(1...7))
        #expect(deliveries.allSatisfy { !$0.presentation.hasTimedOut })
        // It goes on: what is pending fires.
        try await test.advance(by: .seconds(3 * 86_400))
        #expect(try await test.pending { $0.center = mail }.map(\.request.identifier) == ["daily"])
        test.close()
        #expect(try StoreAudit.problems(in: directory.path) == [])
    }

    @Test("What was kept before trace contexts is there, and goes on beside those that have one")
    func untraced() async throws {
        try place("untraced")
        let test = try TestStore(in: directory)
        let tea = CenterName.local("org.example.tea")
        #expect(
            try await test.pending { $0.center = tea }.map(\.request.identifier)
                == ["daily", "once", "repeats"]
        )
        let trace = try #require(TraceContext(trace: 1, span: 2, flags: 1, state: "a=1"))
        var request = try NotificationRequest.titled("traced")
        request.trace = trace
        try await test.add(request, to: tea)
        // The push to many is due in an hour, and the others in minutes.
        try await test.advance(by: .seconds(2 * 3_600))
        let delivered = try await test.delivered { $0.center = tea }
        let traces = Dictionary(
            delivered.map { ($0.request.identifier, $0.request.trace) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(traces.count == 6)
        #expect(traces["traced"] == trace)
        #expect(traces.values.compactMap(\.self).count == 1)
        test.close()
        #expect(try StoreAudit.problems(in: directory.path) == [])
    }

    @Test("The file of a server of format 3 that was killed is served, and has this format then")
    func killed() async throws {
        try place("killed-format-3")
        let test = try TestStore(in: directory)
        let tea = CenterName.local("org.example.tea")
        try await test.add(.titled("four"), to: tea)
        let pending = try await test.pending { $0.center = tea }
        #expect(pending.map(\.request.identifier) == ["one", "three"])
        let delivered = try await test.delivered { $0.center = tea }
        #expect(delivered.map(\.request.identifier) == ["four", "now"])
        #expect(try StoreState.format(in: test.store.environment) == StoreState.format)
        test.close()
        #expect(try StoreAudit.problems(in: directory.path) == [])
    }

    @Test("A retry with a key that format 1 kept acts once")
    func idempotency() async throws {
        let test = try TestStore(in: directory)
        #expect(try test.store.usage().idempotencyFloorMilliseconds == 1_767_225_600_000)
    }

    @Test("A store of format 1 takes string tables, and keeps them")
    func stringTables() async throws {
        let test = try TestStore(in: directory)
        let table = StringTable(app: mail.app, language: "en", strings: ["k": .text("text")])
        _ = try await test.result { $0.setStringTable(table, completion: $1) }.get()
        try await test.add(
            .titled("new") { $0.localizedTitle = LocalizedText(key: "k") },
            to: mail
        )
        try test.reopen()
        let page = try await test.shown(DeviceListQuery(device: mail.device))
        let shown = page.groups.flatMap(\.notifications)
        #expect(shown.first { $0.reference.identifier == "new" }?.rendered.title == "text")
        // What was there has no key, and its title as before.
        #expect(shown.first { $0.reference.identifier == "later" } != nil)
        test.close()
        #expect(try StoreAudit.problems(in: directory.path) == [])
    }

    @Test("The old file stays until the first good stop")
    func kept() throws {
        let test = try TestStore(in: directory)
        #expect(try files().contains("data.mdb.before-format-\(StoreState.format)"))
        test.close()
        #expect(try !files().contains("data.mdb.before-format-\(StoreState.format)"))
        let again = try TestStore(in: directory)
        #expect(try !files().contains("data.mdb.before-format-\(StoreState.format)"))
        again.close()
    }

    @Test("What an upgrade left that was cut short is begun again")
    func leftover() async throws {
        let part = directory.path + "/upgrade"
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
        try Data("half of a file".utf8).write(to: URL(filePath: part + "/data.mdb"))
        let test = try TestStore(in: directory)
        #expect(try await test.pending { $0.center = mail }.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: part).isEmpty)
    }

    @Test("A store of format 1 that is damaged is not upgraded, and stays as it was")
    func damaged() throws {
        let path = directory.path + "/data.mdb"
        var bytes = try Data(contentsOf: URL(filePath: path))
        // An identifier's row says another version.
        let row = Data([0, 0, 0, 1]) + Data("daily".utf8) + Data([1, 1])
        var place = bytes.startIndex
        while let found = bytes.range(of: row, in: place..<bytes.endIndex) {
            bytes[found.upperBound - 2] = 9
            place = found.upperBound
        }
        #expect(place > bytes.startIndex)
        try bytes.write(to: URL(filePath: path))
        #expect(throws: StoreError.self) { _ = try TestStore(in: directory) }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }
}
