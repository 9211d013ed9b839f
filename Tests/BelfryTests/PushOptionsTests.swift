internal import ArgumentParser
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct PushOptionsTests {
    @Test(
        "A payload has what was said and nothing else",
        arguments: [
            (["--alert", "Hi"], #"{"aps":{"alert":"Hi"}}"#),
            (
                ["--title", "A", "--subtitle", "B", "--body", "C"],
                #"{"aps":{"alert":{"body":"C","subtitle":"B","title":"A"}}}"#
            ),
            (
                ["--badge", "0", "--sound", "default", "--thread", "t", "--category", "c"],
                #"{"aps":{"badge":0,"category":"c","sound":"default","thread-id":"t"}}"#
            ),
            (
                ["--body", "x/y", "--level", "time-sensitive", "--mutable"],
                """
                {"aps":{"alert":{"body":"x/y"},"interruption-level":"time-sensitive",\
                "mutable-content":1}}
                """
            ),
            (
                ["--background", "--data", #"{"b":{"c":[1,true]},"a":"é"}"#],
                #"{"a":"é","aps":{"content-available":1},"b":{"c":[1,true]}}"#
            ),
        ]
    )
    func payload(arguments: [String], json: String) throws {
        #expect(try PayloadOptions.parse(arguments).json() == json)
    }

    @Test(
        "What contradicts itself tells what to do",
        arguments: [
            ([], "Say what to push"), (["--data", "{}"], "Say what to push"),
            (["--payload", "x", "--alert", "Hi"], "--payload says all of it"),
            (["--alert", "Hi", "--title", "A"], "--alert is the text alone"),
            (["--alert", "Hi", "--data", "[]"], "--data is a JSON object"),
            (["--alert", "Hi", "--data", #"{"aps":{}}"#], "--data is a JSON object"),
        ]
    )
    func refused(arguments: [String], says: String) {
        #expect {
            try PayloadOptions.parse(arguments)
        } throws: { error in
            PayloadOptions.message(for: error).contains(says)
        }
    }

    @Test("Totals are told by outcome")
    func totals() {
        var totals = Belfry_V1_PushTotals()
        #expect(PushText.describe(totals) == "Reached 0 devices.")
        totals.devices = 1
        totals.counts = [
            .with { count in
                count.outcome = .delivered
                count.count = 1
            }
        ]
        #expect(PushText.describe(totals) == "Reached 1 device: 1 delivered.")
        totals.devices = 4
        totals.counts.append(
            .with { count in
                count.outcome = .refused
                count.count = 3
            }
        )
        #expect(PushText.describe(totals) == "Reached 4 devices: 1 delivered, 3 refused.")
    }
}
