internal import ArgumentParser
internal import Foundation
internal import Testing

@testable internal import belfry

/// Values that look like options, at every place of every command that takes a value.
struct CommandWordsTests {
    /// A command that takes values, as the parser describes it.
    struct Command: CustomTestStringConvertible {
        let path: [String]
        let arguments: [Declared]
        /// Its own options: those of the server are the same of all commands.
        var options: [String] {
            arguments.filter { $0.kind == "option" && $0.sectionTitle != "Server" }
                .compactMap { $0.preferredName.map { "--" + $0.name } }
        }
        var testDescription: String { path.joined(separator: " ") }
    }

    struct Declared: Decodable {
        let kind: String
        let sectionTitle: String?
        let preferredName: Name?

        struct Name: Decodable {
            let name: String
        }
    }

    private struct Description: Decodable {
        let command: Described

        struct Described: Decodable {
            let commandName: String
            let arguments: [Declared]?
            let subcommands: [Described]?

            /// The commands without other commands below them.
            func leaves(_ path: [String] = []) -> [Command] {
                guard let subcommands else {
                    return [Command(path: path, arguments: arguments ?? [])]
                }
                return subcommands.flatMap { $0.leaves(path + [$0.commandName]) }
            }
        }
    }

    private static let commands: [Command] = {
        let text = Data(Belfry._dumpHelp().utf8)
        let description = try? JSONDecoder().decode(Description.self, from: text)
        // The parser's own, which takes the names of commands.
        return description?.command.leaves().filter { $0.path != ["help"] } ?? []
    }()

    private static let values = [
        "-5°C tonight", "-h\u{301}", "-33.9,18.4,50m", "- h", "-7", "--- h", "--5h", "--title h",
        "-\nh", "--a\nb", "-=h",
    ]

    @Test("What cannot be an option is written so that it is a value", arguments: commands)
    func values(of command: Command) throws {
        for value in Self.values {
            let words = try Belfry.parsable(command.path + [value])
            #expect(words == command.path + ["--", value])
        }
        for value in Self.values {
            let words = try Belfry.parsable(command.path + command.options.flatMap { [$0, value] })
            #expect(words == command.path + command.options.map { "\($0)=\(value)" })
        }
        let empty = try Belfry.parsable(command.path + command.options.map { $0 + "=" })
        #expect(empty == command.path + command.options.flatMap { [$0, ""] })
    }

    @Test("The parser takes it for a value, and prints no help", arguments: commands)
    func parsed(command: Command) throws {
        let value = "-5°C tonight, with rain"
        for words in [[value]] + command.options.map({ [$0, value] }) {
            do {
                _ = try Belfry.parseAsRoot(Belfry.parsable(command.path + words))
            } catch {
                #expect(Belfry.exitCode(for: error) == .validationFailure, "\(words)")
                let message = Belfry.message(for: error)
                #expect(!message.contains("Unknown option"), "\(words): \(message)")
                let option = words.count > 1 ? words[0] : "none"
                #expect(!message.contains("Missing value for '\(option)"), "\(words)")
            }
        }
    }

    @Test("The commands and their options are found")
    func all() {
        #expect(Self.commands.count > 60)
        #expect(Self.commands.flatMap(\.options).count > 150)
    }

    @Test("Who writes a value wrongly is told how it is written", arguments: commands)
    func forms(command: Command) {
        for option in command.options {
            let words = command.path + [option, "?!"]
            do {
                _ = try Belfry.parseAsRoot(words)
            } catch {
                let told = Suggestion.added(to: Belfry.fullMessage(for: error), of: words)
                let line = told.split(separator: "\n").first ?? ""
                #expect(!line.contains("is invalid") || !line.hasSuffix(">'"), "\(line)")
            }
        }
    }

    @Test("An option that there is not is named first", arguments: commands)
    func unknownOption(command: Command) {
        let words = CommandWords(command.path + ["--hepl"])
        let told = words.namingUnknownOption(in: "Error: Say what.\nUsage: belfry")
        #expect(told == "Error: Unknown option '--hepl'. Did you mean '--help'?\nUsage: belfry")
        #expect(words.namingUnknownOption(in: "Error: Unknown option") == "Error: Unknown option")
    }

    @Test(
        "The help of a command that there is not is an error",
        arguments: [
            ["help", "bogus"], ["bogus", "--help"], ["bogus", "-h"], ["device", "bogus", "--help"],
        ]
    )
    func unknownHelp(words: [String]) {
        let words = CommandWords.askingForHelp(words)
        #expect(throws: ValidationError.self) { try Belfry.parsable(words) }
    }

    @Test("The help of a command is asked for in two ways", arguments: commands)
    func help(command: Command) throws {
        let words = CommandWords.askingForHelp(["help"] + command.path)
        #expect(try Belfry.parsable(words) == command.path + ["--help"])
        #expect(CommandWords.askingForHelp(["help", "help"]) == ["--help"])
    }
}
