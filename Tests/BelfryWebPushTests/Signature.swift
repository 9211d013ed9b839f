internal import CBelfryOpenSSL

/// A signature with ES256, as OpenSSL reads it.
///
/// Safety: each object is freed by the function that makes it.
struct Signature {
    let numbers: [UInt8]

    /// Whether the owner of the key with a point made the signature for a message.
    func isOf(_ message: [UInt8], by point: [UInt8]) -> Bool {
        let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
            0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
        let key = unsafe (head + point).withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, buffer.count)
        }
        guard let key = unsafe key, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let der = Self.sequence(numbers.prefix(32), numbers.suffix(32))
        return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }

    private static func sequence(_ numbers: ArraySlice<UInt8>...) -> [UInt8] {
        let body = numbers.flatMap { number in
            let digits = Array(number.drop { $0 == 0 })
            let whole = (digits.first ?? 0x80) < 0x80 ? digits : [0] + digits
            return [2, UInt8(whole.count)] + whole
        }
        return [0x30, UInt8(body.count)] + body
    }
}
