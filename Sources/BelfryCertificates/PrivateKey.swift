internal import CBelfryOpenSSL

/// A private key in memory.
///
/// Safety: `pointer` is made by `init` and freed by `deinit`; it is private to this module, which
/// uses it on one thread.
@safe
final class PrivateKey {
    let pointer: OpaquePointer

    /// Reads the first private key of a text; nil where there is none, or where it has a password.
    init?(pem: [UInt8]) {
        let found = unsafe withMemory(pem) { memory in
            // Refuse a key with a password, for which OpenSSL would ask on the terminal.
            unsafe PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let found = unsafe found else { return nil }
        unsafe pointer = found
    }

    deinit { unsafe EVP_PKEY_free(pointer) }
}

/// Lends bytes to OpenSSL's readers, and forgets the errors that they leave on this thread.
func withMemory<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result) -> Result {
    defer { ERR_clear_error() }
    return unsafe bytes.withUnsafeBytes { buffer in
        guard let memory = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else {
            fatalError("OpenSSL has no memory")
        }
        defer { unsafe BIO_free(memory) }
        return unsafe body(memory)
    }
}
