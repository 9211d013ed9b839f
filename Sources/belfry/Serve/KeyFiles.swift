internal import BelfryCertificates

/// The files of the options of TLS, as they were read.
struct KeyFiles: Equatable {
    /// Why the files cannot be taken.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let certificate: File
    private let key: File
    private let clientRoots: File?

    private struct File: Equatable {
        let path: String
        let text: [UInt8]

        init(_ path: String) throws(Problem) {
            self.path = path
            do throws(RegularFile.Problem) {
                // Read one byte more than allowed, which tells a file that is too long.
                text = try RegularFile.read(path, upToCount: KeyPair.byteLimit + 1)
            } catch {
                throw Problem(description: error.description)
            }
        }
    }

    /// Reads the files; nil where the options name none.
    init?(_ options: KeyOptions) throws(Problem) {
        guard let certificate = options.tlsCertificate, let key = options.tlsKey else { return nil }
        self.certificate = try File(certificate)
        self.key = try File(key)
        clientRoots = if let path = options.tlsClientCa { try File(path) } else { nil }
    }

    /// Checks the server's key and its certificates.
    func pair() throws(Problem) -> KeyPair {
        do {
            return try KeyPair(key: key.text, certificates: certificate.text)
        } catch {
            throw Problem(description: "\(certificate.path) and \(key.path): \(error)")
        }
    }

    /// Checks the certificates of who signs those of clients; nil where the options name none.
    func authorities() throws(Problem) -> Authorities? {
        guard let clientRoots else { return nil }
        do {
            return try Authorities(clientRoots.text)
        } catch {
            throw Problem(description: "\(clientRoots.path): \(error)")
        }
    }
}
