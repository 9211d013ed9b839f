internal import CBelfryOpenSSL

/// HMAC with SHA-256: a code that nobody can make without the key.
///
/// Safety: the pointers that OpenSSL is lent are valid for the number of bytes that it is told, and
/// OpenSSL keeps none of them.
package enum AuthenticationCode {
    package static let byteCount = SHA256.byteCount

    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
            let made = unsafe HMAC(
                EVP_sha256(),
                key,
                Int32(key.count),
                message,
                message.count,
                code.baseAddress,
                nil
            )
            precondition(unsafe made != nil, "OpenSSL has no HMAC")
            count = byteCount
        }
    }

    /// Whether `code` is the code of `message`; the time of the comparison tells nothing about the
    /// code.
    package static func isCode(_ code: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        ConstantTime.isEqual(code, Self.code(of: message, key: key))
    }
}
