public import Synchronization

/// A value behind a `Mutex` whose order the thread sanitizer can see.
///
/// A contended `Mutex` takes and leaves its lock inside the Swift runtime, which is not
/// instrumented (Swift 6.3, Linux), and the sanitizer then reports every access to the value as a
/// race. The load and the store of `order` show the sanitizer the order of the accesses; they cost
/// two moves, and the number in `order` is not used.
///
/// The type is inlined into its callers, since every call uses it.
@frozen
@usableFromInline
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let order = Atomic(0)

    @inlinable
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` alone with the value.
    ///
    /// `body` must not call `withLock` of the same value again.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) -> sending Result in
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            return try body(&value)
        }
    }

    /// Runs `body` with the value, and not alone where a planted fault leaves the lock out.
    @inlinable
    @inline(__always)
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        unless isLeftOut: Bool,
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        guard isLeftOut else { return try withLock(body) }
        let address = mutex.withLock { value in
            unsafe withUnsafeMutablePointer(to: &value) { UInt(bitPattern: $0) }
        }
        // Safety: the value stays where it is. That others use it at the same time is the fault.
        let value = unsafe UnsafeMutablePointer<Value>(bitPattern: address).unsafelyUnwrapped
        return try unsafe body(&value.pointee)
    }
}
