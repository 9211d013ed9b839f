/// The characters that names of files and of sounds may not hold, so that a reader sees the name as
/// it is.
package enum FileName {
    /// Whether a character is a control, or turns the direction of text, or ends a line.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // C0, DEL and C1; the Arabic letter mark and the marks, embeddings and isolates of
        // direction; the separators of lines and paragraphs.
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The problem of a name whose length was checked; nil for a valid name.
    package static func problem(in name: String) -> String? {
        guard let hidden = name.unicodeScalars.first(where: isHidden) else { return nil }
        let digits = String(hidden.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "holds U+\(padded), which changes how text shows: leave it out"
    }
}
