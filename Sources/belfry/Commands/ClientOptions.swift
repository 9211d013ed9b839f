internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol

/// The options of all commands that call a server.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server: unix:/path/to.sock, tcp:host:port or tls:host:port.",
            discussion: "Default: $BELFRY_SERVER, else your own server's socket.",
            valueName: "target"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            "The bundle identifier of the app.",
            discussion: "Default: $BELFRY_APP, else org.belfry.cli.",
            valueName: "id"
        )
    )
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The identifier of the device.",
            discussion: "Default: $BELFRY_DEVICE, else the server's local device.",
            valueName: "id"
        )
    )
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Trust a server with TLS that is signed by one of this file, in PEM.",
            discussion: "Default: $BELFRY_TLS_CA, else those whom the system trusts.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tlsCa: String?

    @Option(
        help: ArgumentHelp(
            "Your certificate for a server with TLS, in PEM; also $BELFRY_TLS_CERTIFICATE.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp(
            "The private key of your certificate, in PEM; also $BELFRY_TLS_KEY.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tlsKey: String?

    @Flag(help: "Print one JSON object on each line, with the names of the .proto files.")
    var json = false

    @Option(
        help: ArgumentHelp("How long to wait for an answer.", valueName: "duration")
    )
    var timeout = DurationArgument(.seconds(10))
}

/// The clients of one channel, and the output of the command.
struct Session {
    let target: String
    let channel: Channel
    let center: Belfry_V1_Center
    let calls: CallOptions
    let output: Output

    /// The center that the options name.
    var notifications: NotificationCenterClient {
        NotificationCenterClient(channel: channel, center: center, options: calls)
    }

    /// The files of the app that the options name.
    var attachments: AttachmentClient {
        AttachmentClient(channel: channel, app: center.appID, options: calls)
    }

    var admin: AdminClient { AdminClient(channel: channel, options: calls) }

    var installation: InstallationClient { InstallationClient(channel: channel, options: calls) }

    /// The client of the device that the options name, which acts for its person.
    var person: DeviceClient {
        DeviceClient(channel: channel, device: center.deviceID, options: calls)
    }

    var server: ServerClient { ServerClient(channel: channel, options: calls) }
}

extension Session {
    /// The reason why the server at the default path may belong to another user; nil when the
    /// server was named.
    fileprivate var distrust: String? {
        guard target == "unix:" + ServePaths.socket else { return nil }
        return ServerTarget.distrust(ofSocket: ServePaths.socket, userID: getuid())
    }
}

extension ClientOptions {
    /// Runs `body` with a connection to the server, and ends the program when the server refuses a
    /// call.
    ///
    /// The refusal is printed on standard error, with its reason, its fields and, if known, what to
    /// do.
    func run(_ body: (Session) async throws -> Void) async throws {
        let session = try session(environment: ProcessInfo.processInfo.environment)
        if let distrust = session.distrust {
            session.output.complain(distrust)
            throw ExitReason.notPermitted.code
        }
        if ShellZone.current.kind == .unknown {
            session.output.note(ShellZone.current.problem + ": times are shown in UTC.")
        }
        defer { session.channel.close() }
        do {
            try await body(session)
        } catch let error as ClientError {
            session.output.complain(
                error.naming(Self.flag),
                target: session.target,
                center: centerArguments
            )
            throw ExitReason(error).code
        }
    }

    /// The options of the command line that name the app and the device, for another command.
    private var centerArguments: String {
        [("app", app), ("device", device)].map { name, value in
            value.map { " --\(name) \($0)" } ?? ""
        }.joined().printable
    }

    /// The option that set a field of a request; nil where it was none of these.
    private static func flag(ofField path: String) -> String? {
        switch path {
        case "center.app_id", "app_id": "--app"
        case "center.device_id", "device_id": "--device"
        default: nil
        }
    }

    private func session(environment: [String: String]) throws -> Session {
        let target = ServerTarget.resolve(
            server,
            environment: environment,
            userID: getuid(),
            isDirectory: ServePaths.isDirectory
        )
        var center = Belfry_V1_Center()
        center.appID = app ?? environment["BELFRY_APP"] ?? "org.belfry.cli"
        center.deviceID = device ?? environment["BELFRY_DEVICE"] ?? ""
        let output = Output(isJSON: json, environment: environment)
        let tls: Channel.TLS?
        do throws(ClientKeys.Problem) {
            let usesTLS = ServerTarget.usesTLS(server, environment: environment)
            tls = usesTLS ? try ClientKeys.tls(self, environment: environment) : nil
        } catch {
            output.complain(error.description)
            throw ExitReason.badData.code
        }
        let token: String?
        do throws(TokenFile.Problem) {
            // Leave out the owner's token: a caller with a certificate calls with that one's
            // rights, and needs to tell nobody the token.
            token =
                tls?.key != nil
                ? OwnToken.given(environment)
                : try OwnToken.ofClient(for: target, environment: environment)
        } catch {
            output.complain(error.description)
            throw ExitReason.notPermitted.code
        }
        var calls = CallOptions(timeout: timeout.duration, token: token)
        // Take the trace context from the environment, as traced programs pass it to those that
        // they start.
        calls.traceparent = environment["TRACEPARENT"]
        calls.tracestate = environment["TRACESTATE"]
        return Session(
            target: target,
            channel: Channel(target: target, tls: tls),
            center: center,
            calls: calls,
            output: output
        )
    }
}
