internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

/// Parts of calendars, and the triggers that they are.
private enum Given {
    /// A calendar with an event of some lines.
    static func event(_ lines: String..., name: String = "VEVENT") -> String {
        let lines = ["BEGIN:VCALENDAR", "BEGIN:\(name)", "UID:a"] + lines
        return (lines + ["END:\(name)", "END:VCALENDAR"]).joined(separator: "\r\n")
    }

    static func alarm(_ lines: String...) -> String {
        (["BEGIN:VALARM", "ACTION:DISPLAY"] + lines + ["END:VALARM"]).joined(separator: "\n")
    }

    static func once(_ time: String, zone: String = "") -> String {
        let zone = zone.isEmpty ? "" : #","timeZone":"\#(zone)""#
        return #"{"calendar":{"dateComponents":{\#(time)\#(zone)}}}"#
    }

    static let christmas = #""year":2026,"month":12,"day":24,"hour":18,"minute":0,"second":0"#

    static func dates(_ count: Int) -> String {
        [String](repeating: "20261224", count: count).joined(separator: ",")
    }
}

struct CalendarFileTests {
    private static func parse(_ text: String) throws -> RequestFile.Content {
        try CalendarFile.parse(Data(text.utf8))
    }

    /// The triggers of a calendar's requests.
    private func triggers(_ text: String) throws -> [Belfry_V1_Trigger] {
        try Self.parse(text).entries.map { try $0.request.get().trigger }
    }

    private func problems(_ text: String) throws -> [String] {
        try Self.parse(text).entries.compactMap { entry in
            if case .failure(let problem) = entry.request { problem.text } else { nil }
        }
    }

