/// The push services to which the server may send.
package struct PushServices: Sendable {
    enum Place { case service, loopback }

    private var hosts: Set<HostName> = []
    private var domains: [HostName] = []
    private var loopback: (host: HostName, port: UInt16)?

    /// Those of the browsers: Chrome and what is made from it, Firefox, Safari, and Edge.
    ///
    /// `*.` is any name below a domain.
    package static let ofBrowsers = [
        "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com",
        "*.notify.windows.com",
    ]

    /// The services with names of hosts, or `*.` and a domain with at least two labels; nil where
    /// one is neither.
    ///
    /// `loopback` is the host and the port of a service on this machine, for tests:
    /// `localhost:8443`. Nothing else allows an address of this machine.
    package init?(_ services: [String] = ofBrowsers, loopback: String? = nil) {
        for service in services {
            let isDomain = service.utf8.starts(with: "*.".utf8)
            guard let name = HostName(service.utf8.dropFirst(isDomain ? 2 : 0)),
                name.text.utf8.contains(UInt8(ascii: "."))
            else { return nil }
            if isDomain { domains.append(name) } else { hosts.insert(name) }
        }
        guard let loopback else { return }
        let parts = Array(loopback.utf8).split(
            separator: UInt8(ascii: ":"),
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let host = HostName(parts[0]),
            let port = PushEndpoint.port(parts[1])
        else { return nil }
        self.loopback = (host, port)
    }

    func place(of host: HostName, port: UInt16) -> Place? {
        if let loopback, loopback == (host, port) { return .loopback }
        let isAllowed = hosts.contains(host) || domains.contains(where: host.isBelow)
        return isAllowed && port == PushEndpoint.httpsPort ? .service : nil
    }
}
