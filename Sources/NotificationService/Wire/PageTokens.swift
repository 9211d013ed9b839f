internal import NotificationCore
internal import NotificationStore

/// The page tokens of one list: of one rpc with one center, filter and order.
///
/// A token is the store's position with a checksum before it, as hexadecimal digits. The checksum
/// covers the list as well, so that a token of another list is refused, and not taken for some
/// position of this one.
struct PageTokens {
    private static let digits = Array("0123456789abcdef".utf8)
    private static let checksumBytes = 8
    /// The longest position: a due instant and an identifier.
    private static let positionBytes = 8 + Limits.identifierBytes

    private let list: Checksum

    /// The tokens of the list that `query` reads from what `rpc` lists.
    init(rpc: String, _ query: ListQuery) {
        var list = Checksum()
        list.add(rpc)
        list.add(query.center.app)
        list.add(query.center.device)
        list.add("\(query.order)")
        list.add(query.threadIdentifier)
        list.add(query.categoryIdentifier)
        for identifier in query.identifiers.sorted() { list.add(identifier) }
        self.list = list
    }

    /// The tokens of a list of a device.
    init(rpc: String, device: String) {
        var list = Checksum()
        list.add(rpc)
        list.add(device)
        self.list = list
    }

    /// The tokens of what `rpc` lists of a device.
    init(rpc: String, _ query: DeviceListQuery) {
        var list = Checksum()
        list.add(rpc)
        list.add(query.device)
        for app in query.apps.sorted() { list.add(app) }
        self.list = list
    }

    /// Writes the token of a position; empty at the end of the list.
    func text(_ position: [UInt8]?) -> String {
        guard let position else { return "" }
        let bytes = checksum(position) + position
        let text = bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a token; nil where it is empty, at the beginning of the list.
    func position(_ text: String) throws(Refusal) -> [UInt8]? {
        guard !text.isEmpty else { return nil }
        let nibbles = text.utf8.compactMap { Self.digits.firstIndex(of: $0).map(UInt8.init) }
        let bytes = stride(from: 0, to: nibbles.count & ~1, by: 2).map {
            nibbles[$0] << 4 | nibbles[$0 + 1]
        }
        let position = Array(bytes.dropFirst(Self.checksumBytes))
        guard text.utf8.count == 2 * bytes.count,
            (1...Self.positionBytes).contains(position.count),
            bytes.starts(with: checksum(position))
        else {
            throw .invalid(
                "page_token",
                "is not a next_page_token of this list",
                reason: "PAGE_TOKEN_INVALID"
            )
        }
        return position
    }

    private func checksum(_ position: [UInt8]) -> [UInt8] {
        var checksum = list
        checksum.add(position)
        return (0..<Self.checksumBytes).map {
            UInt8(truncatingIfNeeded: checksum.value >> (8 * $0))
        }
    }
}

/// FNV-1a of 64 bits: equal in every process, which Swift's own hashes are not.
private struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a text, or that there is none; texts one after the other are not one longer text.
    mutating func add(_ text: String?) {
        guard let text else { return add([0]) }
        add([1])
        add(Array(text.utf8))
        add([0xFF])
    }

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
