internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import Logging
internal import NotificationCore
internal import NotificationHTTP
internal import NotificationStore

/// `belfry serve`: runs the server until a signal stops it.
struct ServeCommand: AsyncParsableCommand {
    static let name = "serve"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Run the server.",
        discussion: """
            The store is one data directory, which only one server uses at a time. Other programs \
            of the same user reach the server over its unix socket; a TCP port is opened only if \
            --listen names it. SIGTERM and SIGINT stop the server in order; SIGHUP reads the \
            tokens again.

            Over a unix socket the programs of the server's own user may make every call, and \
            other users what --allow-uid lets them. Over TCP each call needs a token: the \
            server's own user finds one in \(OwnToken.path), which the server makes, or sets \
            BELFRY_TOKEN for server and clients; others get theirs from 'belfry token create'.

            The server ends with status 65 when the store is damaged, so that a supervisor need \
            not restart it; with 73 when the directory or an address cannot be opened; and with \
            74 when the store fails while it serves, as with a disk that does not write.

            Under systemd with Type=notify the server tells when it serves and when it stops, and \
            with WatchdogSec= that the store still writes.

            Each option is also a key of the JSON object in --config, such as {"listen": \
            ["tcp:127.0.0.1:0"], "insecure": false}, and a variable of the environment, such as \
            BELFRY_LISTEN, in which commas part several values. The command line counts more than \
            the environment, and that more than the file; of options that may be repeated all count.

            Logs go to standard error.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The directory of the store.",
            discussion: "The directory is made if it is missing.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var data: String = ServePaths.dataDirectory

    @Option(
        help: ArgumentHelp(
            "Read options from this file, a JSON object; also BELFRY_CONFIG.",
            valueName: "path"
        ),
        completion: .file()
    )
    var config: String?

    @Flag(help: "Say which options come from the file and the environment, and leave.")
    var checkConfig = false

    @OptionGroup var addresses: AddressOptions

    @OptionGroup var web: WebOptions

    @OptionGroup var access: AccessOptions

    @OptionGroup var life: LifeOptions

    @OptionGroup var behaviour: BehaviourOptions

    @OptionGroup var disk: DiskOptions

    @Option(
        help: ArgumentHelp(
            "Threads that poll gRPC; more than one helps on machines with many cores.",
            valueName: "count"
        )
    )
    var rpcThreads = 1

    @Option(
        help: ArgumentHelp(
            "How long a stop waits for open calls, such as 10s.",
            valueName: "duration"
        )
    )
    var stopTimeout: DurationArgument = DurationArgument(.seconds(10))

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard (1...64).contains(rpcThreads) else {
            throw ValidationError("--rpc-threads must be 1-64")
        }
        try addresses.validate(insecure: access.insecure)
        try web.validate(insecure: access.insecure)
        guard access.keys.tlsKey == nil else { return }
        for (option, usesTLS) in [("listen", addresses.usesTLS), ("http-listen", web.usesTLS)]
        where usesTLS {
            throw ValidationError("--\(option) tls: needs --tls-certificate and --tls-key")
        }
    }

    func run() async throws {
        guard !checkConfig else { return try printSettings() }
        let logger = log.logger
        do {
            try await ServerProcess(options: self, logger: logger).run()
        } catch let error as StoreError {
            logger.error("\(error)")
            throw error.isLasting ? ExitReason.badData.code : ExitReason.cannotOpen.code
        } catch let error as ServerError {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        } catch let error as KeyFiles.Problem {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        } catch let error as HTTPKeys.Problem {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        } catch let error as HTTPServer.Problem {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        } catch let error as PushCarrier.Problem {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        } catch let error as Readiness.Problem {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        } catch let error as TokenFile.Problem {
            logger.error("\(error)")
            throw ExitReason.cannotOpen.code
        }
    }
}

extension ServeCommand {
    /// Prints the options that do not come from the command line, which were parsed with it.
    private func printSettings() throws {
        let output = Output(isJSON: false, environment: ProcessInfo.processInfo.environment)
        let settings = ServeSettings.ofProgram?.all ?? []
        if let files = try KeyFiles(access.keys) {
            _ = try files.pair()
            _ = try files.authorities()
        }
        for setting in settings {
            try output.print("\(setting.argument.printable)  (\(setting.source.printable))")
        }
        try output.print("The configuration is valid.")
    }
}
