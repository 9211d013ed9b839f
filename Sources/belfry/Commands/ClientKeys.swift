internal import BelfryGRPC
internal import Foundation

/// The files of a client's TLS, from the options and the environment.
enum ClientKeys {
    /// Why a file cannot be used.
    struct Problem: Error {
        let description: String
    }

    /// Reads the files.
    static func tls(
        _ options: ClientOptions,
        environment: [String: String]
    ) throws(Problem) -> Channel.TLS {
        func path(_ option: String?, _ variable: String) -> String? {
            [option, environment[variable]].compactMap(\.self).first { !$0.isEmpty }
        }
        let certificate = path(options.tlsCertificate, "BELFRY_TLS_CERTIFICATE")
        let key = path(options.tlsKey, "BELFRY_TLS_KEY")
        guard (certificate == nil) == (key == nil) else {
            throw Problem(description: "a certificate and its key need each other")
        }
        var tls = Channel.TLS()
        if let path = path(options.tlsCa, "BELFRY_TLS_CA") { tls.roots = try text(path) }
        if let certificate, let key { tls.key = (try text(key), try text(certificate)) }
        return tls
    }

    private static func text(_ path: String) throws(Problem) -> String {
        do {
            return try InputFile.text(path)
        } catch {
            throw Problem(description: "\(path) cannot be read: \(error.reason)")
        }
    }
}
