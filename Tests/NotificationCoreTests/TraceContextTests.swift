internal import NotificationCore
internal import Testing

/// The examples are those of the recommendation, and those that break each of its rules.
@Suite("The W3C trace context of a call (W-24)")
struct TraceContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"
    private static let parent = "00-\(trace)-\(span)-01"

    @Test(
        "A traceparent is kept",
        arguments: [
            (parent, parent),
            ("00-\(trace)-\(span)-00", "00-\(trace)-\(span)-00"),
            // The flag for random is kept, and flags without a meaning are not.
            ("00-\(trace)-\(span)-02", "00-\(trace)-\(span)-02"),
            ("00-\(trace)-\(span)-ff", "00-\(trace)-\(span)-03"),
            ("00-\(trace)-0000000000000001-01", "00-\(trace)-0000000000000001-01"),
            // A later version, as far as it is known.
            ("01-\(trace)-\(span)-01", parent),
            ("cc-\(trace)-\(span)-01-what-the-future-will-be-like", parent),
            ("fe-\(trace)-\(span)-09-", parent),
        ] as [(String, String)]
    )
    func kept(received: String, kept: String) {
        #expect(TraceContext(parent: received)?.parent == kept)
    }

    @Test(
        "A malformed traceparent is ignored",
        arguments: [
            "", "-", "00", parent + "-", parent + "-01", parent + " ", " " + parent,
            String(parent.dropLast()), parent + "0", parent.uppercased(),
            "ff-\(trace)-\(span)-01", "ff-\(trace)-\(span)-01-more",
            "0g-\(trace)-\(span)-01", "0-\(trace)-\(span)-001", "FE-\(trace)-\(span)-01",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
            "00-\(trace.dropLast())G-\(span)-01", "00-\(trace)-\(span.dropLast())x-01",
            "00-\(trace)-\(span)-0x", "00-\(trace)-\(span)-+1", "00_\(trace)-\(span)-01",
            "00-\(trace)_\(span)-01", "00-\(trace)-\(span)_01", "00-\(trace)-\(span)01--",
            "00-\(trace.dropLast())-\(span)1-01", "01-\(trace)-\(span)-01.more",
            "01-\(trace)-\(span)-011", "\(parent),\(parent)",
            "cc-\(trace)-\(span)-01-" + String(repeating: "a", count: 512),
            // As long as a traceparent in characters, or in bytes, but no ASCII.
            "00-\(trace)-\(span)-0é", "00-\(trace)-\(span)-é",
            String(repeating: "\u{0}", count: 55), String(repeating: "-", count: 55),
        ] as [String]
    )
    func malformed(received: String) {
        #expect(TraceContext(parent: received, state: "a=1") == nil)
    }

    private static func member(_ key: String, bytes: Int) -> String {
        key + "=" + String(repeating: "v", count: bytes - key.utf8.count - 1)
    }

    private static let full = (0..<32).map { "k\($0)=v" }.joined(separator: ",")

    @Test(
        "A tracestate is kept",
        arguments: [
            ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
            (" a=1 ,\tb=2\t", "a=1,b=2"),
            (",a=1,,b=2,", "a=1,b=2"),
            ("a= 1", "a= 1"),
            ("0tenant@system=1", "0tenant@system=1"),
            ("a_-*/9=~!", "a_-*/9=~!"),
            (full, full),
            (member("a", bytes: 258), member("a", bytes: 258)),
            // The long members are the first to go, then the last ones.
            (
                "a=1,\(member("b", bytes: 256)),\(member("c", bytes: 256)),d=2",
                "a=1,\(member("b", bytes: 256)),d=2"
            ),
            (
                (0..<5).map { member("k\($0)", bytes: 128) }.joined(separator: ","),
                (0..<3).map { member("k\($0)", bytes: 128) }.joined(separator: ",")
            ),
        ] as [(String, String)]
    )
    func stateKept(received: String, kept: String) {
        #expect(TraceContext(parent: Self.parent, state: received)?.state == kept)
    }

    @Test(
        "A malformed tracestate is left out, and the traceparent stays",
        arguments: [
            "a", "a=", "=1", "a=1,b", "A=1", "0=1", "a=1=2", "a=1,a=2", "a=é", "a=1\u{7}",
            "@s=1", "t@=1", "t@S=1", "t@0=1", "t@s@s=1", "a b=1", "\u{0}",
            member("t@" + String(repeating: "s", count: 15), bytes: 20),
            member(String(repeating: "k", count: 257), bytes: 259),
            member(String(repeating: "t", count: 242) + "@s", bytes: 246),
            member("a", bytes: 259), full + ",one=more",
            String(repeating: "a=1,", count: 4_096),
        ] as [String]
    )
    func stateMalformed(received: String) {
        let context = TraceContext(parent: Self.parent, state: received)
        #expect(context?.parent == Self.parent)
        #expect(context?.state == "")
    }
}
