internal import ArgumentParser

/// How a server tells the program that started it that it serves, and when it ends by itself.
struct LifeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write one JSON line to this open descriptor when the server serves.",
            discussion: """
                The line has the addresses, the process and the version: \
                {"addresses":["tcp:127.0.0.1:50061"],"health_addresses":[],\
                "http_addresses":[],"pid":7,"version":"0.1.0"}. Then the descriptor is closed.
                """,
            valueName: "number"
        )
    )
    var readyFd: Int32?

    @Option(
        help: ArgumentHelp(
            "Write the line of --ready-fd to this file when the server serves.",
            discussion: "The file appears with its whole content, and is removed at the stop.",
            valueName: "path"
        ),
        completion: .file()
    )
    var readyFile: String?

    @Flag(
        help: ArgumentHelp(
            "Stop in order when the process that started the server ends.",
            discussion: "So a server does not outlive a program that was killed."
        )
    )
    var exitWithParent = false

    @Option(
        help: ArgumentHelp(
            "Stop in order once nobody was connected for this long, such as 10m.",
            discussion: """
                While a notification is pending the server stays, since nobody else would deliver \
                it. With socket activation the next connection starts the server again.
                """,
            valueName: "duration"
        )
    )
    var exitWhenIdle: DurationArgument?

    func validate() throws {
        if let readyFd, readyFd < 3 {
            throw ValidationError("--ready-fd must be 3 or more: 0, 1 and 2 are the standard ones")
        }
        if let readyFile, readyFile.isEmpty {
            throw ValidationError("--ready-file must name a file")
        }
    }
}
