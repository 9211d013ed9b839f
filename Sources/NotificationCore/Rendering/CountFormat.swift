/// A text of an app with places for a number and a list: `%u` and `%@`, or `%1$u` and `%2$@`.
///
/// The first place for the number and the first for the list are filled; all else stays as it is,
/// `%%` too (LK-1, SUM-13). The text is never passed to a C formatter, since it comes from outside.
struct CountFormat {
    private enum Place {
        case count
        case list
    }

    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether the text has a place for a list.
    ///
    /// - Complexity: O(bytes).
    var hasList: Bool {
        var offset = 0
        while offset < bytes.count {
            let (place, length) = place(at: offset)
            if place == .list { return true }
            offset += length
        }
        return false
    }

    /// Gives the text with `count`, and with `list` where there is one.
    ///
    /// Places are not looked for inside the inserted list.
    ///
    /// - Complexity: O(bytes).
    func filled(count: UInt64, list: String?) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var open: [Place] = list == nil ? [.count] : [.count, .list]
        var offset = 0
        while offset < bytes.count {
            let (place, length) = place(at: offset)
            if let place, let index = open.firstIndex(of: place) {
                open.remove(at: index)
                result += (place == .count ? "\(count)" : list ?? "").utf8
            } else {
                result += bytes[offset..<offset + length]
            }
            offset += length
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Gives the place at `offset`, if there is one, and how many bytes to skip.
    private func place(at offset: Int) -> (Place?, length: Int) {
        let rest = bytes[offset...]
        guard rest.first == UInt8(ascii: "%") else { return (nil, 1) }
        if rest.starts(with: "%%".utf8) { return (nil, 2) }
        if rest.starts(with: "%u".utf8) { return (.count, 2) }
        if rest.starts(with: "%1$u".utf8) { return (.count, 4) }
        if rest.starts(with: "%@".utf8) { return (.list, 2) }
        if rest.starts(with: "%2$@".utf8) { return (.list, 4) }
        return (nil, 1)
    }
}
