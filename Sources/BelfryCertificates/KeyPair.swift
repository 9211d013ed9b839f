internal import CBelfryOpenSSL

/// A private key and the certificates that go with it, which were checked: the key is that of the
/// first certificate, each certificate is signed by the next, and the first counts now.
package struct KeyPair: Sendable {
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// The text has no private key that can be read without a password.
        case noKey
        case noCertificate
        /// A certificate cannot be read; the first has the number 1.
        case unreadable(certificate: Int)
        /// The key is not that of the first certificate.
        case otherKey
        /// A certificate is not signed by the next.
        case brokenChain(certificate: Int)
        /// The first certificate does not count yet.
        case tooEarly
        /// The first certificate has expired.
        case expired

        /// One line for a log.
        package var description: String {
            switch self {
            case .noKey: "there is no private key that can be read without a password"
            case .noCertificate: "there is no certificate"
            case .unreadable(let number): "certificate \(number) cannot be read"
            case .otherKey: "the key is not that of the first certificate"
            case .brokenChain(let number):
                "certificate \(number) is not signed by certificate \(number + 1)"
            case .tooEarly: "the first certificate does not count yet"
            case .expired: "the first certificate has expired"
            }
        }
    }

    /// The key and the certificates as one text.
    package let pem: [UInt8]
    /// The seconds until the first certificate expires.
    package let secondsLeft: Int

    /// Longer texts hold no key pair.
    package static let byteLimit = 1 << 20

    /// Checks a key and certificates.
    ///
    /// - Parameters:
    ///   - key: PEM with a private key.
    ///   - certificates: PEM with the server's certificate, and those of who signed it.
    /// - Throws: ``Problem``, the first that is found.
    package init(key: [UInt8], certificates: [UInt8]) throws(Problem) {
        guard key.count <= Self.byteLimit, let privateKey = PrivateKey(pem: key) else {
            throw .noKey
        }
        let chain = try Certificate.all(in: certificates)
        guard let first = chain.first else { throw .noCertificate }
        guard first.hasKey(privateKey) else { throw .otherKey }
        for number in chain.indices.dropLast() where !chain[number + 1].signed(chain[number]) {
            throw .brokenChain(certificate: number + 1)
        }
        guard first.secondsUntilBeginning <= 0 else { throw .tooEarly }
        guard first.secondsUntilEnd > 0 else { throw .expired }
        secondsLeft = first.secondsUntilEnd
        pem = key + [UInt8(ascii: "\n")] + certificates
    }
}
