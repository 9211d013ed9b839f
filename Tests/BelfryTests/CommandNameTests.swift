internal import ArgumentParser
internal import Testing

@testable internal import belfry

struct CommandNameTests {
    /// A command and all that are below it.
    private static func commands(
        from root: any ParsableCommand.Type
    ) -> [any ParsableCommand.Type] {
        [root] + root.configuration.subcommands.flatMap(commands)
    }

    @Test("Every command names itself: the parser's search for a name slows each start")
    func names() {
        let commands = Self.commands(from: Belfry.self)
        #expect(commands.count > 70)
        for command in commands { #expect(command.configuration.commandName != nil, "\(command)") }
    }
}
