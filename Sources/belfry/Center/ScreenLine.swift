/// One line of a screen: pieces of text, each with its emphasis, and colours of a picture.
///
/// A piece never holds control characters, whatever text it is made from.
struct ScreenLine: Equatable {
    /// A text with one emphasis.
    private struct Piece: Equatable {
        var text: String
        var emphasis: Style.Emphasis?
        var cell: Cell?
    }

    /// Two pixels of a picture, one above the other, in one character of the screen.
    struct Cell: Equatable {
        var upper: Picture.Color
        var lower: Picture.Color
    }

    private var pieces: [Piece] = []

    init() {}

    init(_ text: String, _ emphasis: Style.Emphasis? = nil) {
        append(text, emphasis)
    }

    /// Adds a piece at the end.
    mutating func append(_ text: String, _ emphasis: Style.Emphasis? = nil) {
        guard !text.isEmpty else { return }
        pieces.append(Piece(text: text.printable, emphasis: emphasis))
    }

    /// Adds two pixels at the end.
    mutating func append(_ cell: Cell) {
        pieces.append(Piece(text: "▀", cell: cell))
    }

    /// The text without emphasis.
    var text: String { pieces.map(\.text).joined() }

    /// The line with a plain piece in front of it.
    func indented(by margin: String) -> ScreenLine {
        var line = ScreenLine(margin)
        line.pieces += pieces
        return line
    }

    /// The line, cut off with an ellipsis when it is wider than `limit` columns.
    func fitted(to limit: Int) -> ScreenLine {
        guard text.columns > limit else { return self }
        var line = ScreenLine()
        var left = limit
        for piece in pieces {
            if let cell = piece.cell {
                guard left > 0 else { return line }
                line.append(cell)
                left -= 1
                continue
            }
            let columns = piece.text.columns
            guard columns < left else {
                // Make the piece too wide with ellipses, so that `fitted` ends it with one:
                // another piece follows, or this piece is too long.
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
        pieces.map { piece in
            if let cell = piece.cell { return style.apply(cell, to: piece.text) }
            return style.apply(piece.emphasis, to: piece.text)
        }.joined()
    }
}
