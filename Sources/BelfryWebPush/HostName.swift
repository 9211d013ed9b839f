/// A name of the DNS in lower case; an address is none.
struct HostName: Hashable, Sendable {
    let text: String

    private static let byteLimit = 253
    private static let labelByteLimit = 63

    init?(_ bytes: some Collection<UInt8>) {
        guard (1...Self.byteLimit).contains(bytes.count) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(Self.isLabel),
            // A last label with a digit first could be read as an address: 127.1, 0x7f.1.
            let first = labels.last?.first, !Self.isDigit(first)
        else { return nil }
        self.text = text
    }

    func isBelow(_ domain: HostName) -> Bool {
        text.utf8.suffix(domain.text.utf8.count + 1).elementsEqual(".\(domain.text)".utf8)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...labelByteLimit).contains(label.count) && label.first != hyphen
            && label.last != hyphen
            && label.allSatisfy { byte in
                isDigit(byte) || byte == hyphen
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
