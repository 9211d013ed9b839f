internal import CBelfryOpenSSL

/// A certificate in memory.
///
/// Safety: as ``PrivateKey``.
@safe
final class Certificate {
    private let pointer: OpaquePointer

    private static let secondsInDay = 86_400
    /// More certificates are no chain.
    private static let limit = 16

    private init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe X509_free(pointer) }

    /// Reads all certificates of a text, in order.
    ///
    /// - Throws: ``KeyPair/Problem/unreadable(certificate:)`` for one that cannot be read.
    static func all(in pem: [UInt8]) throws(KeyPair.Problem) -> [Certificate] {
        guard pem.count <= KeyPair.byteLimit else { throw .noCertificate }
        var found: [Certificate] = []
        let isWhole = unsafe withMemory(pem) { memory in
            while found.count < limit, let next = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
                unsafe found.append(Certificate(next))
            }
            // The end of the text is reported as an error, too: any other one is a failure.
            return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        }
        guard isWhole else { throw .unreadable(certificate: found.count + 1) }
        return found
    }

    func hasKey(_ key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    /// Whether the certificate's owner signed another certificate.
    func signed(_ other: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard unsafe X509_check_issued(pointer, other.pointer) == X509_V_OK,
            let key = unsafe X509_get0_pubkey(pointer)
        else { return false }
        return unsafe X509_verify(other.pointer, key) == 1
    }

    /// The seconds until the certificate begins to count; negative after it.
    var secondsUntilBeginning: Int { unsafe Self.seconds(until: X509_get0_notBefore(pointer)) }

    /// The seconds until it expires; negative after it.
    var secondsUntilEnd: Int { unsafe Self.seconds(until: X509_get0_notAfter(pointer)) }

    private static func seconds(until time: UnsafePointer<ASN1_TIME>?) -> Int {
        var (days, seconds): (Int32, Int32) = (0, 0)
        guard unsafe ASN1_TIME_diff(&days, &seconds, nil, time) == 1 else { return .min }
        return Int(days) * secondsInDay + Int(seconds)
    }
}
