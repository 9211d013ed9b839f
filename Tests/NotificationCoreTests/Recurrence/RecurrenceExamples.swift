internal import Testing

/// A rule in New York, and its first times as the wall clock shows them.
struct RecurrenceExample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: String
    let start: String
    let expected: [String]
    /// Whether the listed dates are all that there are.
    let ends: Bool
    /// The number of all dates and the last one, where they are listed in part.
    let all: (count: Int, last: String)?

    init(
        _ name: String,
        _ rule: String,
        from start: String = "19970902T090000",
        _ expected: [String],
        ends: Bool = false,
        all: (count: Int, last: String)? = nil
    ) {
        testDescription = name
        self.rule = rule
        self.start = start
        self.expected = expected
        self.ends = ends
        self.all = all
    }

    /// The examples of RFC 5545, 3.8.5.3, in their order; those that go on for long are cut short.
    ///
    /// An UNTIL that contradicts the dates beside it is that of the errata.
    static let ofRFC5545: [RecurrenceExample] = [
        RecurrenceExample(
            "Daily for 10 occurrences",
            "FREQ=DAILY;COUNT=10",
            [
                "1997-09-02", "1997-09-03", "1997-09-04", "1997-09-05", "1997-09-06",
                "1997-09-07", "1997-09-08", "1997-09-09", "1997-09-10", "1997-09-11",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Daily until December 24, 1997",
            "FREQ=DAILY;UNTIL=19971224T000000Z",
            [
                "1997-09-02", "1997-09-03", "1997-09-04", "1997-09-05", "1997-09-06", "1997-09-07",
            ],
            all: (113, "1997-12-23 09:00")
        ),
        RecurrenceExample(
            "Every other day",
            "FREQ=DAILY;INTERVAL=2",
            [
                "1997-09-02", "1997-09-04", "1997-09-06", "1997-09-08", "1997-09-10", "1997-09-12",
            ]
        ),
        RecurrenceExample(
            "Every 10 days, 5 occurrences",
            "FREQ=DAILY;INTERVAL=10;COUNT=5",
            [
                "1997-09-02", "1997-09-12", "1997-09-22", "1997-10-02", "1997-10-12",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every day in January, for 3 years",
            "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            from: "19980101T090000",
            [
                "1998-01-01", "1998-01-02", "1998-01-03", "1998-01-04", "1998-01-05", "1998-01-06",
            ],
            all: (93, "2000-01-31 09:00")
        ),
        RecurrenceExample(
            "Every day in January, by days",
            "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
            from: "19980101T090000",
            [
                "1998-01-01", "1998-01-02", "1998-01-03", "1998-01-04", "1998-01-05", "1998-01-06",
            ],
            all: (93, "2000-01-31 09:00")
        ),
        RecurrenceExample(
            "Weekly for 10 occurrences",
            "FREQ=WEEKLY;COUNT=10",
            [
                "1997-09-02", "1997-09-09", "1997-09-16", "1997-09-23", "1997-09-30",
                "1997-10-07", "1997-10-14", "1997-10-21", "1997-10-28", "1997-11-04",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Weekly until December 24, 1997",
            "FREQ=WEEKLY;UNTIL=19971224T000000Z",
            [
                "1997-09-02", "1997-09-09", "1997-09-16", "1997-09-23", "1997-09-30", "1997-10-07",
            ],
            all: (17, "1997-12-23 09:00")
        ),
        RecurrenceExample(
            "Every other week",
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            [
                "1997-09-02", "1997-09-16", "1997-09-30", "1997-10-14", "1997-10-28", "1997-11-11",
            ]
        ),
        RecurrenceExample(
            "Weekly on Tuesday and Thursday for 5 weeks",
            "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
            [
                "1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11", "1997-09-16",
                "1997-09-18", "1997-09-23", "1997-09-25", "1997-09-30", "1997-10-02",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Weekly on Tuesday and Thursday, counted",
            "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
            [
                "1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11", "1997-09-16",
                "1997-09-18", "1997-09-23", "1997-09-25", "1997-09-30", "1997-10-02",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every other week on Monday, Wednesday and Friday until December 24, 1997",
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            from: "19970901T090000",
            [
                "1997-09-01", "1997-09-03", "1997-09-05", "1997-09-15", "1997-09-17", "1997-09-19",
            ],
            all: (25, "1997-12-22 09:00")
        ),
        RecurrenceExample(
            "Every other week on Tuesday and Thursday, for 8 occurrences",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            [
                "1997-09-02", "1997-09-04", "1997-09-16", "1997-09-18", "1997-09-30",
                "1997-10-02", "1997-10-14", "1997-10-16",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Monthly on the first Friday for 10 occurrences",
            "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            from: "19970905T090000",
            [
                "1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05", "1998-01-02",
                "1998-02-06", "1998-03-06", "1998-04-03", "1998-05-01", "1998-06-05",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Monthly on the first Friday until December 24, 1997",
            "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
            from: "19970905T090000",
            [
                "1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every other month on the first and last Sunday for 10 occurrences",
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            from: "19970907T090000",
            [
                "1997-09-07", "1997-09-28", "1997-11-02", "1997-11-30", "1998-01-04",
                "1998-01-25", "1998-03-01", "1998-03-29", "1998-05-03", "1998-05-31",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Monthly on the second-to-last Monday for 6 months",
            "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
            from: "19970922T090000",
            [
                "1997-09-22", "1997-10-20", "1997-11-17", "1997-12-22", "1998-01-19", "1998-02-16",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Monthly on the third-to-the-last day",
            "FREQ=MONTHLY;BYMONTHDAY=-3",
            from: "19970928T090000",
            [
                "1997-09-28", "1997-10-29", "1997-11-28", "1997-12-29", "1998-01-29", "1998-02-26",
            ]
        ),
        RecurrenceExample(
            "Monthly on the 2nd and 15th for 10 occurrences",
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            [
                "1997-09-02", "1997-09-15", "1997-10-02", "1997-10-15", "1997-11-02",
                "1997-11-15", "1997-12-02", "1997-12-15", "1998-01-02", "1998-01-15",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Monthly on the first and last day for 10 occurrences",
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            from: "19970930T090000",
            [
                "1997-09-30", "1997-10-01", "1997-10-31", "1997-11-01", "1997-11-30",
                "1997-12-01", "1997-12-31", "1998-01-01", "1998-01-31", "1998-02-01",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every 18 months on the 10th thru 15th for 10 occurrences",
            "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            from: "19970910T090000",
            [
                "1997-09-10", "1997-09-11", "1997-09-12", "1997-09-13", "1997-09-14",
                "1997-09-15", "1999-03-10", "1999-03-11", "1999-03-12", "1999-03-13",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every Tuesday, every other month",
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            [
                "1997-09-02", "1997-09-09", "1997-09-16", "1997-09-23", "1997-09-30", "1997-11-04",
            ]
        ),
        RecurrenceExample(
            "Yearly in June and July for 10 occurrences",
            "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
            from: "19970610T090000",
            [
                "1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10", "1999-06-10",
                "1999-07-10", "2000-06-10", "2000-07-10", "2001-06-10", "2001-07-10",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every other year on January, February and March for 10 occurrences",
            "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
            from: "19970310T090000",
            [
                "1997-03-10", "1999-01-10", "1999-02-10", "1999-03-10", "2001-01-10",
                "2001-02-10", "2001-03-10", "2003-01-10", "2003-02-10", "2003-03-10",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every third year on the 1st, 100th and 200th day for 10 occurrences",
            "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
            from: "19970101T090000",
            [
                "1997-01-01", "1997-04-10", "1997-07-19", "2000-01-01", "2000-04-09",
                "2000-07-18", "2003-01-01", "2003-04-10", "2003-07-19", "2006-01-01",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every 20th Monday of the year",
            "FREQ=YEARLY;BYDAY=20MO",
            from: "19970519T090000",
            [
                "1997-05-19", "1998-05-18", "1999-05-17", "2000-05-15", "2001-05-14", "2002-05-20",
            ]
        ),
        RecurrenceExample(
            "Monday of week number 20",
            "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
            from: "19970512T090000",
            [
                "1997-05-12", "1998-05-11", "1999-05-17", "2000-05-15", "2001-05-14", "2002-05-13",
            ]
        ),
        RecurrenceExample(
            "Every Thursday in March",
            "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            from: "19970313T090000",
            [
                "1997-03-13", "1997-03-20", "1997-03-27", "1998-03-05", "1998-03-12", "1998-03-19",
            ]
        ),
        RecurrenceExample(
            "Every Thursday in June, July and August",
            "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
            from: "19970605T090000",
            [
                "1997-06-05", "1997-06-12", "1997-06-19", "1997-06-26", "1997-07-03", "1997-07-10",
            ]
        ),
        RecurrenceExample(
            "Every Friday the 13th",
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            [
                "1998-02-13", "1998-03-13", "1998-11-13", "1999-08-13", "2000-10-13", "2001-04-13",
            ]
        ),
        RecurrenceExample(
            "The first Saturday that follows the first Sunday of the month",
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            from: "19970913T090000",
            [
                "1997-09-13", "1997-10-11", "1997-11-08", "1997-12-13", "1998-01-10", "1998-02-07",
            ]
        ),
        RecurrenceExample(
            "U.S. Presidential Election day",
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            from: "19961105T090000",
            [
                "1996-11-05", "2000-11-07", "2004-11-02", "2008-11-04", "2012-11-06", "2016-11-08",
            ]
        ),
        RecurrenceExample(
            "The third instance of Tuesday, Wednesday or Thursday, for 3 months",
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            from: "19970904T090000",
            [
                "1997-09-04", "1997-10-07", "1997-11-06",
            ],
            ends: true
        ),
        RecurrenceExample(
            "The second-to-last weekday of the month",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            from: "19970929T090000",
            [
                "1997-09-29", "1997-10-30", "1997-11-27", "1997-12-30", "1998-01-29", "1998-02-26",
            ]
        ),
        RecurrenceExample(
            "Every 3 hours on a specific day",
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
            [
                "1997-09-02 09:00", "1997-09-02 12:00", "1997-09-02 15:00",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every 15 minutes for 6 occurrences",
            "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
            [
                "1997-09-02 09:00", "1997-09-02 09:15", "1997-09-02 09:30", "1997-09-02 09:45",
                "1997-09-02 10:00", "1997-09-02 10:15",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every hour and a half for 4 occurrences",
            "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
            [
                "1997-09-02 09:00", "1997-09-02 10:30", "1997-09-02 12:00", "1997-09-02 13:30",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Every 20 minutes from 9:00 to 16:40 every day",
            "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
            [
                "1997-09-02 09:00", "1997-09-02 09:20", "1997-09-02 09:40", "1997-09-02 10:00",
                "1997-09-02 10:20", "1997-09-02 10:40",
            ]
        ),
        RecurrenceExample(
            "The same by minutes",
            "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
            [
                "1997-09-02 09:00", "1997-09-02 09:20", "1997-09-02 09:40", "1997-09-02 10:00",
                "1997-09-02 10:20", "1997-09-02 10:40",
            ]
        ),
        RecurrenceExample(
            "Weeks that start on Monday",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            from: "19970805T090000",
            [
                "1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24",
            ],
            ends: true
        ),
        RecurrenceExample(
            "Weeks that start on Sunday",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            from: "19970805T090000",
            [
                "1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31",
            ],
            ends: true
        ),
        RecurrenceExample(
            "An invalid date is ignored",
            "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
            from: "20070115T090000",
            [
                "2007-01-15", "2007-01-30", "2007-02-15", "2007-03-15", "2007-03-30",
            ],
            ends: true
        ),
    ]

    /// The Gregorian example of RFC 7529, 4.3, and what its section 4.1 means for other dates.
    static let ofRFC7529: [RecurrenceExample] = [
        RecurrenceExample(
            "February 29 is omitted",
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=OMIT",
            from: "20160229T090000",
            ["2016-02-29", "2020-02-29", "2024-02-29"]
        ),
        RecurrenceExample(
            "February 29 goes forward, which is the example of 4.3",
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD",
            from: "20120229T090000",
            ["2012-02-29", "2013-03-01", "2014-03-01", "2015-03-01", "2016-02-29"]
        ),
        RecurrenceExample(
            "February 29 goes backward",
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD",
            from: "20160229T090000",
            ["2016-02-29", "2017-02-28", "2018-02-28", "2019-02-28", "2020-02-29"]
        ),
        RecurrenceExample(
            "Day 31 is omitted",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT;COUNT=4",
            from: "20140131T090000",
            ["2014-01-31", "2014-03-31", "2014-05-31", "2014-07-31"],
            ends: true
        ),
        RecurrenceExample(
            "Day 31 goes forward",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4",
            from: "20140131T090000",
            ["2014-01-31", "2014-03-01", "2014-03-31", "2014-05-01"],
            ends: true
        ),
        RecurrenceExample(
            "Day 31 goes backward",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4",
            from: "20140131T090000",
            ["2014-01-31", "2014-02-28", "2014-03-31", "2014-04-30"],
            ends: true
        ),
        RecurrenceExample(
            "A day that goes forward to one of the rule counts once",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;BYMONTHDAY=1,31;COUNT=4",
            from: "20140131T090000",
            ["2014-01-31", "2014-02-01", "2014-03-01", "2014-03-31"],
            ends: true
        ),
        RecurrenceExample(
            "Every third month goes forward to one that is left out",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=3;SKIP=FORWARD;COUNT=4",
            from: "20140131T090000",
            ["2014-01-31", "2014-05-01", "2014-07-31", "2014-10-31"],
            ends: true
        ),
        RecurrenceExample(
            "Day 366 goes backward",
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD;BYYEARDAY=366",
            from: "20161231T090000",
            ["2016-12-31", "2017-12-31", "2018-12-31", "2019-12-31", "2020-12-31"]
        ),
        RecurrenceExample(
            "Day 366 goes forward",
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;BYYEARDAY=366",
            from: "20161231T090000",
            ["2016-12-31", "2018-01-01", "2019-01-01", "2020-01-01", "2020-12-31"]
        ),
    ]
}
