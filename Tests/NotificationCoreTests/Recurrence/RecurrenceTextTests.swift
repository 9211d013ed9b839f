internal import NotificationCore
internal import Testing

@Suite("REC-2, REC-3: Texts of rules and crontabs")
struct RecurrenceTextTests {
    @Test(
        "What is no rule is refused by its part and column",
        arguments: [
            ("", 1, "RRULE", "needs a name"), ("FREQ=DAILY;", 12, "RRULE", "needs a name"),
            ("INTERVAL=2", 1, "FREQ", "is required"), ("FREQ=OFTEN", 6, "FREQ", "is SECONDLY"),
            ("RRULE:FREQ=OFTEN", 12, "FREQ", "is SECONDLY"),
            ("FREQ=DAILY;FREQ=DAILY", 12, "FREQ", "stands twice"),
            ("FREQ=DAILY;BYEASTER=0", 12, "BYEASTER", "is no part"),
            ("FREQ=DAILY;INTERVAL=0", 21, "INTERVAL", "from 1 to"),
            ("FREQ=DAILY;INTERVAL=99999999999", 21, "INTERVAL", "from 1 to"),
            ("FREQ=DAILY;COUNT=100001", 18, "COUNT", "to 100000"),
            ("FREQ=DAILY;BYHOUR=1,24", 21, "BYHOUR", "from 0 to 23"),
            ("FREQ=DAILY;BYMINUTE=", 12, "BYMINUTE", "needs a name"),
            ("FREQ=DAILY;BYMONTH=1,,2", 22, "BYMONTH", "from 1 to 12"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", 25, "BYMONTHDAY", "from 1 to 31"),
            ("FREQ=MONTHLY;BYDAY=MO,54TU", 23, "BYDAY", "from 1 to 53"),
            ("FREQ=MONTHLY;BYDAY=XX", 20, "BYDAY", "the days SU"),
            ("FREQ=WEEKLY;BYMONTHDAY=1", 13, "BYMONTHDAY", "FREQ=WEEKLY"),
            ("FREQ=WEEKLY;BYDAY=2MO", 13, "BYDAY", "MONTHLY or YEARLY"),
            ("FREQ=MONTHLY;BYWEEKNO=2", 14, "BYWEEKNO", "FREQ=YEARLY"),
            ("FREQ=DAILY;BYYEARDAY=2", 12, "BYYEARDAY", "does not go with"),
            ("FREQ=YEARLY;BYWEEKNO=2;BYDAY=2MO", 24, "BYDAY", "beside BYWEEKNO"),
            ("FREQ=DAILY;COUNT=2;UNTIL=20261224", 20, "UNTIL", "does not go with COUNT"),
            ("FREQ=DAILY;UNTIL=20261324", 18, "UNTIL", "is a date"),
            ("FREQ=DAILY;BYSETPOS=1", 12, "BYSETPOS", "needs another part"),
            ("FREQ=DAILY;SKIP=FORWARD", 12, "SKIP", "needs RSCALE"),
            // The examples of RFC 7529, 4.3, of other calendars.
            ("RSCALE=CHINESE;FREQ=YEARLY", 8, "RSCALE", "GREGORIAN"),
            ("RSCALE=ETHIOPIC;FREQ=MONTHLY;BYMONTH=13", 8, "RSCALE", "GREGORIAN"),
            (
                "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD", 8, "RSCALE",
                "GREGORIAN"
            ),
            ("FREQ=DAILY;WKST=1", 17, "WKST", "the days SU"), ("FREQ=DÄILY", 6, "FREQ", "is SEC"),
        ]
    )
    func rules(text: String, column: Int, part: String, says: String) {
        #expect {
            try RecurrenceRule(text)
        } throws: { error in
            guard let fault = error as? RecurrenceTextFault else { return false }
            return fault.column == column && fault.part == part && fault.problem.contains(says)
        }
    }

