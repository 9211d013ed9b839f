/// Lays out rows in aligned columns.
struct Table {
    /// The text of a cell and its emphasis.
    struct Cell {
        var text: String
        var emphasis: Style.Emphasis?

        init(_ text: String, _ emphasis: Style.Emphasis? = nil) {
            self.text = text.printable
            self.emphasis = emphasis
        }
    }

    private let header: [String]
    private var rows: [[Cell]] = []

    /// Makes a table without rows.
    init(header: [String]) {
        self.header = header
    }

    /// Whether the table has no rows below the header.
    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row, with a cell for each column.
    mutating func append(_ row: [Cell]) {
        precondition(row.count == header.count, "a row has a cell for each column")
        rows.append(row)
    }

    /// Writes one line for the header and each row, without spaces at their ends.
    func lines(_ style: Style) -> [String] {
        let all = [header.map { Cell($0, .dim) }] + rows
        let widths = header.indices.map { column in
            all.map { $0[column].text.count }.max() ?? 0
        }
        return all.map { row in
            let last = row.lastIndex { !$0.text.isEmpty } ?? 0
            return row[...last].enumerated().map { column, cell in
                let space = column == last ? 0 : widths[column] - cell.text.count
                return style.apply(cell.emphasis, to: cell.text)
                    + String(repeating: " ", count: space)
            }.joined(separator: "  ")
        }
    }
}
