internal import BelfryHashing
internal import CBelfryOpenSSL

/// A key pair on the curve P-256: it signs (ES256), and agrees with another on a secret (ECDH).
///
/// Safety: each object of OpenSSL is freed by the function that makes it, and each pointer that
/// OpenSSL is lent is valid for the number of bytes that it is told; OpenSSL keeps none.
package struct CurveKey: Sendable {
    /// The private part, which is kept secret: a number with 32 bytes.
    package let scalar: [UInt8]
    /// The public part: a point without compression.
    package let point: [UInt8]

    package static let scalarByteCount = 32
    package static let pointByteCount = 65

    /// The number of the curve's points: a scalar is below it.
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63,
        0x25, 0x51,
    ]
    /// The bytes before the scalar in the DER of RFC 5915, which has no public key here.
    private static let privateHead: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
    /// The bytes after it: the name of the curve.
    private static let privateTail: [UInt8] = [
        0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ]
    /// The bytes before the point in the DER of RFC 5480.
    private static let publicHead: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
        0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// A new key.
    package init() {
        // A random number is no scalar once in four billion times.
        while true {
            if let key = Self(scalar: Self.random(count: Self.scalarByteCount)) {
                self = key
                return
            }
        }
    }

    /// The key that a secret always gives.
    package init(secret: [UInt8]) {
        // A code is no scalar once in four billion times.
        for round in 0...UInt8.max {
            let code = AuthenticationCode.code(of: Array("web push".utf8) + [round], key: secret)
            if let key = Self(scalar: code) {
                self = key
                return
            }
        }
        preconditionFailure("no code of a secret is a scalar")
    }

    /// The key with a scalar; nil where the number is zero, or not below the curve's order.
    package init?(scalar: [UInt8]) {
        guard scalar.count == Self.scalarByteCount, scalar.contains(where: { $0 != 0 }),
            scalar.lexicographicallyPrecedes(Self.order)
        else { return nil }
        self.scalar = scalar
        point = unsafe Self.withPrivateKey(scalar) { key in
            var written: UnsafeMutablePointer<UInt8>?
            let count = unsafe Int(i2d_PUBKEY(key, &written))
            guard let bytes = unsafe written, count == Self.publicHead.count + Self.pointByteCount
            else { fatalError("OpenSSL has no curve P-256") }
            defer { unsafe CRYPTO_free(bytes, nil, 0) }
            return unsafe Array(
                UnsafeBufferPointer(start: bytes, count: count).suffix(Self.pointByteCount)
            )
        }
    }

    /// Whether bytes are a point of the curve, without compression.
    package static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard let key = unsafe publicKey(bytes) else { return false }
        unsafe EVP_PKEY_free(key)
        return true
    }

    /// The secret that this key shares with the owner of another; nil where `point` is no point of
    /// the curve.
    package func secret(with point: [UInt8]) -> [UInt8]? {
        guard let other = unsafe Self.publicKey(point) else { return nil }
        defer { unsafe EVP_PKEY_free(other) }
        return unsafe Self.withPrivateKey(scalar) { key in
            guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else {
                fatalError("OpenSSL has no memory")
            }
            defer {
                unsafe EVP_PKEY_CTX_free(context)
                ERR_clear_error()
            }
            var secret = [UInt8](repeating: 0, count: Self.scalarByteCount)
            var count = secret.count
            guard unsafe EVP_PKEY_derive_init(context) == 1,
                unsafe EVP_PKEY_derive_set_peer(context, other) == 1,
                unsafe EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count
            else { return nil }
            return secret
        }
    }

    /// The signature of a message as a JSON Web Signature has it: two numbers of 32 bytes each.
    package func signature(of message: [UInt8]) -> [UInt8] {
        unsafe Self.withPrivateKey(scalar) { key in
            guard let context = unsafe EVP_MD_CTX_new() else {
                fatalError("OpenSSL has no memory")
            }
            defer { unsafe EVP_MD_CTX_free(context) }
            var der = [UInt8](repeating: 0, count: 80)
            var count = der.count
            guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
                unsafe EVP_DigestSign(context, &der, &count, message, message.count) == 1
            else { fatalError("OpenSSL does not sign") }
            return Self.numbers(der, count: count)
        }
    }

    /// Random bytes for keys and salts.
    static func random(count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            let made = unsafe RAND_priv_bytes(buffer.baseAddress, Int32(count))
            precondition(made == 1, "OpenSSL has no random numbers")
            written = count
        }
    }

    /// Reads the two numbers of a signature in DER.
    private static func numbers(_ der: [UInt8], count: Int) -> [UInt8] {
        unsafe der.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            guard let signature = unsafe d2i_ECDSA_SIG(nil, &next, count) else {
                fatalError("OpenSSL cannot read its own signature")
            }
            defer { unsafe ECDSA_SIG_free(signature) }
            var numbers = [UInt8](repeating: 0, count: 2 * scalarByteCount)
            unsafe numbers.withUnsafeMutableBufferPointer { numbers in
                let size = Int32(scalarByteCount)
                guard let first = numbers.baseAddress else { return }
                unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), first, size)
                unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), first + scalarByteCount, size)
            }
            return numbers
        }
    }

    private static func publicKey(_ point: [UInt8]) -> OpaquePointer? {
        // OpenSSL would read a compressed point too, which no browser sends.
        guard point.count == pointByteCount, point[0] == 4 else { return nil }
        defer { ERR_clear_error() }
        return unsafe (publicHead + point).withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, buffer.count)
        }
    }

    private static func withPrivateKey<Result>(
        _ scalar: [UInt8],
        _ body: (OpaquePointer) -> Result
    ) -> Result {
        let der = privateHead + scalar + privateTail
        let key = unsafe der.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_PrivateKey(NID_X9_62_id_ecPublicKey, nil, &next, buffer.count)
        }
        guard let key = unsafe key else { fatalError("OpenSSL has no curve P-256") }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe body(key)
    }
}
