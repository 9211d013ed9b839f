/// One line of a screen: pieces of text, each with its emphasis.
///
/// Whatever a piece is made of, it holds no control characters.
struct ScreenLine: Equatable {
    /// A text that stands out in one way.
    private struct Piece: Equatable {
        var text: String
        var emphasis: Style.Emphasis?
    }

    private var pieces: [Piece] = []

    /// Makes an empty line.
    init() {}

    /// Makes a line of one piece.
    init(_ text: String, _ emphasis: Style.Emphasis? = nil) {
        append(text, emphasis)
    }

    /// Adds a piece at the end.
    mutating func append(_ text: String, _ emphasis: Style.Emphasis? = nil) {
        guard !text.isEmpty else { return }
        pieces.append(Piece(text: text.printable, emphasis: emphasis))
    }

    /// The text without emphasis.
    var text: String { pieces.map(\.text).joined() }

    /// The line with a plain piece in front of it.
    func indented(by margin: String) -> ScreenLine {
        var line = ScreenLine(margin)
        line.pieces += pieces
        return line
    }

    /// The line, cut off with an ellipsis where it takes more than `limit` columns.
    func fitted(to limit: Int) -> ScreenLine {
        guard text.columns > limit else { return self }
        var line = ScreenLine()
        var left = limit
        for piece in pieces {
            let columns = piece.text.columns
            guard columns < left else {
                // Something follows or this is too long: one column is the ellipsis's.
                line.append((piece.text + "……").fitted(to: left), piece.emphasis)
                return line
            }
            line.append(piece.text, piece.emphasis)
            left -= columns
        }
        return line
    }

    /// The text with the escape sequences of its emphasis.
    func styled(_ style: Style) -> String {
        pieces.map { style.apply($0.emphasis, to: $0.text) }.joined()
    }
}
