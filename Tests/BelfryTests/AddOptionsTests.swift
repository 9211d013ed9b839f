internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct AddOptionsTests {
    /// Sunday 22 November 2026, 13:00:30 in Lisbon, for all options.
    private let now = Date(timeIntervalSince1970: 1_795_352_430)

    private func trigger(
        _ arguments: [String],
        isFloating: Bool = false
    ) throws -> Belfry_V1_Trigger? {
        let zone = try #require(TimeZone(identifier: "Europe/Lisbon"))
        let local = LocalTime(now: now, zone: zone, isFloating: isFloating)
        return try TriggerOptions.parse(arguments).trigger(local)
    }

    @Test("Without a time it is now")
    func now_() throws {
        #expect(try trigger([]) == nil)
    }

    @Test(
        "Each form is one trigger",
        arguments: [
            (["--in", "1.5h"], #"{"timeInterval":{"interval":"5400s"}}"#),
            (["--in", "P1DT2H"], #"{"timeInterval":{"interval":"93600s"}}"#),
            (["--every", "1h"], #"{"repeats":true,"timeInterval":{"interval":"3600s"}}"#),
            (
                ["--at", "9:30"],
                #"""
                {"calendar":{"dateComponents":{"hour":9,"minute":30,"second":0,
                "timeZone":"Europe/Lisbon"}}}
                """#
            ),
            (
                ["--at", "tomorrow noon"],
                #"""
                {"calendar":{"dateComponents":{"year":2026,"month":11,"day":23,"hour":12,
                "minute":0,"second":0,"timeZone":"Europe/Lisbon"}}}
                """#
            ),
            (
                ["--at", "2026-12-24T01:00:00+02:00"],
                #"""
                {"at":"2026-12-23T23:00:00Z"}
                """#
            ),
            (
                ["--at", "2026-12-24T01:00:00.123456789Z"],
                #"""
                {"at":"2026-12-24T01:00:00.123456789Z"}
                """#
            ),
            (
                ["--every", "day", "--at", "8:30"],
                #"""
                {"repeats":true,"calendar":{"dateComponents":{"hour":8,"minute":30,"second":0,
                "timeZone":"Europe/Lisbon"}}}
                """#
            ),
            (
                ["--every", "monday", "--at", "8:30"],
                #"""
                {"repeats":true,"calendar":{"dateComponents":{"hour":8,"minute":30,"second":0,
                "weekday":"WEEKDAY_MONDAY","timeZone":"Europe/Lisbon"}}}
                """#
            ),
            (
                ["--every", "weekend", "--at", "8:30"],
                #"""
                {"repeats":true,"calendar":{"dateComponents":{"hour":8,"minute":30,"second":0,
                "timeZone":"Europe/Lisbon"},"weekdays":["WEEKDAY_SUNDAY","WEEKDAY_SATURDAY"]}}
                """#
            ),
            (
                ["--every", "last friday", "--at", "8:30"],
                #"""
                {"repeats":true,"calendar":{"dateComponents":{"hour":8,"minute":30,"second":0,
                "weekday":"WEEKDAY_FRIDAY","weekdayOrdinal":-1,"timeZone":"Europe/Lisbon"}}}
                """#
            ),
            (
                ["--every", "last day", "--at", "8:30"],
                #"""
                {"repeats":true,"calendar":{"dateComponents":{"day":31,"hour":8,"minute":30,
                "second":0,"timeZone":"Europe/Lisbon"},
                "shortMonthPolicy":"SHORT_MONTH_POLICY_LAST_DAY"}}
                """#
            ),
            (
                ["--every", "3 days", "--from", "1 dec 10:00"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=DAILY;INTERVAL=3",
                "start":"20261201T100000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "2w", "--at", "9:00", "--from", "next friday"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;INTERVAL=2",
                "start":"20261127T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "month"],
                #"""
                {"repeats":true,"recurrence":{
                "rule":"RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD",
                "start":"20261122T130030","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "2 years", "--at", "29 feb 2028 9:00"],
                #"""
                {"repeats":true,"recurrence":{
                "rule":"RSCALE=GREGORIAN;FREQ=YEARLY;INTERVAL=2;SKIP=BACKWARD",
                "start":"20280229T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "year", "--at", "29 feb 9:00"],
                #"""
                {"repeats":true,"calendar":{"dateComponents":{"month":2,"day":29,"hour":9,
                "minute":0,"second":0,"timeZone":"Europe/Lisbon"},
                "shortMonthPolicy":"SHORT_MONTH_POLICY_LAST_DAY"}}
                """#
            ),
            (
                ["--every", "week", "--at", "2027-03-28 1:30"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY","start":"20270328T013000",
                "timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "other tuesday", "--at", "9:00"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
                "start":"20261124T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "3 weeks on tue,thu", "--at", "9:00", "--from", "1 dec"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,TH",
                "start":"20261201T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "last working day", "--at", "17:00"],
                #"""
                {"repeats":true,"recurrence":{
                "rule":"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                "start":"20261122T170000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--rrule", "FREQ=MONTHLY;BYDAY=-1FR", "--at", "9:00", "--times", "3"],
                #"""
                {"repeats":true,"limits":{"maxOccurrences":3},"recurrence":{
                "rule":"FREQ=MONTHLY;BYDAY=-1FR","start":"20261123T090000",
                "timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--rrule", "FREQ=DAILY;BYHOUR=9,18", "--from", "1 dec 9:00"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=DAILY;BYHOUR=9,18",
                "start":"20261201T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--at", "9am,6:30pm"],
                #"""
                {"repeats":true,"recurrence":{"start":"20261122T183000",
                "addedDates":["20261123T090000"],"timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "day", "--at", "9am,6pm"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=DAILY;BYHOUR=9,18",
                "start":"20261122T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "weekday", "--at", "9am,6:30pm", "--from", "1 dec"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;\#
                BYHOUR=9,18;BYMINUTE=0,30;BYSETPOS=1,4,5,8,9,12,13,16,17,20",
                "start":"20261201T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "other sunday", "--at", "12:00,14:00"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=12,14",
                "start":"20261122T120000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "last working day", "--at", "9am,6:30pm"],
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;\#
                BYHOUR=9,18;BYMINUTE=0,30;BYSETPOS=-4,-1",
                "start":"20261122T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "31st", "--at", "9,18"],
                #"""
                {"repeats":true,"recurrence":{"rule":"RSCALE=GREGORIAN;FREQ=MONTHLY;\#
                BYMONTHDAY=31;SKIP=BACKWARD;BYHOUR=9,18",
                "start":"20261122T090000","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--in", "10min", "--every", "1h"],
                #"""
                {"repeats":true,"anchoredInterval":{"anchor":"2026-11-22T13:10:30Z",
                "interval":"3600s"}}
                """#
            ),
            (
                ["--cron", "*/20 * * * *"],
                #"""
                {"repeats":true,"recurrence":{"cron":"*/20 * * * *","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--cron", "0 9 * * 1", "--from", "2026-12-01", "--until", "2026-12-31"],
                #"""
                {"repeats":true,"limits":{"startAt":"2026-12-01T00:00:00Z",
                "endAt":"2026-12-31T23:59:59.999999999Z"},"recurrence":{"cron":"0 9 * * 1",
                "timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "1h", "--times", "3", "--skip", "25 dec,2027-01-01"],
                #"""
                {"repeats":true,"limits":{"maxOccurrences":3,"skipDates":[{"year":2026,"month":12,
                "day":25},{"year":2027,"month":1,"day":1}]},"anchoredInterval":
                {"anchor":"2026-11-22T13:00:30Z","interval":"3600s","timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                ["--every", "1h", "--times", "3"],
                #"""
                {"repeats":true,"limits":{"maxOccurrences":3},"timeInterval":{"interval":"3600s"}}
                """#
            ),
            (
                ["--near", "-33.9,151.2,1km", "--on", "exit"],
                #"""
                {"location":{"region":{"identifier":"-33.9,151.2,1km","notifyOnEntry":false,
                "notifyOnExit":true,"circular":{"latitude":-33.9,"longitude":151.2,
                "radiusMeters":1000}}}}
                """#
            ),
        ]
    )
    func forms(arguments: [String], json: String) throws {
        #expect(try trigger(arguments) == Belfry_V1_Trigger(jsonString: json))
    }

    @Test("A time in the device's zone moves with the device, unless it has its own distance")
    func floating() throws {
        let time = try #require(try trigger(["--at", "9:30"], isFloating: true))
        #expect(time.calendar.dateComponents.timeZone == "")
        let step = try #require(try trigger(["--every", "2w", "--at", "9:30"], isFloating: true))
        #expect(step.recurrence.timeZone == "")
        let utc = try #require(try trigger(["--at", "2026-12-24T18:00:00Z"], isFloating: true))
        #expect(utc == (try Belfry_V1_Trigger(jsonString: #"{"at":"2026-12-24T18:00:00Z"}"#)))
    }

    @Test(
        "What contradicts itself tells which flag and what would do",
        arguments: [
            (["--at", "8:00", "--in", "5s"], "Use one of --in, --at"),
            (["--at", "8:00", "--cron", "0 9 * * *"], "Use one of --in, --at"),
            (["--near", "0,0,1m", "--at", "8:00"], "Use one of --in, --at"),
            (["--every", "day", "--cron", "0 9 * * *"], "leave --every out"),
            (["--every", "monday"], "as in --at 9:00"),
            (["--every", "monday", "--at", "tomorrow 9:00"], "as in --at 9:00"),
            (["--every", "monday", "--in", "5s"], "as in --at 9:00"),
            (["--every", "crossing"], "say which with --near"),
            (["--near", "0,0,1m", "--every", "day"], "--every crossing"),
            (["--at", "8:00", "--times", "3"], "say --every, --cron or --rrule"),
            (["--times", "0", "--every", "1h"], "--times is 1 or more"),
            (["--in", "5s", "--zone", "Europe/Lisbon"], "--zone is of local times"),
            (["--every", "1h", "--in", "5s", "--from", "9:00"], "--in and --from both"),
            (["--every", "1h", "--from", "tomorrow"], "Say the first time once"),
            (["--every", "2w", "--from", "1 dec 9:00", "--at", "9:00"], "Say the first time once"),
            (["--every", "1h", "--at", "9,18"], "is of days"),
            (["--rrule", "FREQ=DAILY", "--at", "9,18"], "as in BYHOUR=9,18"),
            (["--every", "day", "--at", "9:01,10:02,11:03,12:04,13:05,14:06,15:07,16:08"], "OK"),
            (
                [
                    "--every", "weekday", "--at",
                    "9:01,10:02,11:03,12:04,13:05,14:06,15:07,16:08,17:09",
                ], "too many times"
            ),
            (["--every", "monday", "--at", "9,18", "--from", "1 dec 9:00"], "is a day where"),
            (["--on", "enter", "--in", "5s"], "say which with --near"),
            (["--near", "0,0,1m", "--on", "display"], "say which with --beacon"),
            (["--at", "25"], "'25' is invalid for '--at <time>': write 9:00"),
            (["--at", "tomorrow"], "'--at <time>': say the time too"),
            (["--in", "soon"], "'--in <duration>': write 90s"),
            (["--in", "2 months"], "'--in <duration>': write 90s"),
            (["--every", "5s"], "'--every <how often>': a repetition takes 60s or more"),
            (["--cron", "0 25 * * *"], "'--cron <expression>': at column 3, hour: write 0 to 23"),
            (["--rrule", "FREQ=OFTEN"], "'--rrule <rule>': at column 6, FREQ: is SECONDLY"),
            (["--rrule", "FREQ=DAILY", "--every", "day"], "leave --every out"),
            (["--every", "other tuesday"], "as in --at 9:00"),
            (["--every", "last working day", "--at", "tomorrow 9:00"], "as in --at 9:00"),
            (["--at", "8:00", "--zone", "Mars"], "'--zone <zone>': write a name"),
            (["--near", "95,0,1m"], "'--near <place>': degrees north are"),
            (["--every", "1h", "--skip", "9:00"], "'--skip <days>': write days alone"),
        ]
    )
    func refused(arguments: [String], says: String) {
        guard says != "OK" else {
            #expect(throws: Never.self) { try TriggerOptions.parse(arguments) }
            return
        }
        #expect {
            try TriggerOptions.parse(arguments)
        } throws: { error in
            TriggerOptions.message(for: error).contains(says)
        }
    }

    @Test("A field that the server refuses is told as its flag")
    func flags() throws {
        let options = try TriggerOptions.parse(["--every", "1h", "--until", "2027-01-01"])
        #expect(options.flag(ofField: "request.trigger.limits.end_at") == "--until")
        #expect(options.flag(ofField: "request.trigger.time_interval.interval") == "--every")
        #expect(options.flag(ofField: "request.content.badge") == nil)
        let content = try NotificationOptions.parse(["Tea", "--expires-after", "1h"])
        #expect(content.flag(ofField: "request.expires_after") == "--expires-after")
        #expect(content.request.expiresAfter.seconds == 3_600)
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