    @Test(
        "A date is one of the clock, of a zone or of UTC",
        arguments: [
            ("DTSTART:20261224T180000Z", #"{"at":"2026-12-24T18:00:00Z"}"#),
            ("DTSTART:20261224T180000", Given.once(Given.christmas)),
            (
                "DTSTART;TZID=Europe/Lisbon:20261224T180000",
                Given.once(Given.christmas, zone: "Europe/Lisbon")
            ),
            (
                "dtstart;tzid=\"Europe/Lisbon\":20261224T180000",
                Given.once(Given.christmas, zone: "Europe/Lisbon")
            ),
            (
                "DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Lisbon:20261224T180000",
                Given.once(Given.christmas, zone: "Europe/Lisbon")
            ),
            (
                "DTSTART;TZID=/x.org/2005_1/America/Indiana/Knox:20261224T180000",
                Given.once(Given.christmas, zone: "America/Indiana/Knox")
            ),
            (
                "DTSTART;TZID=W. Europe Standard Time:20261224T180000",
                Given.once(Given.christmas, zone: "Europe/Berlin")
            ),
            ("DTSTART;TZID=Europe/Lisbon:20261224T180000Z", #"{"at":"2026-12-24T18:00:00Z"}"#),
            ("DTSTART;TZID=UTC:20261224T180000", #"{"at":"2026-12-24T18:00:00Z"}"#),
            (
                "DTSTART;VALUE=DATE:20261224",
                Given.once(#""year":2026,"month":12,"day":24,"hour":0,"minute":0,"second":0"#)
            ),
            ("DTSTA\r\n RT:2026\r\n\t1224T180000Z", #"{"at":"2026-12-24T18:00:00Z"}"#),
        ]
    )
    func dates(line: String, json: String) throws {
        #expect(try triggers(Given.event(line)) == [Belfry_V1_Trigger(jsonString: json)])
    }

    @Test("A definition of a zone may say by what name it is known")
    func location() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTIMEZONE
            TZID:Home
            X-LIC-LOCATION:Europe/Lisbon
            END:VTIMEZONE
            BEGIN:VTODO
            UID:a
            DUE;TZID=Home:20261224T180000
            END:VTODO
            END:VCALENDAR
            """
        let json = Given.once(Given.christmas, zone: "Europe/Lisbon")
        #expect(try triggers(text) == [Belfry_V1_Trigger(jsonString: json)])
    }

    @Test(
        "A rule and its dates are a recurrence",
        arguments: [
            (
                Given.event(
                    "DTSTART;TZID=Europe/Lisbon:20261224T180000",
                    "RRULE:FREQ=WEEKLY;BYDAY=TH",
                    "RDATE;TZID=Europe/Lisbon:20261225T090000,20261226T090000",
                    "RDATE:20261227T090000Z",
                    "EXDATE;TZID=Europe/Rome:20261231T190000"
                ),
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;BYDAY=TH",
                "start":"20261224T180000","addedDates":["20261225T090000","20261226T090000",
                "20261227T090000Z"],"excludedDates":["20261231T180000Z"],
                "timeZone":"Europe/Lisbon"}}
                """#
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000Z",
                    "RRULE:FREQ=DAILY",
                    "EXDATE;VALUE=DATE:20261226"
                ),
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=DAILY","start":"20261224T180000",
                "excludedDates":["20261226T180000"],"timeZone":"UTC"}}
                """#
            ),
            (
                Given.event("DTSTART;VALUE=DATE:20261224", "RDATE;VALUE=DATE:20261226"),
                #"""
                {"repeats":true,"recurrence":{"start":"20261224T000000",
                "addedDates":["20261226T000000"]}}
                """#
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000",
                    "RDATE;VALUE=PERIOD:20261226T080000/PT1H,20261227T080000/20261227T090000"
                ),
                #"""
                {"repeats":true,"recurrence":{"start":"20261224T180000",
                "addedDates":["20261226T080000","20261227T080000"]}}
                """#
            ),
            // The start is an occurrence that the rule need not have.
            (
                Given.event("DTSTART:20261224T180000", "RRULE:FREQ=WEEKLY;BYDAY=MO"),
                #"""
                {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;BYDAY=MO",
                "start":"20261224T180000","addedDates":["20261224T180000"]}}
                """#
            ),
        ]
    )
    func recurrences(text: String, json: String) throws {
        #expect(try triggers(text) == [Belfry_V1_Trigger(jsonString: json)])
    }

    @Test(
        "Each alarm is a request at its own time",
        arguments: [
            (
                Given.event(
                    "DTSTART:20261224T180000Z",
                    Given.alarm("TRIGGER:-PT15M", "REPEAT:1", "DURATION:PT5M")
                ),
                [#"{"at":"2026-12-24T17:45:00Z"}"#, #"{"at":"2026-12-24T17:50:00Z"}"#]
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000Z",
                    "DTEND:20261224T200000Z",
                    Given.alarm("TRIGGER;RELATED=END:-PT30M"),
                    Given.alarm("TRIGGER;RELATED=START:P1D")
                ),
                [#"{"at":"2026-12-24T19:30:00Z"}"#, #"{"at":"2026-12-25T18:00:00Z"}"#]
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000Z",
                    "DURATION:PT2H",
                    Given.alarm("TRIGGER;RELATED=END:PT0S")
                ),
                [#"{"at":"2026-12-24T20:00:00Z"}"#]
            ),
            (
                Given.event(
                    "DTSTART;TZID=Europe/Lisbon:20261224T180000",
                    "DTEND;TZID=Europe/Rome:20261224T200000",
                    Given.alarm("TRIGGER;RELATED=END:PT0S")
                ),
                [
                    Given.once(
                        #""year":2026,"month":12,"day":24,"hour":19,"minute":0,"second":0"#,
                        zone: "Europe/Lisbon"
                    )
                ]
            ),
            (
                Given.event(
                    "DTSTART;VALUE=DATE:20261224",
                    Given.alarm("TRIGGER;RELATED=END:-PT6H")
                ),
                [Given.once(#""year":2026,"month":12,"day":24,"hour":18,"minute":0,"second":0"#)]
            ),
            (
                Given.event(
                    "DTSTART:20261201T090000Z",
                    "DUE:20261224T180000Z",
                    Given.alarm("TRIGGER;RELATED=END:-P1W"),
                    name: "VTODO"
                ),
                [#"{"at":"2026-12-17T18:00:00Z"}"#]
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000Z",
                    "RRULE:FREQ=DAILY",
                    Given.alarm("TRIGGER;VALUE=DATE-TIME:20261220T090000Z")
                ),
                [#"{"at":"2026-12-20T09:00:00Z"}"#]
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000Z",
                    "BEGIN:VALARM\nACTION:NONE",
                    "TRIGGER;VALUE=DATE-TIME:19760401T005545Z",
                    "END:VALARM"
                ),
                [#"{"at":"2026-12-24T18:00:00Z"}"#]
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000",
                    "RRULE:FREQ=WEEKLY;UNTIL=20270107T180000",
                    "EXDATE:20261231T180000",
                    Given.alarm("TRIGGER:-P1D")
                ),
                [
                    #"""
                    {"repeats":true,"recurrence":{"rule":"FREQ=WEEKLY;UNTIL=20270106T180000",
                    "start":"20261223T180000","excludedDates":["20261230T180000"]}}
                    """#
                ]
            ),
            // No rule says "the day before", but a few dates do.
            (
                Given.event(
                    "DTSTART:20261207T180000",
                    "RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=2",
                    Given.alarm("TRIGGER:-P1D")
                ),
                [
                    #"""
                    {"repeats":true,"recurrence":{"start":"20261206T180000",
                    "addedDates":["20261206T180000","20270103T180000"]}}
                    """#
                ]
            ),
        ]
    )
    func alarms(text: String, json: [String]) throws {
        #expect(try triggers(text) == json.map { try Belfry_V1_Trigger(jsonString: $0) })
    }

    @Test("Texts are without escapes, and each request has a name of its own")
    func content() throws {
        let text = Given.event(
            #"SUMMARY:Tea\, with milk\; \\o/"#,
            #"DESCRIPTION:One\nTwo\N"#,
            "LOCATION:Kitchen",
            "DTSTART:20261224T180000Z",
            "ATTENDEE;CN=\"a;b:c\":mailto:a@b",
            "X-A:b",
            "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\nATTACH:x\nEND:VALARM",
            Given.alarm("TRIGGER:-PT5M", "DESCRIPTION:Soon")
        )
        let content = try Self.parse(text)
        let requests = try content.entries.map { try $0.request.get() }
        #expect(requests.map(\.identifier) == ["a", "a#2"])
        #expect(
            requests.map(\.content.title) == [#"Tea, with milk; \o/"#, #"Tea, with milk; \o/"#]
        )
        #expect(requests[0].content.body == "One\nTwo\n")
        #expect(requests[0].content.subtitle == "Kitchen")
        #expect(requests.map(\.content.hasSound) == [true, false])
        #expect(content.leftOut == ["ATTENDEE", "X-A", "ATTACH"])
        let bare = try Self.parse(
            Given.event("DTSTART:20261224T180000Z", Given.alarm("TRIGGER:PT0S", "DESCRIPTION:Soon"))
        )
        #expect(try bare.entries.map { try $0.request.get().content.title } == ["Soon"])
    }

    @Test("An entry for one occurrence stands in its place")
    func occurrence() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20261225T180000
            DTSTART:20261225T200000
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            DTSTART:20261224T180000
            RRULE:FREQ=DAILY
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20261226T180000
            DTSTART:20261226T180000
            STATUS:CANCELLED
            END:VEVENT
            END:VCALENDAR
            """
        let requests = try Self.parse(text).entries.map { try $0.request.get() }
        #expect(requests.map(\.identifier) == ["a@20261225T180000", "a"])
        #expect(
            requests[1].trigger.recurrence.excludedDates == ["20261225T180000", "20261226T180000"]
        )
    }

    @Test(
        "What cannot be kept is told with its line and its property",
        arguments: [
            (Given.event("DTSTART:tomorrow"), "line 4: DTSTART: is no date"),
            (Given.event("DTSTART:20261301T000000"), "line 4: DTSTART: is no date"),
            (
                Given.event("DTSTART;VALUE=DATE:20261224T180000"),
                "line 4: DTSTART: is no date without"
            ),
            (
                Given.event("DTSTART;TZID=Mars:20261224T180000"),
                "line 4: DTSTART: the zone 'Mars' is no"
            ),
            (Given.event("SUMMARY:x"), "line 2: VEVENT has no DTSTART"),
            (Given.event("SUMMARY:x", name: "VTODO"), "line 2: VTODO has no DTSTART"),
            (Given.event("DTSTART:20261224", "DTSTART:20261225"), "line 5: DTSTART: stands twice"),
            (
                Given.event("DTSTART:20261224", "RRULE:FREQ=OFTEN"),
                "line 5: RRULE: at column 6, FREQ: is"
            ),
            (
                Given.event("DTSTART:20261224", "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY"),
                "line 6: RRULE: st"
            ),
            (Given.event("DTSTART:20261224", "EXRULE:FREQ=DAILY"), "line 5: EXRULE: is no longer"),
            (
                Given.event("DTSTART:20261224T000000", "RDATE:20261225"),
                "line 4: DTSTART: has a time"
            ),
            (Given.event("DTSTART:20261224", "STATUS:cancelled"), "line 5: STATUS: is cancelled"),
            (
                Given.event("DUE:20261224", "COMPLETED:20261224", name: "VTODO"),
                "line 5: COMPLETED: the"
            ),
            (Given.event("DTSTART:20261224", "garbage"), "line 5: GARBAGE: a colon"),
            (Given.event("DTSTART:20261224", "=:x"), "line 5: is no content line"),
            (Given.event("DTSTART;X=\"a:20261224"), "line 4: DTSTART: has a parameter that cannot"),
            (Given.event("DTSTART;X=1;X=2:20261224"), "line 4: DTSTART: has the parameter X twice"),
            (
                Given.event("DTSTART:20261224", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261224"),
                "line 5: RECURRENCE-ID: changes the later"
            ),
            (
                Given.event(
                    "DTSTART:20261224",
                    "BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:PT0S\nEND:VALARM"
                ),
                "line 6: ACTION: is EMAIL: DISPLAY"
            ),
            (Given.event("DTSTART:20261224", Given.alarm()), "line 5: VALARM has no TRIGGER"),
            (
                Given.event("DTSTART:20261224", Given.alarm("TRIGGER:soon")),
                "line 7: TRIGGER: is no duration"
            ),
            (
                Given.event("DTSTART:20261224", Given.alarm("TRIGGER:P1Y")),
                "line 7: TRIGGER: is no duration"
            ),
            (
                Given.event("DTSTART:20261224", Given.alarm("TRIGGER:-P5000D")),
                "line 7: TRIGGER: is no duration"
            ),
            (
                Given.event(
                    "DTSTART:20261224",
                    Given.alarm("TRIGGER:PT0S", "REPEAT:99", "DURATION:PT1M")
                ),
                "line 8: REPEAT: is a number below 32"
            ),
            (
                Given.event("DTSTART:20261224", Given.alarm("TRIGGER:PT0S", "REPEAT:2")),
                "line 5: VALARM has no DURATION"
            ),
            (
                Given.event("DTSTART:20261224", Given.alarm("TRIGGER;RELATED=MIDDLE:PT0S")),
                "line 7: TRIGGER: RELATED is START"
            ),
            (
                Given.event("DTSTART:20261224T1800", Given.alarm("TRIGGER:PT0S")),
                "line 4: DTSTART: is no date"
            ),
            (
                Given.event(
                    "DTSTART:20261224T180000",
                    "DTEND:20261224T170000",
                    Given.alarm("TRIGGER;RELATED=END:PT0S")
                ),
                "line 5: DTEND: is before the start"
            ),
            (
                Given.event(
                    "DTSTART:20261207",
                    "RRULE:FREQ=MONTHLY;BYDAY=1MO",
                    Given.alarm("TRIGGER:-P1D")
                ),
                "line 8: TRIGGER: no rule comes so long before"
            ),
            (
                Given.event("DTSTART:20261207", "RDATE:" + Given.dates(367)),
                "line 5: RDATE: there are more"
            ),
            (Given.event(name: "VJOURNAL"), "line 2: VJOURNAL: is no event and no to-do"),
        ]
    )
    func refusedEntries(text: String, says: String) throws {
        let told = try problems(text)
        #expect(told.count == 1 && told[0].hasPrefix(says), "\(told)")
    }

    @Test("An entry that cannot be read stops no other")
    func others() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            DTSTART:20261224
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            DTSTART:20261224
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            DTSTART:20261225
            END:VEVENT
            END:VCALENDAR
            """
        let entries = try Self.parse(text).entries
        #expect(entries.map { (try? $0.request.get()) != nil } == [false, true, false])
        #expect(entries[1].place == "line 7")
        #expect(
            try problems(text) == [
                "line 2: VEVENT has no UID",
                "line 9: VEVENT: has the UID and RECURRENCE-ID of an entry before it",
            ]
        )
    }

    @Test(
        "A file that is no whole calendar is refused",
        arguments: [
            ("BEGIN:VCALENDAR\nEND:VCALENDAR", "there are no events and no to-dos in it"),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a", "line 2: VEVENT has no end"),
            ("BEGIN:VCALENDAR\nEND:VEVENT", "line 2: END: VEVENT did not begin last"),
            ("BEGIN:VEVENT\nEND:VEVENT", "line 1: BEGIN: a calendar begins with"),
            ("BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR", "line 2: VERSION: is 1.0"),
            ("BEGIN:VCALENDAR\nMETHOD:CANCEL\nEND:VCALENDAR", "line 2: METHOD: is CANCEL"),
            ("BEGIN:VCALENDAR\nCALSCALE:HEBREW\nEND:VCALENDAR", "line 2: CALSCALE: is HEBREW"),
            ("BEGIN:VCALENDAR\n?\nEND:VCALENDAR", "line 2: is no content line"),
            ("UID:a", "line 1: UID: stands before"),
            (
                String(repeating: "BEGIN:VCALENDAR\n", count: 9),
                "line 9: BEGIN: components lie more than 8 deep"
            ),
            (String(repeating: " ", count: (16 << 20) + 1), "it is larger than 16 MiB"),
        ]
    )
    func refusedFiles(text: String, says: String) throws {
        let error = #expect(throws: RequestFile.Problem.self) { try Self.parse(text) }
        #expect(error?.text.hasPrefix(says) == true, "\(error?.text ?? "")")
    }

    @Test("A text that is no UTF-8 is the problem of its event")
    func invalidText() throws {
        var data = Data("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20261224\nSUMMARY:".utf8)
        data += [0xFF, 0x0A]
        data += Data("END:VEVENT\nEND:VCALENDAR\n".utf8)
        let entries = try CalendarFile.parse(data).entries
        #expect(throws: RequestFile.Problem(text: "line 5: SUMMARY: is no UTF-8")) {
            try entries[0].request.get()
        }
        // A character may be folded between its bytes.
        let folded = Data("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\u{FF}".utf8).dropLast()
        let rest =
            Data("\r\n ".utf8) + [0xBF] + Data("\nDTSTART:20261224\nEND:VEVENT\nEND:VCALENDAR".utf8)
        let request = try CalendarFile.parse(folded + rest).entries[0].request.get()
        #expect(request.identifier == "\u{FF}")
    }

    @Test("A few bytes do not ask for any number of requests")
    func manyAlarms() throws {
        let alarm = Given.alarm("TRIGGER:PT0S", "REPEAT:31", "DURATION:PT1M")
        let event = "BEGIN:VEVENT\nUID:%\nDTSTART:20261224\n\(alarm)\nEND:VEVENT\n"
        let events = (0..<3_200).map { event.replacing("%", with: "\($0)") }.joined()
        #expect(throws: RequestFile.Problem(text: "it has more than 100000 alarms")) {
            try Self.parse("BEGIN:VCALENDAR\n\(events)END:VCALENDAR")
        }
        let two = Given.event("DTSTART:20261224", alarm, Given.alarm("TRIGGER:PT0S"))
        #expect(try problems(two) == ["line 13: TRIGGER: is more than 32 of one entry"])
    }

    @Test("A calendar is known by its first line")
    func known() {
        for text in ["BEGIN:VCALENDAR", "\u{FEFF}begin:vcalendar\r\n", "\n BEGIN:VCALENDAR"] {
            #expect(CalendarFile.isCalendar(Data(text.utf8)))
        }
        for text in ["", "{}", "BEGIN:VCARD"] {
            #expect(!CalendarFile.isCalendar(Data(text.utf8)))
        }
    }
}
