/// Finds the address of the server that a program calls.
public enum ServerTarget {
    /// The name of the environment variable that names the server.
    public static let variable = "BELFRY_SERVER"

    /// Gives the target for a `Channel`, for example "unix:/run/user/1000/belfry/belfry.sock" or
    /// "localhost:7100".
    ///
    /// The target is `option`, else the variable `BELFRY_SERVER`, else
    /// ``defaultSocketPath(environment:userID:isDirectory:)``. An absolute path means the unix
    /// socket at that path, and "tcp:host:port", as `serve --listen` has it, means "host:port". The
    /// function does not check whether a server listens at the target.
    ///
    /// - Parameters:
    ///   - option: The target from the command line. An empty text counts as absent.
    ///   - environment: The program's environment.
    ///   - userID: The user of the program.
    ///   - isDirectory: Tells whether a path is a directory.
    /// - Returns: The target.
    public static func resolve(
        _ option: String?,
        environment: [String: String],
        userID: UInt32,
        isDirectory: (String) -> Bool
    ) -> String {
        for named in [option, environment[variable]] {
            guard let named, !named.isEmpty else { continue }
            // The server's own listeners are named with the prefix, which a channel does not know.
            for prefix in ["tcp:", "tls:"] where named.hasPrefix(prefix) {
                return bracketed(String(named.dropFirst(prefix.count)))
            }
            return named.hasPrefix("/") ? "unix:" + named : named
        }
        let path = defaultSocketPath(
            environment: environment,
            userID: userID,
            isDirectory: isDirectory
        )
        return "unix:" + path
    }

    /// An address in which a host of IPv6 stands in brackets, which the server's listeners do not
    /// need and channels do: "::1:50061" is "[::1]:50061".
    private static func bracketed(_ address: String) -> String {
        guard let colon = address.lastIndex(of: ":") else { return address }
        let host = address[..<colon]
        guard host.contains(":"), !host.hasPrefix("[") else { return address }
        return "[\(host)]\(address[colon...])"
    }

    /// Whether the option, else the variable `BELFRY_SERVER`, names a server with TLS, as in
    /// "tls:host:port".
    ///
    /// - Parameters:
    ///   - option: The target from the command line. An empty text counts as absent.
    ///   - environment: The program's environment.
    /// - Returns: Whether the channel needs TLS.
    public static func usesTLS(_ option: String?, environment: [String: String]) -> Bool {
        let named = [option, environment[variable]].compactMap(\.self).first { !$0.isEmpty }
        return named?.hasPrefix("tls:") ?? false
    }

    /// Gives the default path of the socket of a user's own server.
    ///
    /// The socket lies in the directory for the user's run-time files, which only the user may
    /// enter: `$XDG_RUNTIME_DIR/belfry`, else `/run/user/UID/belfry` where that user directory
    /// exists, else `/tmp/belfry-UID`.
    ///
    /// - Parameters:
    ///   - environment: The program's environment.
    ///   - userID: The user of the program.
    ///   - isDirectory: Tells whether a path is a directory.
    /// - Returns: An absolute path.
    public static func defaultSocketPath(
        environment: [String: String],
        userID: UInt32,
        isDirectory: (String) -> Bool
    ) -> String {
        // The XDG base directory specification says to ignore relative paths.
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            return runtime + "/belfry/belfry.sock"
        }
        let user = "/run/user/\(userID)"
        if isDirectory(user) { return user + "/belfry/belfry.sock" }
        return "/tmp/belfry-\(userID)/belfry.sock"
    }
}
