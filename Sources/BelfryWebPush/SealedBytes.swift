internal import CBelfryOpenSSL

/// AES-128 in the Galois/counter mode.
///
/// Safety: the context is freed by the function that makes it, and each pointer that OpenSSL is
/// lent is valid for the number of bytes that it is told.
enum SealedBytes {
    static let keyByteCount = 16
    static let nonceByteCount = 12
    static let tagByteCount = 16

    /// Encrypts a text; its tag follows.
    static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
        guard let context = unsafe EVP_CIPHER_CTX_new() else { fatalError("OpenSSL has no memory") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: text.count)
        var tag = [UInt8](repeating: 0, count: tagByteCount)
        var (count, rest): (Int32, Int32) = (0, 0)
        let isSealed =
            unsafe EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
            && EVP_EncryptUpdate(context, &sealed, &count, text, Int32(text.count)) == 1
            && EVP_EncryptFinal_ex(context, &tag, &rest) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), &tag) == 1
        precondition(isSealed && Int(count) == text.count && rest == 0, "OpenSSL has no AES-128")
        return sealed + tag
    }
}
