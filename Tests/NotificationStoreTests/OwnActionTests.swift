internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("A notification's own buttons in the store (K-11)", .timeLimit(.minutes(5)))
struct OwnActionTests {
    private func authorized() async throws -> TestStore {
        let test = try TestStore()
        try await test.authorize()
        return test
    }

    private func deliver(
        _ request: NotificationRequest,
        _ test: TestStore
    ) async throws -> NotificationReference {
        guard case .delivered(let delivery) = try await test.add(request).state else {
            throw Refusal.unknownAction
        }
        return test.reference(request.identifier, delivery)
    }

    @Test("They are pressed without a category, and whatever the app's categories become")
    func pressed() async throws {
        let test = try await authorized()
        let request = try NotificationRequest.titled("a") {
            $0.actions = [
                NotificationAction(identifier: "yes", title: "Yes"),
                NotificationAction(identifier: "say", title: "Say", textInput: ActionTextInput()),
            ]
        }
        for (identifier, text) in [("yes", nil), ("say", "now")] as [(String, String?)] {
            let shown = try await deliver(request, test)
            try test.reopen()
            #expect(throws: Refusal.unknownAction) {
                try PersonAct.action(identifier: "no", text: nil)
                    .decision(for: request.content.shown(by: nil), isLocked: false)
            }
            try await test.respond(.action(identifier: identifier, text: text), to: shown)
            let told = try test.openCallbacks(of: test.center).compactMap { callback in
                if case .didReceive(let response) = callback.question { response } else { nil }
            }
            #expect(told.last?.actionIdentifier == identifier)
            #expect(told.last?.userText == text)
        }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    /// How many rows each table has once 10,000 notifications were shown and removed, and all of
    /// their events were forgotten.
    private func rows(
        _ change: (Int, inout NotificationContent) -> Void
    ) async throws -> [TableName: Int] {
        let test = try await authorized()
        for batch in 0..<2 {
            try await test.addAll(
                try (0..<1_000).map { index in
                    try NotificationRequest.titled("\(batch)/\(index)") {
                        change(batch * 1_000 + index, &$0)
                    }
                }
            )
        }
        _ = try await test.removeAllDelivered()
        try await test.advance(by: .seconds(8 * 86_400))
        test.close()
        // Bounded: the tables.
        var counts: [TableName: Int] = [:]
        try StoreFile.change(in: test.directory.path) { file in
            for table in TableName.allCases { counts[table] = try file.rows(of: table).count }
        }
        return counts
    }

    @Test("2,000 notifications with 2,000 buttons leave the rows that 2,000 without any leave")
    func nothingPilesUp() async throws {
        let plain = try await rows { _, _ in }
        let buttons = try await rows { number, content in
            content.actions = [NotificationAction(identifier: "\(number)", title: "\(number)")]
        }
        #expect(buttons[.categories] == 0)
        #expect(buttons[.actionMeanings] == 0)
        #expect(buttons == plain)
    }
}
