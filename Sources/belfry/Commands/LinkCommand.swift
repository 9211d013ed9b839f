internal import ArgumentParser
internal import Foundation
internal import NotificationService

/// `belfry link`: prints a link to the page of the user's server, for the person of one device.
struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Print a link that opens one device in another person's browser.",
        discussion: """
            It makes a token with the role device:DEVICE and no other, which 'belfry token' lists \
            and revokes. The link signs a browser in with it: it counts once, and for \
            \(SignInCode.seconds / 60) minutes.
            """
    )

    @Option(help: ArgumentHelp("The device that the person sees.", valueName: "id"))
    var device: String

    @Option(
        help: ArgumentHelp(
            "How long the person stays signed in, such as 10m.",
            valueName: "duration"
        )
    )
    var expires = DurationArgument(.seconds(30 * 24 * 3_600))

    @Option(
        help: ArgumentHelp(
            "Where the server answers HTTP, as the person's browser names it.",
            discussion: "Default: where your own server says that it does.",
            valueName: "url"
        )
    )
    var url: String?

    @OptionGroup var file: TokenFileOptions

    func validate() throws {
        guard AccessGrant("device:\(device)") != nil, !device.hasSuffix("*") else {
            throw ValidationError("--device '\(device.printable)' is no name of a device.")
        }
        if expires.duration < .seconds(1) {
            throw ValidationError("--expires must be 1s or longer: the token would never count.")
        }
    }

    func run() throws {
        guard let grant = AccessGrant("device:\(device)") else { return }
        try file.run { file, output in
            let base = try PageAddress.named(url)
            let name = String("page of \(device)".prefix(64))
            let (text, entry) = try file.create(name, [grant], seconds: expires.seconds)
            let code = try SignInCode.make(for: text)
            let link = SignInCode.link(to: base, code: code, device: device)
            guard !output.isJSON else {
                return try output.print(json: ["link": link, "id": entry.identifier])
            }
            output.note("The token \(entry.identifier) is that of the link:")
            try output.print(link)
        }
    }
}
