internal import ArgumentParser
internal import Foundation

/// The words of a command line, in which a word that begins with a hyphen and cannot be an option
/// is a value: '-5°C tonight', -33.9,18.4.
///
/// The parser takes every such word for options: one for each letter, of which -h prints the help.
/// A word that looks like an option, as -x and --tilte, stays one, since it may be mistyped.
struct CommandWords {
    private(set) var parsable: [String]
    /// An option that the command does not have, and that the parser would not name.
    private(set) var unknownOption: String?
    /// The first option that the command does not have, with the one that may be meant.
    private var undeclared: (option: String, meant: String?)?
    /// How to write the value that was taken for an option; nil where none was.
    private(set) var advice: String?

    /// Reads the words behind the program's name.
    init(_ words: [String]) {
        parsable = words
        // Skip words of a shell's script, which asks for completions this way.
        guard words.first?.hasPrefix("---completion") != true else { return }
        var command: any ParsableCommand.Type = Belfry.self
        var rest = words[...]
        var path: [String] = []
        while let next = command.configuration.subcommands.first(where: {
            $0._commandName == rest.first
        }) {
            command = next
            path.append(rest.removeFirst())
        }
        if let usual = command.configuration.defaultSubcommand {
            command = usual
            path.append(usual._commandName)
        }
        read(rest, of: command, path)
    }

    /// The first word that the program was given as other bytes than UTF-8, in which other
    /// characters stand for them; nil where there is none.
    static func wordThatIsNoText(among words: [String]) -> String? {
        guard words.contains(where: { $0.unicodeScalars.contains("\u{fffd}") }),
            let bytes = try? InputFile.read("/proc/self/cmdline")
        else { return nil }
        let word = bytes.split(separator: 0).first { String(validating: $0, as: UTF8.self) == nil }
        return word.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words with "help" in front as an option of the command that follows.
    static func askingForHelp(_ words: [String]) -> [String] {
        words.first == "help" ? words.drop { $0 == "help" } + ["--help"] : words
    }

    /// The parser's message, in which an option that the command does not have comes first: the
    /// parser reports other faults of the line before it.
    func namingUnknownOption(in message: String) -> String {
        guard let undeclared, !message.contains("Unknown option") else { return message }
        let meant = undeclared.meant.map { ". Did you mean '\($0)'?" } ?? ""
        // Leave out the help of the option that had the other fault.
        let rest = message.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("Help:") }
        let first = "Error: Unknown option '\(undeclared.option.printable)'\(meant)"
        return ([first] + rest.map(String.init)).joined(separator: "\n")
    }

    /// Whether the parser may take a word for what it is not; asking a command for its options
    /// takes longer than parsing.
    static func needReading(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { word in
            guard word.hasPrefix("-"), word != "-", word != "-h" else { return false }
            return !word.hasPrefix("--") || !looksLikeOption(word) || word.hasSuffix("=")
        }
    }

    private mutating func read(
        _ words: ArraySlice<String>,
        of command: any ParsableCommand.Type,
        _ path: [String]
    ) {
        let (declared, takesValues) = DeclaredOption.all(of: command)
        var rest = words
        var options: [String] = []
        var values: [String] = []
        var needsTerminator = false
        while let word = rest.popFirst() {
            guard word != "--" else {
                needsTerminator = true
                values += rest
                break
            }
            guard Self.looksLikeOption(word) else {
                needsTerminator = needsTerminator || word.hasPrefix("-") && word != "-"
                values.append(word)
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            guard let option = declared[name] else {
                options.append(word)
                if undeclared == nil, word.hasPrefix("--") {
                    undeclared = (name, Suggestion.nearest(to: name, among: Array(declared.keys)))
                }
                if takesValues { advise("-- before it, behind the options", insteadOf: word) }
                if !word.hasPrefix("--"), word.contains("h"), word != "-help" {
                    unknownOption = unknownOption ?? word
                }
                continue
            }
            guard option.takesValue else {
                options.append(word)
                continue
            }
            var value = word == name ? nil : String(word.dropFirst(name.count + 1))
            if value == nil, let next = rest.first, next != "--" {
                if option.takesAnything || !Self.looksLikeOption(next) {
                    value = rest.removeFirst()
                } else {
                    advise("\(name)=\(next)", insteadOf: next)
                }
            }
            // Split off an empty value: the parser reads "--body=" as an option without a value.
            options += value.map { $0.isEmpty ? [name, ""] : ["\(name)=\($0)"] } ?? [name]
            needsTerminator = needsTerminator || value == nil
        }
        parsable = path + options + (needsTerminator ? ["--"] : []) + values
    }

    private mutating func advise(_ writing: String, insteadOf word: String) {
        guard advice == nil else { return }
        advice = "If '\(word)' is a value, write \(writing).".printable
    }

    /// Whether a word is an option's name, perhaps with a value behind "=".
    private static func looksLikeOption(_ word: String) -> Bool {
        let name = word.utf8.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != UInt8(ascii: "=") }
        let hyphens = word.utf8.prefix { $0 == UInt8(ascii: "-") }.count
        guard (1...2).contains(hyphens), let first = name.first, isLetter(first) else {
            return false
        }
        return name.allSatisfy { byte in
            isLetter(byte) || byte == UInt8(ascii: "-")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

/// An option or a flag, as the parser describes it of a command.
private struct DeclaredOption: Decodable {
    let kind: String
    let parsingStrategy: String
    let names: [Name]?

    struct Name: Decodable {
        let kind: String
        let name: String
    }

    var takesValue: Bool { kind == "option" }
    /// Whether the next word is the value whatever it looks like.
    var takesAnything: Bool { parsingStrategy == "unconditional" }

    private struct Description: Decodable {
        let command: Command

        struct Command: Decodable {
            let arguments: [DeclaredOption]?
        }
    }

    /// The options and flags of a command by their names with the hyphens, and whether it takes
    /// values beside them.
    static func all(
        of command: any ParsableCommand.Type
    ) -> (options: [String: DeclaredOption], takesValues: Bool) {
        let text = Data(command._dumpHelp().utf8)
        let description = try? JSONDecoder().decode(Description.self, from: text)
        let arguments = description?.command.arguments ?? []
        var options: [String: DeclaredOption] = [:]
        for option in arguments {
            for name in option.names ?? [] {
                options[(name.kind == "long" ? "--" : "-") + name.name] = option
            }
        }
        // Add the flags that the parser has for every command.
        let flag = DeclaredOption(kind: "flag", parsingStrategy: "default", names: nil)
        for name in [
            "-h", "--help", "--help-hidden", "--version", "--experimental-dump-help",
            "--generate-completion-script",
        ] { options[name] = flag }
        return (options, arguments.contains { $0.kind == "positional" })
    }
}
