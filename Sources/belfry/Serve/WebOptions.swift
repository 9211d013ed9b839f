internal import ArgumentParser
internal import BelfryGRPC
internal import BelfryWebPush
internal import NotificationHTTP

/// Where `belfry serve` answers HTTP, and which web pages may call it.
struct WebOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also answer HTTP/1.1 here: tcp:host:port or tls:host:port. Repeatable.",
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

    @Option(
        help: ArgumentHelp(
            "Tell browsers of alerts while no page is open, by Web Push.",
            discussion: """
                The contact is a mailto: or https: URI, which push services get with each message \
                for their questions. The page's settings then have a switch; the server calls the \
                push service of each browser that was switched on, which cannot read the messages.
                """,
            valueName: "contact"
        )
    )
    var webPush: String?

    @Option(
        help: ArgumentHelp(
            "Send to this push service too. Repeatable.",
            discussion: """
                A host, or *. and a domain, beside those of Chrome, Firefox, Safari and Edge. An \
                address of this machine or of a private network is never sent to.
                """,
            valueName: "host"
        )
    )
    var webPushService: [String] = []

    @Option(
        help: ArgumentHelp(
            "For tests: send to a push service on this machine: localhost:port=certificates.pem.",
            discussion: "It is known by one of these certificates alone, as is any other then.",
            visibility: .hidden
        )
    )
    var webPushTest: String?

    /// The push services that are sent to; nil where the options name none that can be.
    var pushServices: PushServices? {
        PushServices(PushServices.ofBrowsers + webPushService, loopback: testService?.place)
    }

    /// The push service of a test.
    var testService: (place: String, authorities: String)? {
        let parts = webPushTest?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    var usesTLS: Bool {
        httpListen.contains { if case .tls = $0.listener { true } else { false } }
    }

    /// The server's options; nil where it answers no HTTP.
    var options: HTTPOptions? {
        guard !httpListen.isEmpty else { return nil }
        let addresses = httpListen.compactMap { address -> HTTPOptions.Address? in
            switch address.listener {
            case .tcp(let host, let port):
                HTTPOptions.Address(host: host, port: port, isEncrypted: false)
            case .tls(let host, let port):
                HTTPOptions.Address(host: host, port: port, isEncrypted: true)
            case .unix, .inherited: nil
            }
        }
        var options = HTTPOptions(addresses: addresses)
        options.allowedOrigins = httpAllowOrigin
        options.allowedHosts = httpAllowHost
        return options
    }

    func validate() throws {
        try validatePush()
        for address in httpListen {
            switch address.listener {
            case .tcp, .tls: break
            case .unix, .inherited:
                throw ValidationError(
                    "--http-listen \(address): HTTP is answered at tcp: and tls: alone"
                )
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

    private func validatePush() throws {
        guard let webPush else {
            for (option, isNamed) in [
                ("service", !webPushService.isEmpty), ("test", webPushTest != nil),
            ] where isNamed {
                throw ValidationError("--web-push-\(option) needs --web-push")
            }
            return
        }
        guard !httpListen.isEmpty else {
            throw ValidationError("--web-push needs --http-listen, which has the page")
        }
        guard PushSender(key: CurveKey(), contact: webPush) != nil else {
            throw ValidationError(
                """
                --web-push '\(webPush.printable)' is no contact: mailto:you@example.org or an \
                https:// address
                """
            )
        }
        guard webPushTest == nil || testService != nil else {
            throw ValidationError("--web-push-test is localhost:port=certificates.pem")
        }
        guard pushServices != nil else {
            throw ValidationError(
                "--web-push-service is no host, such as push.example.org or *.push.example.org"
            )
        }
    }

    /// Refuses HTTP addresses that other machines reach, unless every program may make every call.
    func validate(insecure: Bool) throws {
        for address in httpListen where !insecure && !address.isOnThisMachine {
            if case .tls = address.listener { continue }
            throw ValidationError(
                """
                --http-listen \(address) is reachable from other machines, and tokens would be \
                readable on the way: say tls: instead of tcp:, put a proxy with TLS in front of a \
                local address, or say --insecure
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
        case "0.0.0.0": "\(scheme)://127.0.0.1:\(port)"
        case "::": "\(scheme)://[::1]:\(port)"
        default: url
        }
    }

    /// The address as clients write it.
    var url: String {
        host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }

    private var scheme: String { isEncrypted ? "https" : "http" }
}