    @Test(
        "What is no crontab is refused by its field and column",
        arguments: [
            ("", 1, "cron", "0 fields"), ("0 9 * *", 1, "cron", "4 fields"),
            ("@reboot", 1, "cron", "@hourly"), ("60 9 * * *", 1, "minute", "0 to 59"),
            ("0 24 * * *", 3, "hour", "0 to 23"), ("0 9 0 * *", 5, "day of the month", "1 to 31"),
            ("0 9 * 13 *", 7, "month", "1 to 12"), ("0 9 * * 8", 9, "day of the week", "0 to 7"),
            ("0 9 * * mon-", 13, "day of the week", "0 to 7"),
            ("0 9 * * 5-1", 9, "day of the week", "before its start"),
            ("*/0 * * * *", 1, "minute", "steps"), ("1/2/3 * * * *", 1, "minute", "steps"),
            ("1,,2 * * * *", 3, "minute", "0 to 59"), ("-5 * * * *", 1, "minute", "0 to 59"),
            ("99999999999 * * * *", 1, "minute", "0 to 59"),
            ("0 9 L-31 * *", 5, "day of the month", "L-1 to L-30"),
            ("0 9 32W * *", 5, "day of the month", "1 to 31"),
            ("0 9 * * 5#6", 9, "day of the week", "#1 to #5"),
            ("0 9 30 2 *", 5, "day of the month", "never fires"),
            ("0 9 31 4,6 *", 5, "day of the month", "never fires"),
            ("0 9 31W 2,4 *", 5, "day of the month", "never fires"),
            ("? 9 * * *", 1, "minute", "0 to 59"), ("61 0 9 * * *", 1, "second", "0 to 59"),
        ]
    )
    func crontabs(text: String, column: Int, part: String, says: String) {
        #expect {
            try RecurrenceRule(cron: text)
        } throws: { error in
            guard let fault = error as? RecurrenceTextFault else { return false }
            return fault.column == column && fault.part == part && fault.problem.contains(says)
        }
    }

    @Test("A text that is too long is refused before it is read")
    func long() {
        let text = "FREQ=DAILY;BYHOUR=" + String(repeating: "1,", count: 2_000) + "1"
        #expect { try RecurrenceRule(text) } throws: { error in
            (error as? RecurrenceTextFault)?.column == Limits.recurrenceBytes + 1
        }
        #expect(throws: RecurrenceTextFault.self) {
            try RecurrenceRule(cron: String(repeating: "1,", count: 2_000) + "1 * * * *")
        }
    }

    @Test(
        "REC-2: What a crontab says",
        arguments: [
            ("0 9,18 * * *", ["02 18:00", "03 09:00", "03 18:00"]),
            ("*/15 9-17 * * 1-5", ["02 12:15", "02 12:30", "02 12:45"]),
            ("0 9 1-31 * 1", ["03 09:00", "04 09:00", "05 09:00"]),
            ("0 9 13 * 5", ["06 09:00", "13 09:00", "20 09:00"]),
            ("0 9 */2 * 1", ["09 09:00", "23 09:00"]), ("0 9 L * *", ["28 09:00"]),
            ("0 9 L-2 * *", ["26 09:00"]), ("0 9 LW * *", ["27 09:00"]),
            ("0 9 15W * *", ["16 09:00"]), ("0 9 14W * *", ["13 09:00"]),
            ("0 9 28W * *", ["27 09:00"]), ("0 9 ? * 5L", ["27 09:00"]),
            ("0 9 * * fri#2", ["13 09:00"]), ("0 9 * * 5#1,5L", ["06 09:00", "27 09:00"]),
            ("0 9 * feb sun", ["08 09:00", "15 09:00"]), ("0 9 * * 7", ["08 09:00", "15 09:00"]),
            ("30 0 9 * * *", ["03 09:00:30", "04 09:00:30"]),
            ("*/20 * * * * *", ["02 12:00:20", "02 12:00:40", "02 12:01"]),
            ("@hourly", ["02 13:00", "02 14:00"]), ("@weekly", ["08 00:00", "15 00:00"]),
            ("10/20 * * * *", ["02 12:10", "02 12:30", "02 12:50"]),
        ]
    )
    func cron(text: String, expected: [String]) throws {
        let trigger = try RecurrenceTrigger(text: .cron(text), repeats: true)
        var at = WallInstant(second: seconds("2026-02-02 12:00"))
        var found: [String] = []
        for _ in expected {
            at = try #require(trigger.nextFire(after: at, in: .utc))
            found.append(String(ZoneRules.utc.text(at).dropFirst(8).dropLast(6)))
        }
        #expect(found == expected)
    }

    @Test("A start belongs to a rule alone, and a rule needs it")
    func start() {
        #expect { try RecurrenceTrigger(text: .rule("FREQ=DAILY"), repeats: true) } throws: {
            error in
            (error as? Refusal)?.fields.first?.path == [.recurrence, .start]
        }
        #expect {
            try RecurrenceTrigger(text: .cron("@daily"), start: 0, repeats: true)
        } throws: { error in
            (error as? Refusal)?.fields.first?.path == [.recurrence, .start]
        }
        #expect { try RecurrenceTrigger(text: .cron("0 25 * * *"), repeats: true) } throws: {
            error in
            let refusal = error as? Refusal
            return refusal?.fields.first?.path == [.recurrence, .cron]
                && refusal?.facts == [.position: "2"] && refusal?.reason == .recurrenceInvalid
        }
        #expect(throws: Refusal.self) { try RecurrenceTrigger(text: nil, repeats: true) }
    }
}
