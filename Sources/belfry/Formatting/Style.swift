/// Colours text where colours are wanted.
struct Style: Sendable {
    /// How a piece of text stands out, as the number of an ANSI escape sequence.
    enum Emphasis: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    /// Whether text is coloured at all.
    let isColored: Bool

    /// Chooses colours for a terminal that does not ask for none, as no-color.org has it.
    init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColored = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    /// Gives `text` with an emphasis, or as it is.
    func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard isColored, let emphasis, !text.isEmpty else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}

extension String {
    /// The text on one line and without control characters.
    ///
    /// Notifications come from anywhere; none may move the cursor or change the colours of the
    /// terminal that lists it.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }
            )
        )
    }

    /// The text, cut off with an ellipsis beyond `length` characters.
    func truncated(to length: Int) -> String {
        count <= length ? self : prefix(length - 1) + "…"
    }
}
