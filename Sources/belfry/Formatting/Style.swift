internal import NotificationServer

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

extension Style {
    /// Gives the upper half of a cell in one colour on another, from the 256 that terminals have.
    func apply(_ cell: ScreenLine.Cell, to text: String) -> String {
        guard isColored else { return text }
        let (front, back) = (cell.upper.terminalNumber, cell.lower.terminalNumber)
        return "\u{1B}[38;5;\(front);48;5;\(back)m\(text)\u{1B}[0m"
    }
}

extension Picture.Color {
    /// The nearest colour of the cube of six shades each that terminals have.
    fileprivate var terminalNumber: Int {
        func shade(_ part: UInt8) -> Int { part < 48 ? 0 : part < 115 ? 1 : (Int(part) - 35) / 40 }
        return 16 + 36 * shade(red) + 6 * shade(green) + shade(blue)
    }
}

extension String {
    /// The text as a terminal can show it.
    var printable: String { onOneLine }

    /// The text, cut off with an ellipsis beyond `length` characters.
    func truncated(to length: Int) -> String {
        count <= length ? self : prefix(length - 1) + "…"
    }
}
