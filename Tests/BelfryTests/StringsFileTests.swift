internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct StringsFileTests {
    private func parse(_ text: String) throws -> [String: Belfry_V1_LocalizedString] {
        try StringsFile.parse(Data(text.utf8))
    }

    @Test("A text is a text, and one that depends on a number an object of its forms")
    func texts() throws {
        let strings = try parse(
            #"""
            {"a": "A", "b": {"zero": "z", "one": "o", "two": "t", "few": "f", "many": "m",
            "other": "x"}, "c": {"other": ""}, "": ""}
            """#
        )
        let plural = Belfry_V1_PluralText.with { plural in
            plural.zero = "z"
            plural.one = "o"
            plural.two = "t"
            plural.few = "f"
            plural.many = "m"
            plural.other = "x"
        }
        #expect(
            strings == [
                "a": .with { $0.text = "A" }, "b": .with { $0.plural = plural },
                "c": .with { $0.plural = .init() }, "": .with { $0.text = "" },
            ]
        )
    }

    @Test(
        "What is wrong is told with its key",
        arguments: [
            ("", "it is no JSON: there is no value at column 1"),
            ("{", "it is no JSON: a name in quotes is missing at column 2"),
            ("[]", "it is not an object of texts by key"),
            (#""a""#, "it is not an object of texts by key"),
            ("{}", "there are no texts in it; 'belfry strings remove' removes all"),
            (#"{"b": 1, "a": null}"#, #""a" is neither a text nor an object of its forms"#),
            (
                #"{"a": {"ones": "x", "other": "y"}}"#,
                #""a" has a form "ones": there are zero, one, two, few, many and other"#
            ),
            (#"{"a": {"other": 1}}"#, #"the form other of "a" is not a text"#),
            (#"{"a": {"one": "x"}}"#, #""a" has no form "other", which every number may need"#),
        ]
    )
    func problems(text: String, problem: String) {
        #expect(throws: StringsFile.Problem(text: problem)) { try parse(text) }
    }
}
