internal import BelfryLocking
internal import NIOSSL

/// The key and the certificates that encrypted addresses show, which can change while they are
/// used: a connection has those of its beginning.
package final class HTTPKeys: Sendable {
    /// Why a key and certificates cannot be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    private let current: Guarded<NIOSSLContext>

    /// Takes a key and certificates.
    ///
    /// - Parameter pem: PEM with the private key and its certificates, the server's own first.
    /// - Throws: ``Problem``, where TLS cannot use them.
    package init(_ pem: [UInt8]) throws(Problem) {
        current = Guarded(try Self.context(pem))
    }

    /// Takes others for the connections that begin from now on.
    ///
    /// - Throws: ``Problem``, where TLS cannot use them: those of before stay.
    package func replace(by pem: [UInt8]) throws(Problem) {
        let context = try Self.context(pem)
        current.withLock { $0 = context }
    }

    /// Makes the handler that encrypts a connection from its beginning.
    func handler() -> NIOSSLServerHandler {
        NIOSSLServerHandler(context: current.withLock { $0 })
    }

    private static func context(_ pem: [UInt8]) throws(Problem) -> NIOSSLContext {
        do {
            let key = try NIOSSLPrivateKey(bytes: pem, format: .pem)
            let chain = try NIOSSLCertificate.fromPEMBytes(pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw Problem(description: "HTTP cannot use the key and the certificates: \(error)")
        }
    }
}
