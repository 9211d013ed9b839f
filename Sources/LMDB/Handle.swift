/// A pointer to an LMDB object, to be stored where threads share it.
///
/// Safety: An environment's functions are thread-safe. A transaction's pointer is either in the list
/// of idle readers, behind its lock, or in use by the one thread that took it out; transactions are
/// not tied to the thread that began them, because the environment is opened with `MDB_NOTLS`.
@safe
struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }
}
