/// Colours text, unless colours are off.
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

    /// Turns colours on for a terminal, unless the environment turns them off as no-color.org says.
    init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColored = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    /// Gives `text` with an emphasis, or unchanged when colours are off.
    func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard isColored, let emphasis, !text.isEmpty else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}

extension String {
    /// The text on one line and without control characters.
    ///
    /// Any app can write a notification; its text must not move the cursor or change the colours of
    /// the terminal.
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
