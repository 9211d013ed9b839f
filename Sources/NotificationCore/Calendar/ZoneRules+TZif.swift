extension ZoneRules {
    /// Reads the rules of a zone from the bytes of its TZif file (RFC 8536).
    ///
    /// Uses the file's 64-bit part and its footer, and ignores its names, its kinds of time and
    /// what follows the footer.
    ///
    /// - Throws: What is wrong with the bytes. Any bytes may be given.
    /// - Complexity: O(*n*) in the bytes, and 500 changes for a rule of daylight saving time: some
    ///   20 microseconds, and 12 KiB to keep.
    package init(tzif bytes: [UInt8]) throws(ZoneRulesError) {
        var reader = TZifReader(bytes: bytes)
        let narrow = try reader.header()
        guard narrow.version >= UInt8(ascii: "2") else { throw .versionUnsupported }
        try reader.skip(narrow.byteCount(timeSize: 4))
        let header = try reader.header()
        guard header.typeCount > 0 else { throw .invalid("typecnt") }
        guard header.leapCount == 0 else { throw .leapSecondsUnsupported }
        let times = try reader.times(header.timeCount)
        let types = try reader.bytes(header.timeCount)
        let offsets = try reader.offsets(header.typeCount)
        try reader.skip(header.nameByteCount + header.standardCount + header.universalCount)
        let rule = try reader.footer()

        var changes: [Change] = []
        for (time, type) in zip(times, types) {
            guard Int(type) < offsets.count else { throw .invalid("type") }
            changes.append(Change(time: time, offset: offsets[Int(type)]))
        }
        if let rule { changes += rule.changes(after: changes.last?.time) }
        self.init(firstOffset: offsets[0], changes: changes)
    }
}

/// Reads the parts of a TZif file in their order.
private struct TZifReader {
    private let bytes: [UInt8]
    private var position = 0

    /// The version of a header, and the counts for the part that follows it.
    struct Header {
        var version: UInt8
        var universalCount: Int
        var standardCount: Int
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var nameByteCount: Int

        /// Gives the length of the part, whose times have `timeSize` bytes.
        func byteCount(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + nameByteCount
                + leapCount * (timeSize + 4) + standardCount + universalCount
        }
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func header() throws(ZoneRulesError) -> Header {
        guard try Array(self.bytes(4)) == Array("TZif".utf8) else { throw .notTZif }
        let version = try self.bytes(1).first ?? 0
        try skip(15)
        return Header(
            version: version,
            universalCount: try number(UInt32.self),
            standardCount: try number(UInt32.self),
            leapCount: try number(UInt32.self),
            timeCount: try number(UInt32.self),
            typeCount: try number(UInt32.self),
            nameByteCount: try number(UInt32.self)
        )
    }

    mutating func times(_ count: Int) throws(ZoneRulesError) -> [Int] {
        try require(count * 8)
        var times: [Int] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let time = try number(Int64.self)
            // The least time that RFC 8536 allows; sums with offsets stay far from overflow.
            guard (-1 << 59...1 << 59).contains(time) else { throw .invalid("transition time") }
            guard time > times.last ?? .min else { throw .invalid("transition times' order") }
            times.append(time)
        }
        return times
    }

    mutating func offsets(_ count: Int) throws(ZoneRulesError) -> [Int] {
        try require(count * 6)
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for _ in 0..<count {
            let offset = try number(Int32.self)
            guard (ZoneRules.leastOffset...ZoneRules.greatestOffset).contains(offset) else {
                throw .invalid("utoff")
            }
            try skip(2)
            offsets.append(offset)
        }
        return offsets
    }

    /// Reads the rule after the last change; nil where the footer is empty.
    mutating func footer() throws(ZoneRulesError) -> ZoneFooter? {
        let newline = UInt8(ascii: "\n")
        guard try bytes(1).first == newline else { throw .footerInvalid }
        guard let end = bytes[position...].firstIndex(of: newline) else { throw .truncated }
        let text = try bytes(end - position)
        return text.isEmpty ? nil : try ZoneFooter(text)
    }

    mutating func skip(_ count: Int) throws(ZoneRulesError) {
        try require(count)
        position += count
    }

    mutating func bytes(_ count: Int) throws(ZoneRulesError) -> ArraySlice<UInt8> {
        try skip(count)
        return bytes[position - count..<position]
    }

    private func require(_ count: Int) throws(ZoneRulesError) {
        guard count <= bytes.count - position else { throw .truncated }
    }

    /// Reads a big-endian number.
    private mutating func number<Number: FixedWidthInteger>(
        _: Number.Type
    ) throws(ZoneRulesError) -> Int {
        let size = Number.bitWidth / 8
        var number: Number = 0
        for byte in try bytes(size) { number = number << 8 | Number(truncatingIfNeeded: byte) }
        return Int(number)
    }
}
