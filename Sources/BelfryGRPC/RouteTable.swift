/// Finds a route by the bytes of a path, without making a string.
///
/// The table uses open addressing. Its size is fixed: a power of two, at least twice the number of
/// routes.
struct RouteTable: Sendable {
    private struct Slot {
        let path: [UInt8]
        let route: OfferedRoute
    }

    private var slots: [Slot?]
    private let mask: Int

    init(_ routes: [OfferedRoute]) {
        var size = 8
        while size < routes.count * 2 { size *= 2 }
        slots = Array(repeating: nil, count: size)
        mask = size - 1
        for route in routes {
            let path = Array(route.plain.path.utf8)
            var index = unsafe RouteTable.hash(path.span.bytes) & mask
            while slots[index] != nil { index = (index + 1) & mask }
            slots[index] = Slot(path: path, route: route)
        }
    }

    /// The route for `path`; nil if no route has that path.
    ///
    /// - Complexity: O(length of the path), without allocation.
    func route(for path: RawSpan) -> OfferedRoute? {
        var index = RouteTable.hash(path) & mask
        while let slot = slots[index] {
            if unsafe RouteTable.equal(path, slot.path.span.bytes) { return slot.route }
            index = (index + 1) & mask
        }
        return nil
    }

    /// The FNV-1a hash of the bytes.
    private static func hash(_ bytes: RawSpan) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in bytes.byteOffsets {
            hash = (hash ^ UInt64(bytes.byte(at: index))) &* 0x100_0000_01b3
        }
        return Int(truncatingIfNeeded: hash ^ (hash >> 32))
    }

    private static func equal(_ left: RawSpan, _ right: RawSpan) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        for index in left.byteOffsets where left.byte(at: index) != right.byte(at: index) {
            return false
        }
        return true
    }
}

extension RawSpan {
    /// The byte at `offset`, whose bounds are checked.
    fileprivate func byte(at offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
