internal import NotificationCore
internal import Testing

@Suite("user_info_json is one JSON object (RFC 8259)")
struct JSONObjectCheckTests {
    private func problem(_ json: String) -> Refusal? {
        var content = NotificationContent()
        content.title = "Title"
        content.userInfoJSON = json
        do {
            try NotificationRequest(identifier: "request", content: content).validate()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "An object is accepted",
        arguments: [
            "{}",
            " \t\r\n{ \t\r\n} \t\r\n",
            #"{"":""}"#,
            #"{"a":1,"a":2}"#,
            #"{"a":{"b":[{"c":[[],{}]}]}}"#,
            #"{ "a" : [ 1 , "b" , true , false , null , { } , [ ] ] }"#,
            #"{"n":[0,-0,1,-1,10,1.5,0.25,-0.0,1e5,1E5,1e+5,1e-5,1.5e300,123456789012345678901]}"#,
            #"{"escapes":"\" \\ \/ \b \f \n \r \t \u0000 \u00e9 \uD83D\uDE00 \uAbCd"}"#,
            #"{"\u0061":1}"#,
            #"{"text":"é 漢 😀 \u007f"}"#,
            "{\"delete and beyond\":\"\u{7F}\u{80}\u{2028}\u{FFFD}\"}",
            // A lone surrogate is within the grammar.
            #"{"lone":"\uD800"}"#,
        ]
    )
    func good(json: String) {
        #expect(problem(json) == nil)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            // Not an object.
            " ", "null", "true", "1", #""text""#, "[]", "[{}]", "x", "\u{FEFF}{}", "\u{A0}{}",
            // It does not end.
            "{", #"{""#, #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":[1"#,
            #"{"a":{"#, #"{"a":"b"#, #"{"a":"\"#, #"{"a":"\u"#, #"{"a":"\u00"#, #"{"a":t"#,
            // Text follows it.
            "{}{}", "{} x", "{},", "{}]", "{}\0",
            // Members.
            "{,}", #"{"a"}"#, #"{"a" 1}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, "{a:1}",
            "{'a':1}", "{1:2}", #"{"a"::1}"#, #"{"a":1;"b":2}"#, #"{"a":[1}"#, #"{"a":1]"#,
            // Elements.
            #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#, #"{"a":[1}]"#,
            // Numbers.
            #"{"a":01}"#, #"{"a":-01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":5.}"#, #"{"a":1e}"#,
            #"{"a":1e+}"#, #"{"a":-}"#, #"{"a":--1}"#, #"{"a":1.e5}"#, #"{"a":0x10}"#,
            #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":-Infinity}"#, #"{"a":1e+-5}"#, #"{"a":٣}"#,
            // Words.
            #"{"a":True}"#, #"{"a":nul}"#, #"{"a":nulll}"#, #"{"a":tru e}"#, #"{"a":undefined}"#,
            // Strings.
            #"{"a":"\x41"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12G4"}"#, #"{"a":"\'"}"#,
            "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", "{\"a\":\"\0\"}", "{\"a\":\"\u{1F}\"}",
            #"{"a":"\u００４１"}"#,
            // Comments and white space that JSON does not have.
            "{/**/}", "{}//", "{\u{0B}}", "{\u{A0}}",
        ]
    )
    func bad(json: String) {
        let refusal = problem(json)
        #expect(refusal?.kind == .invalidArgument)
        #expect(refusal?.fields.map(\.path) == [[.content, .userInfo]])
        #expect(refusal?.message.contains("must be one JSON object") == true)
    }

    @Test("Nesting is counted over objects and arrays, and ends at 64", arguments: [false, true])
    func nesting(objects: Bool) {
        func nested(_ depth: Int) -> String {
            let open = objects ? #"{"a":"# : "["
            let close = objects ? "}" : "]"
            return #"{"a":"# + String(repeating: open, count: depth - 1) + "1"
                + String(repeating: close, count: depth - 1) + "}"
        }
        #expect(problem(nested(64)) == nil)
        #expect(problem(nested(65))?.message.contains("nests deeper than 64") == true)
        #expect(problem(nested(10_000))?.message.contains("nests deeper than 64") == true)
    }

    @Test("Containers beside each other do not add up to depth")
    func siblings() {
        let members = (0..<500).map { #""\#($0)":[{}]"# }.joined(separator: ",")
        #expect(problem("{\(members)}") == nil)
    }

    @Test("A refusal names the byte, and never the content")
    func position() {
        let refusal = problem(#"{"secret":"word", oops}"#)
        #expect(refusal?.message.contains("at byte 18") == true)
        #expect(refusal?.message.contains("secret") == false)
        #expect(refusal?.message.contains("oops") == false)
    }
}
