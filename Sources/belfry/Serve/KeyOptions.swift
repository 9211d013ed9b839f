internal import ArgumentParser
internal import NotificationCore
internal import NotificationService

/// The keys of `belfry serve` for listeners with TLS, and the clients that they let in.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificates of tls: addresses, in PEM, the server's own first.",
            discussion: """
                This file and that of --tls-key are read again when they change. A pair that does \
                not fit is not taken: the old one is used on, and the log says why.
                """,
            valueName: "path"
        ),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The private key of --tls-certificate, in PEM.", valueName: "path"),
        completion: .file()
    )
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Trust the clients' certificates that are signed by one of this file, in PEM.",
            discussion: """
                What such a client may do, --allow-certificate says. Over HTTP clients show tokens \
                alone.
                """,
            valueName: "path"
        ),
        completion: .file()
    )
    var tlsClientCa: String?

    @Option(
        help: ArgumentHelp(
            "Let a client with a certificate call over TLS: NAME, or NAME=ROLE. Repeatable.",
            discussion: """
                The name is the first alternative name in the certificate, else its common name. \
                Without a role the client is an app. \(RoleHelp.text)
                """,
            valueName: "name"
        ),
        transform: CertificateRight.init
    )
    var allowCertificate: [CertificateRight] = []

    /// The rights of clients, by the names in their certificates.
    var certificates: [ExactText: AccessRights] {
        var rights: [ExactText: AccessRights] = [:]
        for right in allowCertificate {
            let name = ExactText(right.name)
            rights[name] = AccessRights((rights[name]?.grants ?? []) + [right.grant])
        }
        return rights
    }

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key need each other")
        }
        guard tlsClientCa == nil || tlsKey != nil else {
            throw ValidationError("--tls-client-ca needs --tls-certificate and --tls-key")
        }
        guard allowCertificate.isEmpty || tlsClientCa != nil else {
            throw ValidationError("--allow-certificate needs --tls-client-ca")
        }
    }
}

/// A value of `--allow-certificate`.
struct CertificateRight {
    let name: String
    let grant: AccessGrant

    init(_ argument: String) throws {
        // A name may have "=" in it, and a role has none: "CN=x=app" is the name "CN=x".
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            name = argument
            grant = AccessGrant(.app)
            return
        }
        name = parts.dropLast().joined(separator: "=")
        grant = try RoleArgument.parse(String(parts[parts.count - 1]))
        guard !name.isEmpty else {
            throw ValidationError("'\(argument.printable)' has no name before the role")
        }
    }
}
