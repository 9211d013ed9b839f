/// Certificates of authorities that sign others' certificates, which were checked: each can be
/// read.
package struct Authorities: Sendable {
    /// The certificates as one text.
    package let pem: [UInt8]

    /// Checks certificates.
    ///
    /// - Parameter pem: PEM with at least one certificate.
    /// - Throws: ``KeyPair/Problem``, the first that is found.
    package init(_ pem: [UInt8]) throws(KeyPair.Problem) {
        guard try !Certificate.all(in: pem).isEmpty else { throw .noCertificate }
        self.pem = pem
    }
}
