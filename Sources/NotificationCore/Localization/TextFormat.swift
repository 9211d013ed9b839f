/// A text of a string table with places for arguments: `%@` in order, `%1$@` by number.
///
/// `%%` is a `%`; all else stays as it is (L10N-2, L10N-4). The text is never passed to a C
/// formatter, since it comes from outside.
struct TextFormat {
    /// The mark that a `%` begins.
    private enum Mark {
        case percent
        case next
        case argument(number: Int)
        case escape
    }

    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Gives the text with `arguments` in its places.
    ///
    /// A missing argument is empty, and a superfluous argument is ignored. Places are not looked
    /// for inside the arguments. A few bytes can name one long argument again and again, so the
    /// result is cut at ``Limits/shownTextBytes``.
    ///
    /// `removesEscapes` says whether other printf escapes are removed, as Apple's system displays a
    /// body (D-12).
    ///
    /// - Complexity: O(bytes of the text and of the inserted arguments).
    func filled(with arguments: [String], removesEscapes: Bool = false) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var next = 1
        var rest = bytes[...]
        while let byte = rest.first, result.count <= Limits.shownTextBytes {
            let (mark, end) = mark(at: rest)
            switch mark {
            case .percent: result.append(byte)
            case .next:
                result += Self.argument(next, of: arguments)
                next += 1
            case .argument(let number): result += Self.argument(number, of: arguments)
            case .escape: if !removesEscapes { result += rest[..<end] }
            case nil: result.append(byte)
            }
            rest = rest[end...]
        }
        return String(decoding: result, as: UTF8.self).prefix(ofBytes: Limits.shownTextBytes)
    }

    private static func argument(_ number: Int, of arguments: [String]) -> String.UTF8View {
        (arguments.indices.contains(number - 1) ? arguments[number - 1] : "").utf8
    }

    /// Gives the mark at the beginning of `rest`, if there is one, and where the rest after it
    /// begins.
    private func mark(at rest: ArraySlice<UInt8>) -> (Mark?, end: Int) {
        let after = rest.startIndex + 1
        guard rest.first == UInt8(ascii: "%") else { return (nil, after) }
        if rest.starts(with: "%%".utf8) { return (.percent, after + 1) }
        if rest.starts(with: "%@".utf8) { return (.next, after + 1) }
        let digits = rest.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if !digits.isEmpty, rest[digits.endIndex...].starts(with: "$@".utf8) {
            // A number that does not fit an integer is larger than any number of arguments.
            let number = Int(String(decoding: digits, as: UTF8.self)) ?? .max
            if number > 0 { return (.argument(number: number), digits.endIndex + 2) }
        }
        return PrintfEscape.end(in: rest).map { (.escape, $0) } ?? (nil, after)
    }
}

extension String {
    /// The text's longest prefix of at most `count` bytes of UTF-8.
    ///
    /// - Complexity: O(1) where it is short enough.
    func prefix(ofBytes count: Int) -> String {
        guard utf8.count > count else { return self }
        // A string is never cut within a character: the cut moves back to the character's
        // beginning.
        return String(self[..<utf8.index(utf8.startIndex, offsetBy: count)])
    }
}
