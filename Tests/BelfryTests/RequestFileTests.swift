internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct RequestFileTests {
    private func identifiers(_ text: String) throws -> [String] {
        try RequestFile.parse(Data(text.utf8)).map { try $0.get().identifier }
    }

    /// The problem of each element of a file, nil for a request.
    private func problems(_ text: String) throws -> [String?] {
        try RequestFile.parse(Data(text.utf8)).map { request in
            switch request {
            case .success: nil
            case .failure(let problem): problem.text
            }
        }
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
        let request = try #require(try RequestFile.parse(Data(text.utf8)).first).get()
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
            ("nothing", "it is no JSON: there is no value at column 2"),
            ("[{},\n{]", "it is no JSON: a name in quotes is missing at line 2, column 2"),
            ("{\n\"identifier\":\n", "it is no JSON: there is no value at line 3, column 1"),
            (
                #"{"identifier":5}"#,
                "requests[0] is not a request: identifier: found a number, where a text has to be"
            ),
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

    @Test("A field that does not exist is told with its place and those that do")
    func unknownField() throws {
        let told = try problems(#"[{"identifier":"a"},{"content":{"tilte":"b"}}]"#)
        #expect(told[0] == nil)
        let problem = try #require(told[1])
        #expect(problem.hasPrefix("requests[1] is not a request: content.tilte: there is no such"))
        #expect(problem.contains("there are title, subtitle, body"))
    }

    @Test("A line that cannot be read leaves the others")
    func unreadableLine() throws {
        let lines = [
            "garbage", #"{"identifier":"a"}"#, #"{"identifier":["#, #"{"identifier":"b"}"#,
        ]
        let told = try problems(lines.joined(separator: "\n"))
        #expect(told.map { $0 == nil } == [false, true, false, true])
        #expect(
            told[0] == "line 1 is not a request: it is no JSON: there is no value at column 1"
        )
        let third = try #require(told[2])
        #expect(third.hasPrefix("line 3 is not a request: it is no JSON"), "\(third)")
    }

    @Test("A number of an enum beyond 32 bits is told with its place")
    func enumNumber() throws {
        let told = try problems(
            #"[{"content":{"interruptionLevel":4294967297}},{"request":{"content":5}},{}]"#
        )
        let problem = try #require(told[0])
        #expect(
            problem.hasPrefix(
                """
                requests[0] is not a request: content.interruption_level: found the number \
                4294967297, where one of INTERRUPTION_LEVEL_PASSIVE, 
                """
            )
        )
        #expect(
            told[1]
                == """
                requests[1].request is not a request: content: found a number, where an object has \
                to be
                """
        )
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
