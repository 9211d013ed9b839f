/// A pointer to an LMDB object, to be stored where threads share it.
///
/// Safety: An environment's functions are thread-safe. A transaction's pointer is either in the
/// list of idle readers, behind its lock, or in use by the one thread that took it out; read
/// transactions are not tied to the thread that began them: the environment has `MDB_NOTLS`.
@safe
struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }
}
