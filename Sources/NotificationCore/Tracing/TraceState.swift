/// The value of `tracestate`: what tracing systems add to a `traceparent`, a member for each.
enum TraceState {
    /// Bytes of the value that is kept: what the recommendation asks everyone to pass on.
    static let byteCount = 512
    /// Bytes of the values of a call, as received.
    private static let receivedByteCount = 8 * 1024
    /// Members of a value.
    private static let memberCount = 32
    /// A longer member is the first to go where a value is too long.
    private static let shortMemberByteCount = 128

    /// The members of a value, as many as are kept; empty where a member is malformed.
    static func kept(_ text: String) -> String {
        guard !text.isEmpty, text.utf8.count <= receivedByteCount else { return "" }
        var members: [ArraySlice<UInt8>] = []
        var keys: Set<ArraySlice<UInt8>> = []
        for part in Array(text.utf8).split(separator: UInt8(ascii: ",")) {
            let member = withoutBlanks(part)
            guard !member.isEmpty else { continue }
            guard members.count < memberCount, let key = key(of: member),
                keys.insert(key).inserted
            else { return "" }
            members.append(member)
        }
        // The members and the commas between them.
        var count = members.reduce(-1) { $0 + $1.count + 1 }
        while count > byteCount {
            let long = members.lastIndex { $0.count > shortMemberByteCount }
            count -= members.remove(at: long ?? members.endIndex - 1).count + 1
        }
        let joined = Array(members.joined(separator: [UInt8(ascii: ",")]))
        return String(decoding: joined, as: UTF8.self)
    }

    private static func withoutBlanks(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }
        let begin = part.drop(while: isBlank)
        return begin.dropLast(begin.reversed().prefix(while: isBlank).count)
    }

    /// The key of `key=value`; nil where one of them is malformed.
    private static func key(of member: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let key = member[..<equals]
        let value = member[(equals + 1)...]
        // No equals sign; a value has no comma, since it was split there, and ends in no blank.
        guard (1...256).contains(value.count),
            value.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") })
        else { return nil }
        return isKey(key) ? key : nil
    }

    /// Whether a text is a key: a system, or a tenant of a system before `@`.
    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        guard let at = key.firstIndex(of: UInt8(ascii: "@")) else {
            return isName(key, atMost: 256, beginsWithDigit: false)
        }
        return isName(key[..<at], atMost: 241, beginsWithDigit: true)
            && isName(key[(at + 1)...], atMost: 14, beginsWithDigit: false)
    }

    private static func isName(
        _ name: ArraySlice<UInt8>,
        atMost limit: Int,
        beginsWithDigit: Bool
    ) -> Bool {
        guard name.count <= limit, let first = name.first else { return false }
        return (isLetter(first) || beginsWithDigit && isDigit(first))
            && name.allSatisfy { isLetter($0) || isDigit($0) || "_-*/".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
