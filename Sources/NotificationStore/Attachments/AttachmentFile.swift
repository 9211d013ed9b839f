internal import BelfryLMDB

/// The name of a file with an attachment's bytes, which no two files ever have: what is written
/// under it never changes, and what is removed under it is never another one.
struct AttachmentFile: Hashable, Sendable {
    private let number: UInt128

    /// Makes a name.
    init() {
        number = .random(in: .min ... .max)
    }

    /// Reads a file's name; nil where it is none of these.
    init?(_ name: String) {
        guard name.utf8.count == 32, let number = UInt128(name, radix: 16) else { return nil }
        self.number = number
        // Capitals and signs would be another name.
        guard self.name == name else { return nil }
    }

    /// The name in the directory of the attachments.
    var name: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }

    /// The name while the file is not whole.
    var unfinishedName: String { name + Self.unfinished }

    /// What the names of files that are not whole end with.
    static let unfinished = ".unfinished"

    func write(to writer: inout ByteWriter) { writer.put(number) }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        number = try reader.number()
    }
}
