internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Shows a device's notification center.
struct CenterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "center",
        abstract: "Show the device's notification center, live, and use it with the keyboard.",
        discussion: """
            It shows what the person would see: the lock, new banners, permission prompts, and the \
            notifications of all apps in groups, as the lock allows. It reconnects after a restart \
            of the server. When input or output is not a terminal, it prints the center once and \
            ends, as with --once; with --json it prints a DeviceSnapshot of belfry.v1.

            Keys:
            \(CenterKeys.lines(columns: 76).map { "  " + $0 }.joined(separator: "\n"))
            """
    )

    @Flag(help: "Print the center once, as text.")
    var once = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        try await client.run { session in
            // Fail at once where no server answers at the start, and do not wait.
            let dates = try await session.dates()
            let isLive = !once && !session.output.isJSON
            if isLive, Terminal.isThere(environment: environment) {
                var center = LiveCenter(
                    person: session.person,
                    output: session.output,
                    ahead: dates.now.timeIntervalSinceNow
                )
                try await center.run()
            } else {
                try await Self.print(session)
            }
        }
    }

    /// Prints the notification center once.
    private static func print(_ session: Session) async throws {
        var screen = CenterScreen()
        for try await frames in session.person.watch() {
            for frame in frames {
                if session.output.isJSON, case .snapshot(let part) = frame.kind {
                    try session.output.print(json: part)
                }
                _ = screen.apply(frame, at: Date())
            }
            if screen.connection == .live { break }
        }
        guard !session.output.isJSON else { return }
        let renderer = CenterRenderer(dates: try await session.dates())
        let page = renderer.page(screen, columns: Terminal.size?.columns)
        for line in page { try session.output.print(line.styled(session.output.style)) }
    }
}
