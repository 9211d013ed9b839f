extension UInt64 {
    /// The number of eight bytes, of which the first counts most.
    package init(bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The eight bytes of the number, of which the first counts most.
    package var bytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
    }
}
