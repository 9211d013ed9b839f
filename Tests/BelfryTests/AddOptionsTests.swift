internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct AddOptionsTests {
    private func trigger(_ arguments: String...) throws -> Belfry_V1_Trigger? {
        let zone = try #require(TimeZone(identifier: "Europe/Rome"))
        return try TriggerOptions.parse(arguments).trigger(zone: zone)
    }

    @Test("Without a time it is now")
    func now_() throws {
        #expect(try trigger() == nil)
    }

    @Test("--in fires once, --every again and again")
    func intervals() throws {
        let once = try #require(try trigger("--in", "5s"))
        #expect(once.timeInterval.interval.seconds == 5)
        #expect(!once.repeats)
        let every = try #require(try trigger("--every", "1h"))
        #expect(every.timeInterval.interval.seconds == 3_600)
        #expect(every.repeats)
    }

    @Test("--at is a time in the zone of whoever asks, with a date or without")
    func localTime() throws {
        let daily = try #require(try trigger("--at", "08:30", "--daily"))
        var time = Belfry_V1_DateComponents()
        time.hour = 8
        time.minute = 30
        time.second = 0
        time.timeZone = "Europe/Rome"
        #expect(daily.repeats)
        #expect(daily.calendar.dateComponents == time)

        let once = try #require(try trigger("--at", "2026-01-31T08:30:05"))
        time.year = 2026
        time.month = 1
        time.day = 31
        time.second = 5
        #expect(!once.repeats)
        #expect(once.calendar.dateComponents == time)
    }

    @Test(
        "What contradicts itself or is no time is refused",
        arguments: [
            ["--at", "08:00", "--in", "5s"], ["--at", "08:00", "--every", "1h"],
            ["--in", "5s", "--every", "1h"], ["--daily"], ["--at", "2026-01-31 08:00", "--daily"],
            ["--at", "8"], ["--at", "8:"], ["--at", "-8:00"], ["--at", "2026-01 08:00"],
            ["--at", "2026-01-31"], ["--in", "soon"],
        ]
    )
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try TriggerOptions.parse(arguments) }
    }

    @Test("Content has what was said and nothing else")
    func content() throws {
        let options = try NotificationOptions.parse([
            "Tea", "--body", "It has drawn.", "--sound", "default", "--badge", "0", "--level",
            "time-sensitive", "--id", "tea",
        ])
        var request = Belfry_V1_NotificationRequest()
        request.identifier = "tea"
        request.content.title = "Tea"
        request.content.body = "It has drawn."
        request.content.sound = .init()
        request.content.badge = 0
        request.content.interruptionLevel = .timeSensitive
        #expect(options.request == request)
        #expect(try !NotificationOptions.parse([]).isSet)
    }
}
