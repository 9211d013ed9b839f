internal import CBelfryOpenSSL

/// The SHA-256 of bytes that come in parts.
///
/// OpenSSL computes it, which gRPC brings anyway.
///
/// Safety: `context` is made by `init` and freed by `deinit`. It is private and the class is not
/// Sendable, so that one thread at a time uses it. The pointers that OpenSSL is lent are valid for
/// the number of bytes that it is told, and OpenSSL keeps none of them.
@safe
package final class SHA256 {
    package static let byteCount = 32

    private let context: OpaquePointer

    /// Begins a digest of no bytes.
    package init() {
        guard let context = unsafe EVP_MD_CTX_new(),
            unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { fatalError("OpenSSL has no SHA-256") }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    package func update(_ bytes: Span<UInt8>) {
        let isAdded = unsafe bytes.withUnsafeBytes { bytes in
            unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        }
        precondition(isAdded, "a digest takes bytes until it is finished")
    }

    /// Gives the digest of all bytes; nothing is added after it.
    package func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            let isGiven = unsafe EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1
            precondition(isGiven, "a digest is finished once")
            count = Self.byteCount
        }
    }

    package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
        let hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}
