internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import NotificationTesting

@Suite("A test with a notification center of its own", .notifications, .timeLimit(.minutes(5)))
struct NotificationTestingTests {
    private func add(_ identifier: String, after seconds: Int64 = 0) async throws {
        let test = try NotificationTest.current
        var request = Belfry_V1_NotificationRequest()
        request.identifier = identifier
        request.content.title = identifier
        if seconds > 0 { request.trigger.timeInterval.interval.seconds = seconds }
        _ = try await test.center.add(request)
    }

    @Test("Nothing comes before its time, and a year passes at once")
    func time() async throws {
        let test = try NotificationTest.current
        try await add("milk", after: 365 * 86_400)
        try await test.advance(by: .seconds(365 * 86_400 - 1))
        #expect(try await test.delivered().isEmpty)
        try await test.advance(by: .seconds(1))
        #expect(try await test.delivered().map(\.identifier) == ["milk"])
    }

    @Test("What one test does no other sees, at whatever time", arguments: 0..<8)
    func isolated(number: Int64) async throws {
        let test = try NotificationTest.current
        try await test.advance(by: .seconds(number * 3_600))
        #expect(try await test.client.admin.clock().now.seconds == 1_767_225_600 + number * 3_600)
        try await add("same")
        #expect(try await test.delivered().count == 1)
    }

    @Test("The person presses, and the app is told")
    func pressed() async throws {
        let test = try NotificationTest.current
        var request = Belfry_V1_NotificationRequest()
        request.identifier = "ask"
        request.content.title = "Deploy?"
        var yes = Belfry_V1_NotificationAction()
        yes.identifier = "yes"
        yes.title = "Yes"
        yes.textInput = .init()
        request.content.actions = [yes]
        let added = try await test.center.add(request)
        try await test.press("yes", of: "ask", text: "Now.")
        let told = try await test.center.awaitAnswer(to: added)
        #expect(told.answer.actionIdentifier == "yes")
        #expect(told.answer.userText == "Now.")
        let error = await #expect(throws: ClientError.self) {
            try await test.press("yes", of: "ask")
        }
        #expect(error?.reason == "NOTIFICATION_NOT_FOUND")
    }

    @Test(
        "An app and an instant of the test's own",
        .notifications(app: "org.example.tea", from: Date(timeIntervalSince1970: 1_800_000_000))
    )
    func chosen() async throws {
        let test = try NotificationTest.current
        #expect(test.center.center.appID == "org.example.tea")
        #expect(try await test.client.admin.clock().now.seconds == 1_800_000_000)
        let settings = try await test.center.notificationSettings().settings
        #expect(settings.authorizationStatus == .authorized)
    }

    @Test("Its server is gone behind the test, also where that fails", arguments: [false, true])
    func over(fails: Bool) async throws {
        struct Failed: Error {}
        let kept = Kept()
        let trait: NotificationTrait = .notifications
        let own = try #require(Test.current)
        do {
            try await trait.provideScope(for: own, testCase: nil) {
                kept.test = try NotificationTest.current
                if fails { throw Failed() }
            }
            #expect(!fails)
        } catch is Failed {
            #expect(fails)
        }
        let test = try #require(kept.test)
        await #expect(throws: ClientError.self) { try await test.delivered() }
    }

    @Test("It is there within a time, which is printed")
    func started() async throws {
        let clock = ContinuousClock()
        let own = try #require(Test.current)
        var times: [Duration] = []
        for _ in 0..<5 {
            let trait: NotificationTrait = .notifications
            let began = clock.now
            try await trait.provideScope(for: own, testCase: nil) {}
            times.append(clock.now - began)
        }
        print("a test's own center, from start to stop, takes \(times.sorted()[2])")
    }
}

@Suite("A test without the trait")
struct MissingTraitTests {
    @Test("It is told what to write")
    func missing() {
        let error = #expect(throws: MissingTrait.self) { try NotificationTest.current }
        #expect("\(error!)".contains("@Test(.notifications)"))
    }
}

/// The test of a closure, kept after its end.
///
/// Safety: the closure has ended when the test that gave it reads the value.
private final class Kept: @unchecked Sendable {
    var test: NotificationTest?
}
