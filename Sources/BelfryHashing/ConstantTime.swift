internal import CBelfryOpenSSL

/// Comparisons whose time tells nothing about the compared bytes.
package enum ConstantTime {
    /// Whether two arrays have equal bytes.
    ///
    /// Their lengths are no secret.
    package static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        // Safety: both arrays have as many bytes as are compared.
        return unsafe CRYPTO_memcmp(one, other, one.count) == 0
    }
}
