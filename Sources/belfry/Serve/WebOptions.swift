internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationHTTP

/// Where `belfry serve` answers HTTP, and which web pages may call it.
struct WebOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also answer HTTP/1.1 here: tcp:host:port. Repeatable.",
            discussion: """
                Each rpc is at /belfry.v1.SERVICE/METHOD, by the Connect protocol: a POST of JSON, \
                which curl and fetch can send. A POST of a text to /APP notifies as ntfy's clients \
                do. A browser gets the notification center at /: 'belfry open' prints a link that \
                signs in. /livez, /readyz and /metrics are for probes. Callers need the same \
                tokens as over gRPC.
                """,
            valueName: "address"
        )
    )
    var httpListen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "Let the web pages of an origin call, such as https://app.example.org. Repeatable.",
            discussion: "Otherwise the calls of every page are refused.",
            valueName: "origin"
        )
    )
    var httpAllowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Answer requests for this host too, beside localhost and the addresses. Repeatable.",
            discussion: """
                It is what clients name, without a port. Requests for other hosts are refused, \
                since a page can give its own name the address of this machine.
                """,
            valueName: "host"
        )
    )
    var httpAllowHost: [String] = []

    /// The server's options; nil where it answers no HTTP.
    var options: HTTPOptions? {
        guard !httpListen.isEmpty else { return nil }
        let addresses = httpListen.compactMap { address -> HTTPOptions.Address? in
            guard case .tcp(let host, let port) = address.listener else { return nil }
            return HTTPOptions.Address(host: host, port: port)
        }
        var options = HTTPOptions(addresses: addresses)
        options.allowedOrigins = httpAllowOrigin
        options.allowedHosts = httpAllowHost
        return options
    }

    func validate() throws {
        for address in httpListen {
            guard case .tcp = address.listener else {
                throw ValidationError("--http-listen \(address): HTTP is answered at tcp: alone")
            }
        }
        for origin in httpAllowOrigin where !Self.isOrigin(origin) {
            throw ValidationError(
                """
                --http-allow-origin '\(origin.printable)' is no origin: https://host or \
                https://host:port, without a slash behind it
                """
            )
        }
    }

    /// Refuses HTTP addresses that other machines reach, unless every program may make every call.
    func validate(insecure: Bool) throws {
        for address in httpListen where !insecure && !address.isOnThisMachine {
            throw ValidationError(
                """
                --http-listen \(address) is reachable from other machines, and tokens would be \
                readable on the way: put a proxy with TLS in front of a local address, or say \
                --insecure
                """
            )
        }
    }

    private static func isOrigin(_ text: String) -> Bool {
        let host = text.dropping("https://") ?? text.dropping("http://")
        return host.map { !$0.isEmpty && !$0.contains("/") && !$0.contains("*") } ?? false
    }
}

extension HTTPOptions.Address {
    /// The address as a browser of this machine visits it.
    var visitedURL: String {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: url
        }
    }

    /// The address as clients write it.
    var url: String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
}
