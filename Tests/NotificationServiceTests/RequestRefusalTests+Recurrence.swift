internal import BelfryGRPC

extension RequestRefusalTests {
    private static func limits(_ field: String) -> Expected {
        Expected(.invalidArgument, "RECURRENCE_LIMITS_INVALID", "trigger.limits." + field)
    }

    private static func components(_ field: String) -> Expected {
        Expected(.invalidArgument, "DATE_COMPONENTS_INVALID", "trigger." + field)
    }

    private static let dates = Array(repeating: #""20260101""#, count: 367)
        .joined(separator: ",")

    /// A recurrence that is wrong (REC-3).
    private static func recurrence(_ name: String, _ fields: String, _ field: String) -> Case {
        .trigger(
            name,
            #"{"repeats":true,"recurrence":{\#(fields)}}"#,
            Expected(.invalidArgument, "RECURRENCE_INVALID", "trigger." + field)
        )
    }

    private static func noDate(_ field: String) -> Expected {
        Expected(.invalidArgument, "NOTIFICATION_INVALID_NO_DATE", field, unCode: 1400)
    }

    /// A rule at 08:00 with limits.
    private static func limited(
        _ name: String,
        _ limits: String,
        repeats: Bool = true,
        _ expected: Expected
    ) -> Case {
        .trigger(
            name,
            #"{"repeats":\#(repeats),"limits":{\#(limits)},"#
                + #""calendar":{"dateComponents":{"hour":8}}}"#,
            expected
        )
    }

    /// An interval of an hour with limits.
    private static func interval(
        _ name: String,
        _ limits: String,
        repeats: Bool = true,
        _ expected: Expected
    ) -> Case {
        .trigger(
            name,
            #"{"repeats":\#(repeats),"limits":{\#(limits)},"timeInterval":{"interval":"3600s"}}"#,
            expected
        )
    }

    /// An anchored interval from new year on.
    private static func anchored(
        _ name: String,
        _ fields: String,
        anchor: String = "2026-01-01T00:00:00Z",
        _ expected: Expected
    ) -> Case {
        .trigger(
            name,
            #"{"repeats":true,"anchoredInterval":{"anchor":"\#(anchor)",\#(fields)}}"#,
            expected
        )
    }

    private static let day = #""calendarStep":{"count":1,"unit":1}"#

    /// The refusals of recurrences (CAL-11).
    static let recurrences: [Case] = [
        recurrence(
            "no recurrence rule",
            #""rule":"FREQ=OFTEN","start":"20260101T090000""#,
            "recurrence.rule"
        ),
        recurrence("a rule without a start", #""rule":"FREQ=DAILY""#, "recurrence.start"),
        recurrence("no crontab", #""cron":"0 25 * * *""#, "recurrence.cron"),
        recurrence("a crontab's start", #""cron":"@daily","start":"20260101""#, "recurrence.start"),
        recurrence("a start in UTC", #""start":"20260101T090000Z""#, "recurrence.start"),
        recurrence("nothing that recurs", "", "recurrence"),
        recurrence(
            "no date",
            #""addedDates":["20260101","20261301"]"#,
            "recurrence.added_dates[1]"
        ),
        recurrence(
            "367 dates",
            #""excludedDates":[\#(dates)]"#,
            "recurrence.excluded_dates"
        ),
        .trigger(
            "a rule that never comes",
            #"{"recurrence":{"rule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30","start":"20260101"}}"#,
            noDate("trigger.recurrence")
        ),
        limited(
            "an end before the start",
            #""startAt":"2026-02-01T00:00:00Z","endAt":"2026-01-31T23:59:59Z""#,
            limits("end_at")
        ),
        limited("a count below 0", #""maxOccurrences":-1"#, limits("max_occurrences")),
        limited("a count, once", #""maxOccurrences":1"#, repeats: false, limits("max_occurrences")),
        limited(
            "a day to skip, once",
            #""skipDates":[{"year":2026,"month":1,"day":2}]"#,
            repeats: false,
            limits("skip_dates")
        ),
        limited(
            "a day that is named twice",
            #""skipDates":[{"year":2026,"month":1,"day":2},{"year":2026,"month":1,"day":2}]"#,
            limits("skip_dates[1]")
        ),
        limited(
            "a day that is not there",
            #""skipDates":[{"year":2026,"month":2,"day":29}]"#,
            limits("skip_dates[0]")
        ),
        limited(
            "a day of the greatest numbers",
            #""skipDates":[{"year":2147483647,"month":2147483647,"day":2147483647}]"#,
            limits("skip_dates[0]")
        ),
        limited(
            "367 days",
            #""skipDates":[\#(Array(repeating: "{}", count: 367).joined(separator: ","))]"#,
            limits("skip_dates")
        ),
        limited(
            "a start in the year 1",
            #""startAt":"0001-01-01T00:00:00Z""#,
            limits("start_at")
        ),
        limited(
            "an end in the year 9999",
            #""endAt":"9999-12-31T23:59:59Z""#,
            limits("end_at")
        ),
        limited(
            "limits that leave no instant",
            #""endAt":"2026-01-01T07:59:59Z""#,
            noDate("trigger.limits")
        ),
        interval(
            "a start of an interval",
            #""startAt":"2027-01-01T00:00:00Z""#,
            limits("start_at")
        ),
        interval("an end of an interval", #""endAt":"2027-01-01T00:00:00Z""#, limits("end_at")),
        interval(
            "a day to skip of an interval",
            #""skipDates":[{"year":2026,"month":1,"day":2}]"#,
            limits("skip_dates")
        ),
        interval(
            "a count of an interval, once",
            #""maxOccurrences":1"#,
            repeats: false,
            limits("max_occurrences")
        ),
        .trigger(
            "weekdays and a weekday",
            #"{"calendar":{"weekdays":[2],"dateComponents":{"weekday":3}}}"#,
            components("calendar.weekdays")
        ),
        .trigger(
            "a weekday that is named twice",
            #"{"calendar":{"weekdays":[2,3,2]}}"#,
            components("calendar.weekdays[2]")
        ),
        .trigger(
            "no weekday",
            #"{"calendar":{"weekdays":[2,0]}}"#,
            components("calendar.weekdays[1]")
        ),
        .trigger(
            "the ordinal 0",
            #"{"calendar":{"dateComponents":{"weekday":2,"weekdayOrdinal":0}}}"#,
            components("calendar.date_components.weekday_ordinal")
        ),
        .trigger(
            "the ordinal -6",
            #"{"calendar":{"dateComponents":{"weekday":2,"weekdayOrdinal":-6}}}"#,
            components("calendar.date_components.weekday_ordinal")
        ),
        .trigger(
            "an instant in the past",
            #"{"at":"2025-12-31T23:59:59Z"}"#,
            noDate("trigger.at")
        ),
        .trigger("the present instant", #"{"at":"2026-01-01T00:00:00Z"}"#, noDate("trigger.at")),
        .trigger(
            "an instant in the year 1",
            #"{"at":"0001-01-01T00:00:00Z"}"#,
            .invalid("trigger.at")
        ),
        .trigger(
            "an instant in the year 9999",
            #"{"at":"9999-12-31T00:00:00Z"}"#,
            .invalid("trigger.at")
        ),
        .trigger(
            "an instant that repeats",
            #"{"repeats":true,"at":"2026-02-01T00:00:00Z"}"#,
            .invalid("trigger.repeats")
        ),
        .trigger(
            "an instant with limits",
            #"{"limits":{"endAt":"2027-01-01T00:00:00Z"},"at":"2026-02-01T00:00:00Z"}"#,
            Expected(.invalidArgument, "RECURRENCE_LIMITS_INVALID", "trigger.limits")
        ),
        .trigger(
            "no anchor",
            #"{"anchoredInterval":{\#(day)}}"#,
            .invalid("trigger.anchored_interval.anchor")
        ),
        anchored(
            "no step",
            #""timeZone":"Europe/Rome""#,
            .invalid("trigger.anchored_interval.step")
        ),
        anchored(
            "an anchor in the year 1",
            day,
            anchor: "0001-01-01T00:00:00Z",
            .invalid("trigger.anchored_interval.anchor")
        ),
        anchored(
            "a step below a minute",
            #""interval":"59.999999999s""#,
            Expected(
                .invalidArgument,
                "TIME_INTERVAL_INVALID",
                "trigger.anchored_interval.interval"
            )
        ),
        anchored(
            "a count of 0",
            #""calendarStep":{"count":0,"unit":1}"#,
            components("anchored_interval.calendar_step.count")
        ),
        anchored(
            "the greatest count",
            #""calendarStep":{"count":2147483647,"unit":4}"#,
            components("anchored_interval.calendar_step.count")
        ),
        anchored(
            "no unit",
            #""calendarStep":{"count":1}"#,
            .invalid("trigger.anchored_interval.calendar_step.unit")
        ),
        anchored(
            "a policy for days",
            day + #","shortMonthPolicy":3"#,
            components("anchored_interval.short_month_policy")
        ),
        anchored(
            "a zone that is not there",
            day + #","timeZone":"Europe/Atlantis""#,
            Expected(
                .invalidArgument,
                "TIME_ZONE_UNKNOWN",
                "trigger.anchored_interval.time_zone"
            )
        ),
        Case(
            "an expiry of 0",
            #"{"content":{"title":"Title"},"expiresAfter":"0s","#
                + #""trigger":{"timeInterval":{"interval":"5s"}}}"#,
            .invalid("expires_after")
        ),
        Case(
            "the longest expiry",
            #"{"content":{"title":"Title"},"expiresAfter":"315576000000s","#
                + #""trigger":{"timeInterval":{"interval":"5s"}}}"#,
            .invalid("expires_after")
        ),
        Case(
            "an expiry of what is due now",
            #"{"content":{"title":"Title"},"expiresAfter":"5s"}"#,
            .invalid("expires_after")
        ),
    ]
}
