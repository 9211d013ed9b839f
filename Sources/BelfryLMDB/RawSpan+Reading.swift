// Reading a lent value without unsafe code: the standard library's loads from a RawSpan are unsafe,
// because they take any type and any offset.

extension RawSpan {
    /// The byte at an offset; traps outside of the span.
    @inlinable
    package subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < byteCount, "offset is outside of the bytes")
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// An integer stored with its most significant byte first; traps outside of the span.
    ///
    /// - Parameters:
    ///   - type: The type of the integer, which gives the number of bytes.
    ///   - offset: Where it begins; need not be aligned.
    /// - Returns: The integer.
    @inlinable
    package func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self,
        at offset: Int
    ) -> Value {
        Value(bigEndian: native(at: offset))
    }

    /// An integer in the machine's byte order; traps outside of the span.
    @inlinable
    func native<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
        precondition(
            offset >= 0 && offset <= byteCount - MemoryLayout<Value>.size,
            "offset is outside of the bytes"
        )
        return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Value.self)
    }
}

extension [UInt8] {
    /// An integer stored with its most significant byte first; traps outside of the bytes.
    @inlinable
    package func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self,
        at offset: Int
    ) -> Value {
        // Safety: every byte of an array of bytes is initialized.
        unsafe span.bytes.bigEndian(type, at: offset)
    }

    /// Appends an integer with its most significant byte first.
    @inlinable
    package mutating func append(bigEndian value: some FixedWidthInteger) {
        guard value.bitWidth > 8 else { return append(UInt8(truncatingIfNeeded: value)) }
        let stored = value.bigEndian
        unsafe Swift.withUnsafeBytes(of: stored) { unsafe append(contentsOf: $0) }
    }

    /// Appends a copy of the bytes in `range` of another array, without a reference to the array;
    /// traps outside of the bytes.
    @inlinable
    package mutating func append(copying bytes: [UInt8], _ range: Range<Int>) {
        unsafe bytes.span.extracting(range).withUnsafeBufferPointer {
            unsafe append(contentsOf: $0)
        }
    }

    /// Lends the bytes as those of a table are lent.
    @inlinable
    package func withRawSpan<R, Failure>(
        _ body: (RawSpan) throws(Failure) -> R
    ) throws(Failure) -> R {
        // Safety: every byte of an array of bytes is initialized.
        try unsafe body(span.bytes)
    }

    /// Creates an array with a copy of the bytes.
    @inlinable
    package init(copying bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
