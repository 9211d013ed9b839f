/// Bytes that an operation reads while it runs: a key to find, a value to store.
///
/// Spans, arrays and inline arrays of bytes are byte views, so that a key built on the stack, a
/// value in an array and bytes lent by a request are passed as they are, without a copy.
@usableFromInline
package protocol ByteView: ~Escapable {
    /// Calls `body` with the bytes, which are valid and do not change until it returns.
    func withView<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R
}

extension RawSpan: ByteView {
    @inlinable
    package func withView<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe withUnsafeBytes { bytes in unsafe body(bytes) }
    }
}

extension Span: ByteView where Element == UInt8 {
    @inlinable
    package func withView<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe withUnsafeBytes { bytes in unsafe body(bytes) }
    }
}

extension Array: ByteView where Element == UInt8 {
    @inlinable
    package func withView<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe withUnsafeBytes { bytes in unsafe body(bytes) }
    }
}

extension InlineArray: ByteView where Element == UInt8 {
    @inlinable
    package func withView<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe span.withUnsafeBytes { bytes in unsafe body(bytes) }
    }
}
