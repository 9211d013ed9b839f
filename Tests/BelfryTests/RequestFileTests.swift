internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct RequestFileTests {
    private func identifiers(_ text: String) throws -> [String] {
        try RequestFile.parse(Data(text.utf8)).map(\.identifier)
    }

    @Test(
        "Requests come as an array, as lines, alone, and as the lists print them",
        arguments: [
            (#"[{"identifier":"a"},{"identifier":"b"}]"#, ["a", "b"]),
            ("{\"identifier\":\"a\"}\n\n{\"identifier\":\"b\"}\n", ["a", "b"]),
            ("\n {\"identifier\":\n\"a\"}", ["a"]),
            (
                #"{"request":{"identifier":"a"},"added_at":"2026-01-01T00:00:00Z"}"#, ["a"]
            ),
        ]
    )
    func shapes(text: String, expected: [String]) throws {
        #expect(try identifiers(text) == expected)
    }

    @Test("A request keeps its content and its trigger")
    func content() throws {
        let text =
            #"{"content":{"title":"T","badge":0},"trigger":{"time_interval":{"interval":"5s"}}}"#
        let request = try #require(try RequestFile.parse(Data(text.utf8)).first)
        #expect(request.content.title == "T")
        #expect(request.content.hasBadge)
        #expect(request.trigger.timeInterval.interval.seconds == 5)
    }

    @Test(
        "What is wrong is told with its place",
        arguments: [
            ("", "it is empty"),
            ("\r\n \n", "it is empty"),
            ("[]", "there are no requests in it"),
            ("{\"identifier\":\"a\"}\n{", "line 2 is not JSON"),
        ]
    )
    func problems(text: String, problem: String) {
        #expect(throws: RequestFile.Problem(text: problem)) { try identifiers(text) }
    }

    @Test("Lines end as Unix or as Windows writes them")
    func lineEnds() throws {
        for end in ["\n", "\r\n"] {
            let text = ["a", "b"].map { "{\"identifier\":\"\($0)\"}" }.joined(separator: end)
            #expect(try identifiers(text) == ["a", "b"])
            #expect(try identifiers(text + end) == ["a", "b"])
        }
    }

    @Test("A field that does not exist is told with its place")
    func unknownField() throws {
        let problem = try #require(throws: RequestFile.Problem.self) {
            try identifiers(#"[{"identifier":"a"},{"tilte":"b"}]"#)
        }
        #expect(problem.text.hasPrefix("requests[1] is not a request"))
    }

    @Test("A number of an enum beyond 32 bits is told with its place")
    func enumNumber() throws {
        let problem = RequestFile.Problem(
            text: "requests[0] is not a request: the number of an enum takes more than 32 bits"
        )
        #expect(throws: problem) {
            try identifiers(#"[{"content":{"interruptionLevel":4294967297}}]"#)
        }
    }

    @Test("A batch has at most 1,000 requests and stays under 1 MiB")
    func batches() {
        let small = [Belfry_V1_NotificationRequest](repeating: .init(), count: 2_500)
        #expect(RequestFile.batches(of: small) == [0..<1_000, 1_000..<2_000, 2_000..<2_500])
        var large = Belfry_V1_NotificationRequest()
        large.content.body = String(repeating: "x", count: 60 * 1_024)
        let many = [Belfry_V1_NotificationRequest](repeating: large, count: 20)
        #expect(RequestFile.batches(of: many) == [0..<14, 14..<20])
        #expect(RequestFile.batches(of: []).isEmpty)
    }
}
