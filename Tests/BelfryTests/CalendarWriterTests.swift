internal import ArgumentParser
internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct CalendarWriterTests {
    /// Sunday 22 November 2026, 13:00:30 in Lisbon.
    private let now = Date(timeIntervalSince1970: 1_795_352_430)

    private func lisbon() throws -> TimeZone { try #require(TimeZone(identifier: "Europe/Lisbon")) }

    /// The lines of an event for a trigger whose next date is `first`.
    private func lines(
        _ trigger: Belfry_V1_Trigger,
        _ dates: [String],
        _ writer: inout CalendarWriter
    ) throws -> [String] {
        var request = Belfry_V1_NotificationRequest()
        request.identifier = "a"
        request.content.title = "Tea"
        request.trigger = trigger
        writer.add(
            request,
            try dates.map { try Google_Protobuf_Timestamp(jsonString: "\"\($0)\"") }
        )
        let lines = writer.text.replacing("\r\n ", with: "").split(separator: "\r\n")
            .map(String.init)
        let first = try #require(lines.firstIndex { $0.hasPrefix("DTSTAMP") })
        let last = try #require(lines.firstIndex { $0.hasPrefix("SUMMARY") })
        return Array(lines[(first + 1)..<last])
    }

    @Test(
        "What is typed is an event that a calendar repeats",
        arguments: [
            (
                ["--at", "2026-12-24T18:00:00.5Z"], ["2026-12-24T18:00:00.5Z"],
                ["DTSTART:20261224T180001Z"]
            ),
            (
                ["--at", "24 dec 18:00"], ["2026-12-24T18:00:00Z"],
                ["DTSTART;TZID=Europe/Lisbon:20261224T180000"]
            ),
            (
                ["--every", "weekday", "--at", "9:30"],
                ["2026-11-23T09:30:00Z", "2026-11-24T09:30:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261123T093000",
                    "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
                ]
            ),
            // The server's first date is not the rule's: that one is skipped.
            (
                ["--every", "day", "--from", "2026-11-20 9:30"],
                ["2026-11-24T09:30:00Z", "2026-11-25T09:30:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261120T093000", "RRULE:FREQ=DAILY",
                    "EXDATE;TZID=Europe/Lisbon:20261123T093000",
                ]
            ),
            (
                ["--every", "last friday", "--at", "16:00", "--skip", "25 dec"],
                ["2026-11-27T16:00:00Z", "2027-01-29T16:00:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261127T160000", "RRULE:FREQ=MONTHLY;BYDAY=-1FR",
                    "EXDATE;TZID=Europe/Lisbon:20261225T160000",
                ]
            ),
            (
                ["--every", "31st", "--at", "9:00"],
                ["2026-11-30T09:00:00Z", "2026-12-31T09:00:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261130T090000",
                    "RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD",
                ]
            ),
            (
                ["--every", "24 dec", "--at", "9:00"], ["2026-12-24T09:00:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261224T090000",
                    "RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24",
                ]
            ),
            (
                ["--every", "last working day", "--at", "17:00"], ["2026-11-30T17:00:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261130T170000",
                    "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                ]
            ),
            (
                ["--cron", "30 3 * 1-6 1-5", "--until", "2027-02-01"], ["2027-01-01T03:30:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20270101T033000",
                    """
                    RRULE:FREQ=DAILY;BYMONTH=1,2,3,4,5,6;BYDAY=MO,TU,WE,TH,FR;BYHOUR=3;BYMINUTE=30;\
                    BYSECOND=0;UNTIL=20270201T235959Z
                    """,
                ]
            ),
            (
                ["--cron", "0 9 L * *"], ["2026-11-30T09:00:00Z", "2026-12-31T09:00:00Z"],
                [
                    "DTSTART;TZID=Europe/Lisbon:20261130T090000",
                    "RRULE:FREQ=DAILY;BYMONTHDAY=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
                ]
            ),
            (
                ["--every", "1.5h"], ["2026-11-22T14:30:30Z"],
                ["DTSTART:20261122T143030Z", "RRULE:FREQ=MINUTELY;INTERVAL=90"]
            ),
            // No rule says these: their dates are written.
            (
                ["--cron", "0 9 13 * 5"], ["2026-11-27T09:00:00Z", "2026-12-04T09:00:00Z"],
                ["DTSTART:20261127T090000Z", "RDATE:20261204T090000Z"]
            ),
            (
                ["--every", "month", "--at", "1 dec 9:00", "--times", "2"],
                ["2026-12-01T09:00:00Z", "2027-01-01T09:00:00Z"],
                ["DTSTART:20261201T090000Z", "RDATE:20270101T090000Z"]
            ),
        ]
    )
    func events(arguments: [String], dates: [String], expected: [String]) throws {
        let local = LocalTime(now: now, zone: try lisbon())
        let trigger = try #require(try TriggerOptions.parse(arguments).trigger(local))
        var writer = CalendarWriter(now: now, device: try lisbon())
        #expect(try lines(trigger, dates, &writer) == expected)
        #expect(writer.withDatesAlone.isEmpty != expected.contains { $0.hasPrefix("RDATE") })
    }

    @Test("What floats has no zone, and a dates' first is where it begins")
    func floating() throws {
        let local = LocalTime(now: now, zone: try lisbon(), isFloating: true)
        let day = try TriggerOptions.parse(["--every", "day", "--at", "9:30"]).trigger(local)
        var writer = CalendarWriter(now: now, device: try lisbon())
        #expect(
            try lines(try #require(day), ["2026-11-23T09:30:00Z"], &writer)
                == ["DTSTART:20261123T093000", "RRULE:FREQ=DAILY"]
        )
        let dates = try Belfry_V1_Trigger(
            jsonString: #"""
                {"repeats":true,"recurrence":{"addedDates":["20261123T093000","20261124T093000",
                "20261125T093000Z"]}}
                """#
        )
        writer = CalendarWriter(now: now, device: try lisbon())
        #expect(
            try lines(dates, ["2026-11-23T09:30:00Z", "2026-11-24T09:30:00Z"], &writer) == [
                "DTSTART:20261123T093000", "RDATE:20261124T093000", "RDATE:20261125T093000Z",
            ]
        )
    }

    @Test(
        "The rule of a crontab has its times",
        arguments: [
            "0 9,18 * * 1-5", "*/15 9-17 * * *", "0 9 L * *", "0 9 15,L * *", "30 9 * 1,7 5#2",
            "0 0 1-7 * *", "0 0 */2 * 1", "15 30 9 * * 5L", "*/20 * * * *", "@monthly",
            "0 0 L-3 2 ?",
        ]
    )
    func crontabs(cron: String) throws {
        let rule = try #require(try RecurrenceRule.text(ofCron: cron))
        let byCron = try RecurrenceTrigger(text: .cron(cron), timeZone: "UTC", repeats: true)
        let start = Int(now.timeIntervalSince1970)
        let byRule = try RecurrenceTrigger(
            text: .rule(rule),
            start: start,
            timeZone: "UTC",
            repeats: true
        )
        var last = WallInstant(second: start - 1)
        for _ in 0..<200 {
            let next = try #require(byCron.nextFire(after: last, in: .utc))
            #expect(byRule.nextFire(after: last, in: .utc) == next)
            last = next
        }
        #expect(try RecurrenceRule.text(ofCron: "0 9 13 * 5") == nil)
        #expect(try RecurrenceRule.text(ofCron: "0 9 15W * *") == nil)
    }

    @Test("Lines are folded between characters, and texts are escaped")
    func texts() throws {
        var request = Belfry_V1_NotificationRequest()
        request.identifier = "a,b"
        request.content.title = String(repeating: "ü漢", count: 60)
        request.content.body = "a;b\\c\nd\u{7}e"
        request.content.badge = 3
        request.trigger.at.seconds = 1_795_352_500
        var writer = CalendarWriter(now: now, device: try lisbon())
        writer.add(request, [request.trigger.at])
        let lines = writer.text.split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(writer.text.hasSuffix("END:VCALENDAR\r\n"))
        #expect(lines.contains(#"UID:a\,b"#))
        #expect(lines.contains(#"DESCRIPTION:a\;b\\c\nde"#))
        #expect(writer.shortened == ["a,b"])
        let entries = try CalendarFile.parse(Data(writer.text.utf8)).entries
        let read = try #require(entries.first).request.get()
        #expect(read.identifier == "a,b")
        #expect(read.content.title == request.content.title)
        #expect(read.content.body == "a;b\\c\nde")
        #expect(read.trigger == request.trigger)
    }

    @Test("What was read from a calendar is written as it was read")
    func roundTrip() throws {
        let events = [
            "DTSTART:20261224T180000Z", "DTSTART:20261224T180000",
            "DTSTART;TZID=Asia/Tokyo:20261224T180000",
            "DTSTART:20261224T180000\nRRULE:FREQ=WEEKLY;BYDAY=TH\nEXDATE:20261231T180000",
            "DTSTART:20261224T180000Z\nRRULE:FREQ=DAILY;COUNT=9\nRDATE:20261226T090000Z",
            """
            DTSTART;TZID=Australia/Lord_Howe:20261224T180000
            RRULE:FREQ=MONTHLY;BYMONTHDAY=24
            EXDATE:20270123T070000Z
            """,
            "DTSTART:20261224T180000\nRDATE:20261226T180000",
        ]
        for (index, event) in events.enumerated() {
            let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:Tea\n\(event)\nEND:VEVENT\n"
            let read = try #require(
                try CalendarFile.parse(Data((text + "END:VCALENDAR").utf8)).entries.first
            ).request.get()
            var writer = CalendarWriter(now: now, device: try lisbon())
            let isUTC = event.contains("180000Z")
            let first = isUTC || index == 1 || index == 3 || index == 6 ? 18 : index == 2 ? 9 : 7
            let date = Date(timeIntervalSince1970: 1_798_070_400 + Double(first * 3_600))
            writer.add(read, [Google_Protobuf_Timestamp(date: date)])
            #expect(writer.withDatesAlone.isEmpty, "\(event)")
            let again = try #require(
                try CalendarFile.parse(Data(writer.text.utf8)).entries.first
            ).request.get()
            #expect(again == read, "\(event)")
        }
    }
}
