internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct FrameTextTests {
    private let plain = Style(isTerminal: false, environment: [:])
    private let dates = DateText(now: Date(timeIntervalSince1970: 0), zone: .gmt)

    private func lines(_ change: (inout Belfry_V1_SubscriptionFrame) -> Void) -> [String] {
        var frame = Belfry_V1_SubscriptionFrame()
        change(&frame)
        return FrameText.lines(frame, plain, dates)
    }

    @Test("A delivery tells what was shown and how late it was")
    func delivered() {
        let told = lines { frame in
            frame.event.number = 12
            frame.event.recordedAt.seconds = 1_767_225_600
            frame.event.delivered.notification.request.identifier = "tea"
            frame.event.delivered.notification.request.content.body = "It has drawn."
            frame.event.delivered.presentation.options = [.list, .banner]
            frame.event.delivered.lateBy.nanos = 1_200_000
        }
        #expect(
            told == [
                "12  2026-01-01 00:00:00  delivered  tea  It has drawn.  (list, banner; 1.2ms late)"
            ]
        )
    }

    @Test("A badge event tells the badge")
    func badge() {
        let told = lines { frame in
            frame.event.number = 1
            frame.event.badgeChanged.badge = 3
        }
        #expect(told == ["1  1970-01-01 00:00:00  badge  3"])
    }

    @Test("A snapshot lists what is delivered, and the rest once")
    func snapshot() {
        func told(isComplete: Bool) -> [String] {
            lines { frame in
                var notification = Belfry_V1_Notification()
                notification.request.identifier = "tea"
                notification.request.content.title = "Tea"
                frame.snapshot.delivered = [notification]
                frame.snapshot.asOfEvent = 7
                frame.snapshot.pendingCount = 2
                frame.snapshot.settings.authorizationStatus = .authorized
                frame.snapshot.complete = isComplete
            }
        }
        #expect(told(isComplete: false) == ["  1970-01-01 00:00:00  tea  Tea"])
        #expect(told(isComplete: true).last == "As of event 7: 2 pending, badge 0, authorized.")
    }

    @Test("A connection that merely lives is not told of")
    func heartbeat() {
        #expect(lines { $0.heartbeat = .init() }.isEmpty)
        #expect(lines { $0.caughtUp = .init() }.isEmpty)
        #expect(lines { _ in }.isEmpty)
    }
}
