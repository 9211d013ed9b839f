// The width of text in columns of a terminal, and text that is cut or wrapped to a width.

extension Unicode.Scalar {
    /// The width of the scalar in columns, as terminals count.
    var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        // A flag is two of these scalars, and is two columns wide.
        if (0x1F1E6...0x1F1FF).contains(value) { return false }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
    }

    /// The blocks whose scalars are wide or full-width in Unicode's EastAsianWidth.txt.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}

extension Character {
    /// The width of the character in columns.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}

extension String {
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// The text, cut off with an ellipsis when it is wider than `limit` columns.
    func fitted(to limit: Int) -> String {
        guard columns > limit else { return self }
        guard limit > 0 else { return "" }
        return prefix(columns: limit - 1) + "…"
    }

    /// The text in lines of at most `limit` columns, broken between words where possible.
    ///
    /// Text beyond `count` lines is cut off with an ellipsis.
    func wrapped(to limit: Int, lines count: Int) -> [String] {
        var lines: [String] = []
        var rest = Substring(self)
        while lines.count + 1 < count, rest.isWider(than: limit) {
            var line = String(rest).prefix(columns: limit)
            guard !line.isEmpty else { break }
            var next = rest.dropFirst(line.count)
            if next.first != " ", let space = line.lastIndex(of: " ") {
                next = rest.dropFirst(line.distance(from: line.startIndex, to: space))
                line = String(line[..<space])
            }
            lines.append(line)
            rest = next.drop { $0 == " " }
        }
        lines.append(String(rest).fitted(to: limit))
        return lines
    }

    /// As many of the last characters as fit in `limit` columns.
    func suffix(columns limit: Int) -> String {
        var left = limit
        var start = endIndex
        while start > startIndex {
            let before = index(before: start)
            left -= self[before].columns
            guard left >= 0 else { break }
            start = before
        }
        return String(self[start...])
    }

    /// As many of the first characters as fit in `limit` columns.
    private func prefix(columns limit: Int) -> String {
        var taken = 0
        return String(
            prefix { character in
                taken += character.columns
                return taken <= limit
            }
        )
    }
}

extension Substring {
    /// Whether the text is wider than so many columns; a long text is not read to its end.
    fileprivate func isWider(than limit: Int) -> Bool {
        var columns = 0
        for scalar in unicodeScalars {
            columns += scalar.columns
            if columns > limit { return true }
        }
        return false
    }
}
