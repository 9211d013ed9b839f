internal import ArgumentParser
internal import Foundation

/// `belfry open`: prints a link to the page of the user's own server.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Print a link that opens the notification center in a browser.",
        discussion: """
            The server needs --http-listen. The link signs a browser in as yourself: it counts \
            once, and for \(SignInCode.seconds / 60) minutes. The browser then stays signed in for \
            30 days, or until the server stops.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where the server answers HTTP, such as http://127.0.0.1:50080.",
            discussion: "Default: where your own server says that it does.",
            valueName: "url"
        )
    )
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The device that the page shows first.",
            discussion: "Default: $BELFRY_DEVICE, else the server's local device.",
            valueName: "id"
        )
    )
    var device: String?

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let output = Output(isJSON: false, environment: environment)
        let link: String
        do throws(TokenFile.Problem) {
            let base = try PageAddress.named(url)
            guard let token = try OwnToken.ofPerson(environment: environment) else {
                throw .notFound("there is no token of yours: \(OwnToken.path) is missing")
            }
            let code = try SignInCode.make(for: token)
            let device = device ?? environment["BELFRY_DEVICE"]
            link = SignInCode.link(to: base, code: code, device: device)
        } catch {
            output.complain(error.description)
            throw error.exitReason.code
        }
        try output.print(link)
    }
}
