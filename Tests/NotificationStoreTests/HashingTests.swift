internal import BelfryHashing
internal import Testing

@testable internal import NotificationStore

@Suite("Digests and codes")
struct HashingTests {
    @Test(
        "A digest is that of the standard, in whatever parts the bytes come",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func digest(text: String, expected: String) {
        let bytes = Array(text.utf8)
        #expect(SHA256.digest(of: bytes.span).hexadecimal == expected)
        let hash = SHA256()
        for byte in bytes { hash.update([byte].span) }
        #expect(hash.finish().hexadecimal == expected)
    }

    // The second and the sixth case of RFC 4231.
    @Test(
        "A code is that of the standard, and of nothing else",
        arguments: [
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
    )
    func code(key: [UInt8], text: String, expected: String) {
        let message = Array(text.utf8)
        let code = AuthenticationCode.code(of: message, key: key)
        #expect(code.hexadecimal == expected)
        #expect(AuthenticationCode.isCode(code, of: message, key: key))
        #expect(!AuthenticationCode.isCode(code, of: message + [0], key: key))
        #expect(!AuthenticationCode.isCode(code, of: message, key: key + [1]))
        #expect(!AuthenticationCode.isCode(code + [0], of: message, key: key))
        #expect(!AuthenticationCode.isCode(code.dropLast(), of: message, key: key))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!AuthenticationCode.isCode(other, of: message, key: key))
        }
    }
}
