/// Which fields of a record are there, of which most are empty: a bit for each, in the order in
/// which they are written.
struct FieldBits {
    private(set) var bits: UInt32
    private var place: UInt32 = 0

    /// Begins with a record's first field.
    init(_ bits: UInt32 = 0) { self.bits = bits }

    /// Notes whether the next field is there, and gives that.
    mutating func note(_ isThere: Bool) -> Bool {
        if isThere { bits |= 1 << place }
        place += 1
        return isThere
    }

    /// Tells whether the next field is there.
    mutating func next() -> Bool {
        defer { place += 1 }
        return bits & (1 << place) != 0
    }

    /// Whether no field is behind those that were asked for.
    var isAtEnd: Bool { bits >> place == 0 }
}
