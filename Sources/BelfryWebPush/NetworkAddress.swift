/// An address of the Internet Protocol: 4 or 16 bytes, as a socket has them.
package struct NetworkAddress: Sendable {
    private let bytes: [UInt8]

    /// - Returns: nil where there are neither 4 nor 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether the address is one of the public Internet: not this machine's, not of a private
    /// network, and of no other special purpose (RFC 6890).
    package var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublic(bytes[...]) }
        // An address of version 4 as Linux writes it in one of version 6, or as NAT64 does.
        for head in [Self.mapped, Self.translated] where bytes.starts(with: head) {
            return Self.isPublic(bytes.suffix(4))
        }
        return Self.isIn(bytes[...], ([0x20], 3))
            && !Self.special6.contains { Self.isIn(bytes[...], $0) }
    }

    /// Whether the address is this machine's own.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
    private static let translated: [UInt8] =
        [0x00, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8)

    private typealias Network = (head: [UInt8], bits: Int)

    private static let special4: [Network] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16),
        ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]
    private static let special6: [Network] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x20, 0x02], 16),
        ([0x3f, 0xff, 0x00], 20),
    ]

    private static func isPublic(_ address: ArraySlice<UInt8>) -> Bool {
        !special4.contains { isIn(address, $0) }
    }

    private static func isIn(_ address: ArraySlice<UInt8>, _ network: Network) -> Bool {
        zip(address, network.head).enumerated().allSatisfy { place, pair in
            let shift = max(0, 8 * (place + 1) - network.bits)
            return pair.0 >> shift == pair.1 >> shift
        }
    }
}
