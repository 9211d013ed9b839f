internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct TriggerTextTests {
    private let dates = DateText(now: Date(timeIntervalSince1970: 1_795_352_430), zone: .gmt)

    private func describe(_ trigger: Belfry_V1_Trigger) -> String {
        TriggerText.describe(trigger, dates)
    }

    /// The trigger of a command line.
    private func trigger(_ arguments: [String], _ zone: String) throws -> Belfry_V1_Trigger {
        let zone = try #require(TimeZone(identifier: zone))
        let local = LocalTime(now: dates.now, zone: zone)
        return try #require(try TriggerOptions.parse(arguments).trigger(local))
    }

    @Test(
        "What is typed is told in words",
        arguments: [
            (["--in", "5s"], "once"), (["--every", "1h"], "every 1h"),
            (["--every", "2h30m", "--at", "23:00"], "every 2h 30m from Sun 22 Nov 23:00"),
            (["--at", "8:00"], "at 08:00 (UTC)"),
            (["--at", "2026-12-24T08:00:00+02:00"], "once"),
            (["--at", "24 dec 8:00"], "on 24 Dec 2026 at 08:00 (UTC)"),
            (["--every", "day", "--at", "8:00"], "every day at 08:00 (UTC)"),
            (
                ["--every", "thursday,monday", "--at", "8:00:30"],
                "every Mon, Thu at 08:00:30 (UTC)"
            ),
            (["--every", "weekday", "--at", "8:00"], "every weekday at 08:00 (UTC)"),
            (["--every", "weekend", "--at", "8:00"], "every weekend at 08:00 (UTC)"),
            (
                ["--every", "last friday", "--at", "8:00"],
                "every last Fri of the month at 08:00 (UTC)"
            ),
            (
                ["--every", "second last friday", "--at", "8:00"],
                "every second-last Fri of the month at 08:00 (UTC)"
            ),
            (["--every", "15th", "--at", "8:00"], "every day 15 of the month at 08:00 (UTC)"),
            (
                ["--every", "last day", "--at", "8:00"],
                "every last day of the month at 08:00 (UTC)"
            ),
            (["--every", "24 dec", "--at", "8:00"], "every 24 Dec at 08:00 (UTC)"),
            (["--cron", "0 9,18 * * 1-5"], "every weekday at 09:00, 18:00 (UTC)"),
            (["--cron", "0 9 L * *"], "every last day of the month at 09:00 (UTC)"),
            (["--cron", "30 9 * 1,7 5#2"], "every second Fri of Jan, Jul at 09:30 (UTC)"),
            (["--cron", "0 9 13 * 5"], "by cron 0 9 13 * 5 (UTC)"),
            (["--cron", "*/20 * * * *"], "by cron */20 * * * * (UTC)"),
            (["--at", "9am,6pm"], "on 2 dates (UTC)"),
            (["--every", "day", "--at", "9am,6:30pm"], "every day at 09:00, 18:30 (UTC)"),
            (
                ["--every", "weekday", "--at", "9am,6:30pm"],
                "every weekday at 09:00, 18:30 (UTC)"
            ),
            (
                ["--every", "other tuesday", "--at", "9:00"],
                "every 2 weeks on Tue at 09:00 from Tue 24 Nov 09:00 (UTC)"
            ),
            (
                ["--every", "first monday and third friday", "--at", "9am,6:30pm"],
                "every first Mon and third Fri of the month at 09:00, 18:30 (UTC)"
            ),
            (
                ["--every", "last working day", "--at", "17:00"],
                "every last working day of the month at 17:00 (UTC)"
            ),
            (
                ["--every", "second working day", "--at", "9am,6:30pm"],
                "every second working day of the month at 09:00, 18:30 (UTC)"
            ),
            (
                ["--every", "31st", "--at", "9,18"],
                "every last day of the month at 09:00, 18:00 (UTC)"
            ),
            (["--every", "29 feb", "--at", "9,18"], "every 29 Feb at 09:00, 18:00 (UTC)"),
            (
                ["--every", "month", "--at", "15 dec 9,18"],
                "every month at 09:00, 18:00 from Tue 15 Dec 09:00 (UTC)"
            ),
            (
                ["--rrule", "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR;COUNT=3", "--at", "9:00"],
                "every 2 months on the last Fri at 09:00, 3 times from Mon 23 Nov 09:00 (UTC)"
            ),
            (
                ["--rrule", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20301231", "--at", "9:00"],
                "every fourth Thu of Nov at 09:00, until 2030-12-31 (UTC)"
            ),
            (
                ["--rrule", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=3", "--at", "9:00"],
                "by FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=3 from Mon 23 Nov 09:00 (UTC)"
            ),
            (
                ["--rrule", "FREQ=YEARLY;BYWEEKNO=20", "--at", "9:00"],
                "by FREQ=YEARLY;BYWEEKNO=20 from Mon 23 Nov 09:00 (UTC)"
            ),
            (
                ["--rrule", "FREQ=HOURLY;BYMINUTE=30", "--at", "9:00"],
                "every hour at minute 30 (UTC)"
            ),
            (
                ["--every", "month", "--at", "31 dec 9:00"],
                "every month from Thu 31 Dec 09:00 (UTC)"
            ),
            (
                ["--rrule", "FREQ=DAILY;BYHOUR=9,18", "--at", "9:00"],
                "every day at 09:00, 18:00 (UTC)"
            ),
            (
                ["--every", "3 days", "--from", "1 dec 10:00"],
                "every 3 days from Tue 1 Dec 10:00 (UTC)"
            ),
            (
                ["--every", "day", "--at", "8:00", "--times", "3", "--until", "2027-01-01 9:00"],
                "every day at 08:00 (UTC), until Fri 1 Jan 2027 09:00, 3 times"
            ),
            (["--near", "38.7,-9.1,200m"], "on entering 38.7,-9.1,200m"),
            (
                ["--near", "38.7,-9.1,200m", "--on", "both", "--every", "crossing"],
                "on crossing 38.7,-9.1,200m, every time"
            ),
        ]
    )
    func words(arguments: [String], text: String) throws {
        #expect(describe(try trigger(arguments, "UTC")) == text)
    }

    @Test("A calendar rule without words has stars for what may be anything")
    func pattern() {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        trigger.calendar.dateComponents.month = 3
        trigger.calendar.dateComponents.weekdayOrdinal = 2
        #expect(describe(trigger) == "*-03-* 00:00:00 …, repeating")
        trigger.calendar.dateComponents = .init()
        trigger.calendar.dateComponents.quarter = 2
        trigger.calendar.dateComponents.weekday = .monday
        trigger.calendar.dateComponents.hour = 8
        trigger.calendar.dateComponents.timeZone = "Europe/Rome"
        #expect(describe(trigger) == "Mon *-*-* 08:00:00 … Europe/Rome, repeating")
        #expect(describe(Belfry_V1_Trigger()) == "")
    }
}
