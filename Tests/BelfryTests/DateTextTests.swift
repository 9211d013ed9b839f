internal import Foundation
internal import Testing

@testable internal import belfry

struct DateTextTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(
        "An instant is written in the reader's zone",
        arguments: [
            ("UTC", "2026-01-01 00:00:00"), ("Europe/Rome", "2026-01-01 01:00:00"),
            ("America/New_York", "2025-12-31 19:00:00"),
        ]
    )
    func absolute(zone: String, text: String) throws {
        let dates = DateText(now: now, zone: try #require(TimeZone(identifier: zone)))
        #expect(dates.absolute(now) == text)
    }

    @Test(
        "A distance is told from now",
        arguments: [
            (0, "now"), (0.4, "now"), (-0.9, "now"), (5, "in 5s"), (90, "in 1m 30s"),
            (-7_200, "2h ago"), (-90_061, "1d 1h ago"),
        ] as [(TimeInterval, String)]
    )
    func relative(distance: TimeInterval, text: String) {
        let dates = DateText(now: now, zone: .gmt)
        #expect(dates.relative(now + distance) == text)
    }
}
