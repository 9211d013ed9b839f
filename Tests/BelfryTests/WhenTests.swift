internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct WhenTests {
    /// Sunday 22 November 2026, 13:00:30 in Lisbon, as the present moment in a zone.
    private func local(_ zone: String = "Europe/Lisbon") throws -> LocalTime {
        LocalTime(
            now: Date(timeIntervalSince1970: 1_795_352_430),
            zone: try #require(TimeZone(identifier: zone))
        )
    }

    private func instant(_ text: String, _ zone: String = "Europe/Lisbon") throws -> String {
        let instant = try local(zone).instant(When.parse(text))
        let isWhole = instant.timeIntervalSince1970.rounded() == instant.timeIntervalSince1970
        return instant.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }

    @Test(
        "An instant is the next one that the words fit",
        arguments: [
            ("9:00", "2026-11-23T09:00:00Z"), ("13:00", "2026-11-23T13:00:00Z"),
            ("13:01", "2026-11-22T13:01:00Z"), ("9am", "2026-11-23T09:00:00Z"),
            ("9 pm", "2026-11-22T21:00:00Z"), ("9:30 PM", "2026-11-22T21:30:00Z"),
            ("12am", "2026-11-23T00:00:00Z"), ("12:30pm", "2026-11-23T12:30:00Z"),
            ("noon", "2026-11-23T12:00:00Z"), ("midnight", "2026-11-23T00:00:00Z"),
            ("18:30:15", "2026-11-22T18:30:15Z"), ("today 12:00", "2026-11-22T12:00:00Z"),
            ("tomorrow 9:00", "2026-11-23T09:00:00Z"), ("tomorrow noon", "2026-11-23T12:00:00Z"),
            ("9:00 tomorrow", "2026-11-23T09:00:00Z"),
            ("Tomorrow at 9am", "2026-11-23T09:00:00Z"),
            ("monday 9:00", "2026-11-23T09:00:00Z"), ("sunday 14:00", "2026-11-22T14:00:00Z"),
            ("sunday 13:00", "2026-11-29T13:00:00Z"),
            ("next sunday 14:00", "2026-11-29T14:00:00Z"),
            ("next friday 18:30", "2026-11-27T18:30:00Z"), ("fri 18:30", "2026-11-27T18:30:00Z"),
            ("24 dec 18:00", "2026-12-24T18:00:00Z"),
            ("December 24th, 18:00", "2026-12-24T18:00:00Z"),
            ("22 nov 12:00", "2027-11-22T12:00:00Z"), ("29 feb 9:00", "2028-02-29T09:00:00Z"),
            ("24 dec 2027 18:00", "2027-12-24T18:00:00Z"),
            ("2026-12-24 18:00", "2026-12-24T18:00:00Z"),
            ("2026-12-24T18:00", "2026-12-24T18:00:00Z"),
            ("2026-07-01 18:00", "2026-07-01T17:00:00Z"),
            ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"),
            ("2026-12-24T18:00:00+02:00", "2026-12-24T16:00:00Z"),
            ("2026-12-24 18:00-05:30", "2026-12-24T23:30:00Z"),
            ("2026-12-24", "2026-12-24T00:00:00Z"),
            ("9", "2026-11-23T09:00:00Z"), ("at 14", "2026-11-22T14:00:00Z"),
            ("tomorrow 9", "2026-11-23T09:00:00Z"), ("friday at 18", "2026-11-27T18:00:00Z"),
            ("24 dec 9", "2026-12-24T09:00:00Z"), ("2026-12-24 9", "2026-12-24T09:00:00Z"),
            ("2026-12-24T18:00:00.750Z", "2026-12-24T18:00:00.750Z"),
            ("2026-12-24T18:00:00.5+0200", "2026-12-24T16:00:00.500Z"),
            ("2026-12-24T18:00:00-0530", "2026-12-24T23:30:00Z"),
            ("2026-12-24T18:00+02", "2026-12-24T16:00:00Z"),
            ("14:00:00.125", "2026-11-22T14:00:00.125Z"),
        ]
    )
    func resolved(text: String, expected: String) throws {
        #expect(try instant(text) == expected)
    }

    @Test("The zone decides which day it is")
    func zone() throws {
        #expect(try instant("tomorrow 0:30", "Pacific/Auckland") == "2026-11-23T11:30:00Z")
        #expect(try instant("9:00", "America/New_York") == "2026-11-22T14:00:00Z")
        #expect(try instant("2026-12-24T18:00:00Z", "Asia/Tokyo") == "2026-12-24T18:00:00Z")
    }

    @Test(
        "A text that says nothing tells what to write",
        arguments: [
            ("", "write 9:00"), ("soon", "write 9:00"), ("24", "write 9:00"), ("8:", "write 9:00"),
            ("-8:00", "write 9:00"), ("9:5", "write 9:00"), ("24:00", "write 9:00"),
            ("13pm", "write 9:00"), ("0am", "write 9:00"), ("2026-01 08:00", "write 9:00"),
            ("٩:٠٠", "write 9:00"), ("9:00 18:00", "two times"), ("9am,6pm", "two times"),
            ("12/24 9:00", "write 9:00"),
            ("next 24 dec 9:00", "write 9:00"), ("monday tuesday 9:00", "write 9:00"),
            ("2026-02-30 9:00", "no day 2026-02-30"), ("2026-13-01 9:00", "no day 2026-13-01"),
            ("0000-01-01 9:00", "no day 0000-01-01"), ("31 nov 9:00", "no day 31 nov"),
            ("29 feb 2027 9:00", "no day 29 feb 2027"), ("9:00Z", "needs its date"),
            ("2026-12-24T18:00+2", "no distance from UTC"),
            ("2026-12-24T18:00+19:00", "no distance from UTC"),
            ("2026-12-24T18:00+1900", "no distance from UTC"),
            ("2026-12-24T18:00+020", "no distance from UTC"),
            ("2026-12-24T18:00+02:0", "no distance from UTC"),
            ("2026-12-24T18:00:00.Z", "write 9:00"), ("18:00.5", "write 9:00"),
            ("18:00:00.1234567890", "write 9:00"), ("december 9 soon", "write 9:00"),
            ("99999999999-01-01 9:00", "write 9:00"),
        ]
    )
    func refused(text: String, says: String) {
        #expect {
            try When.parse(text)
        } throws: { error in
            (error as? TextProblem)?.description.contains(says) == true
        }
    }

    @Test(
        "Several times of a day are in order, whole and each once",
        arguments: [
            ("9am,6pm", ["9:0", "18:0"]), ("6pm, 9:30", ["9:30", "18:0"]),
            ("9,18", ["9:0", "18:0"]),
            ("9,6pm", ["9:0", "18:0"]), ("noon and midnight", ["0:0", "12:0"]),
            ("tomorrow 9am,6pm", ["9:0", "18:0"]), ("24 dec 9:00,18:00", ["9:0", "18:0"]),
            ("9", ["9:0"]), ("24 dec, 9", ["9:0"]),
            ("24 dec 9,18", ["9:0", "18:0"]), ("december 9, 18:00", ["18:0"]),
            ("friday 9:30,18", ["9:30", "18:0"]),
        ]
    )
    func several(text: String, times: [String]) throws {
        let when = try When.parseInstants(text)
        #expect(when.each.compactMap(\.time).map { "\($0.hour):\($0.minute)" } == times)
    }

    @Test(
        "Several times that are none tell what to write",
        arguments: [
            ("9am,9:00", "twice"), ("9,24", "write 9:00"), ("9am,", "OK"),
            ("2026-12-24T09:00:00Z,18:00", "local ones"), ("9:00:00.5,18:00", "local ones"),
            ("9am,tomorrow,monday", "write 9:00"),
        ]
    )
    func severalRefused(text: String, says: String) {
        guard says != "OK" else {
            #expect(throws: Never.self) { try When.parseInstants(text) }
            return
        }
        #expect {
            try When.parseInstants(text)
        } throws: { error in
            (error as? TextProblem)?.description.contains(says) == true
        }
    }

    @Test("An instant needs a time, and a day has none")
    func parts() {
        #expect(throws: TextProblem("say the time too, as in 'tomorrow 9:00'")) {
            try When.parseInstant("tomorrow")
        }
        #expect(throws: TextProblem.self) { try When.parseDay("tomorrow 9:00") }
        #expect(throws: TextProblem.self) { try When.parseDay("9:00") }
    }
}
