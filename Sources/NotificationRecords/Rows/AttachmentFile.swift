/// The name of a file with an attachment's bytes; two files never have the same name, so a file
/// never changes and a removal never removes another file.
package struct AttachmentFile: Hashable, Coded {
    private let number: UInt128

    package init() {
        number = .random(in: .min ... .max)
    }

    /// Reads a file's name; nil for the name of another file.
    package init?(_ name: String) {
        guard name.utf8.count == 32, let number = UInt128(name, radix: 16) else { return nil }
        self.number = number
        // A number in another form, with capitals or a sign, is another name.
        guard self.name == name else { return nil }
    }

    /// The name in the directory of the attachments.
    package var name: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }

    package var unfinishedName: String { name + Self.unfinished }

    /// The ending of the names of unfinished files.
    package static let unfinished = ".unfinished"

    package func write(to writer: inout ByteWriter) { writer.put(number) }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        number = try reader.number()
    }
}
