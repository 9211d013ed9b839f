/// A key that a person presses.
enum Key: Equatable {
    case character(Character)
    case up
    case down
    case pageUp
    case pageDown
    case home
    case end
    case left
    case right
    /// Control or Alt with the left arrow; Alt-B.
    case wordLeft
    /// Control or Alt with the right arrow; Alt-F.
    case wordRight
    case delete
    case enter
    case escape
    case backspace
    /// Control-U: deletes the whole line.
    case eraseLine
    /// Control-C.
    case interrupt
}

/// Decodes the bytes of a terminal into keys.
struct KeyDecoder {
    // The beginning of a sequence whose rest has not arrived yet.
    private var rest: [UInt8] = []

    /// Gives the keys that these bytes complete.
    ///
    /// An escape at the end of the bytes is the escape key, since a terminal sends a sequence all
    /// at once.
    mutating func decode(_ bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var input = (rest + bytes)[...]
        rest = []
        while let first = input.first {
            switch first {
            case 0x03: keys.append(.interrupt)
            case 0x08, 0x7F: keys.append(.backspace)
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x15: keys.append(.eraseLine)
            case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(first))))
            case 0x1B:
                guard let (key, count) = Self.sequence(input) else {
                    rest = Array(input)
                    return keys
                }
                if let key { keys.append(key) }
                input = input.dropFirst(count)
                continue
            case 0xC2...0xF4:
                let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
                let scalar = input.prefix(count)
                guard scalar.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { break }
                guard scalar.count == count else {
                    rest = Array(scalar)
                    return keys
                }
                if let text = String(validating: scalar, as: UTF8.self), let typed = text.first {
                    keys.append(.character(typed))
                }
                input = input.dropFirst(count)
                continue
            default: break
            }
            input = input.dropFirst()
        }
        return keys
    }

    /// Reads a sequence that begins with an escape: its key, if the program knows the key, and its
    /// length.
    ///
    /// - Returns: Nil when the sequence is incomplete.
    private static func sequence(_ input: ArraySlice<UInt8>) -> (Key?, Int)? {
        let after = input.dropFirst()
        guard let kind = after.first, kind != 0x1B else { return (.escape, 1) }
        switch kind {
        case UInt8(ascii: "b"): return (.wordLeft, 2)
        case UInt8(ascii: "f"): return (.wordRight, 2)
        case UInt8(ascii: "["), UInt8(ascii: "O"): break
        // Skip Alt with another key, which has no meaning here.
        default: return (nil, 2)
        }
        let body = after.dropFirst()
        guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let count = end - input.startIndex + 1
        let key: Key? =
            switch String(decoding: body[...end], as: UTF8.self) {
            case "A": .up
            case "B": .down
            case "C": .right
            case "D": .left
            case "1;5C", "1;3C": .wordRight
            case "1;5D", "1;3D": .wordLeft
            case "3~": .delete
            case "5~": .pageUp
            case "6~": .pageDown
            case "H", "1~", "7~": .home
            case "F", "4~", "8~": .end
            default: nil
            }
        return (key, count)
    }
}
