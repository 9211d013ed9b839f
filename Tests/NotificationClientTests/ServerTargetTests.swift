internal import NotificationClient
internal import Testing

struct ServerTargetTests {
    @Test(
        "The server is the option's, else the environment's",
        arguments: [
            ("unix:/a.sock", "unix:/b.sock", "unix:/a.sock"),
            ("localhost:7100", nil, "localhost:7100"),
            ("/a.sock", nil, "unix:/a.sock"),
            ("tcp:localhost:7100", nil, "localhost:7100"),
            ("tcp:[::1]:7100", nil, "[::1]:7100"),
            ("tcp:::1:7100", nil, "[::1]:7100"),
            ("tls:::1:7100", nil, "[::1]:7100"),
            ("", "/b.sock", "unix:/b.sock"),
            (nil, "unix:/b.sock", "unix:/b.sock"),
            (nil, "", "unix:/run/me/belfry/belfry.sock"),
        ] as [(String?, String?, String)]
    )
    func named(option: String?, variable: String?, target: String) {
        var environment = ["XDG_RUNTIME_DIR": "/run/me"]
        environment["BELFRY_SERVER"] = variable
        let resolved = ServerTarget.resolve(
            option,
            environment: environment,
            userID: 7,
            isDirectory: { _ in true }
        )
        #expect(resolved == target)
    }

    @Test(
        "The default socket lies in the user's run-time directory, as far as there is one",
        arguments: [
            ("/run/me", true, "/run/me/belfry/belfry.sock"),
            ("run/me", true, "/run/user/7/belfry/belfry.sock"),
            (nil, true, "/run/user/7/belfry/belfry.sock"),
            ("", false, "/tmp/belfry-7/belfry.sock"),
            (nil, false, "/tmp/belfry-7/belfry.sock"),
        ] as [(String?, Bool, String)]
    )
    func defaults(runtime: String?, hasDirectory: Bool, path: String) {
        var environment: [String: String] = [:]
        environment["XDG_RUNTIME_DIR"] = runtime
        let resolved = ServerTarget.defaultSocketPath(
            environment: environment,
            userID: 7,
            isDirectory: { $0 == "/run/user/7" && hasDirectory }
        )
        #expect(resolved == path)
    }
}
