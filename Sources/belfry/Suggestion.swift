internal import ArgumentParser
internal import Foundation

/// Suggests the command or value that a mistyped word may mean; the parser itself does so for
/// options.
enum Suggestion {
    /// No name is longer, and the distance of two texts takes the product of their lengths.
    private static let lengthLimit = 64

    /// The parser's message on a wrong command line, with what was meant at the end of its first
    /// line, where that can be told.
    static func added(to message: String, of arguments: [String]) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
        lines[0] = withoutFarOption(lines[0])
        if let advice = command(in: arguments) ?? value(in: message).map({ meaning($0) }) {
            lines[0] += (lines[0].hasSuffix(".") ? " " : ". ") + advice
        }
        return lines.joined(separator: "\n")
    }

    private static func meaning(_ meant: String) -> String { "Did you mean '\(meant)'?" }

    /// The parser's line without the option that it suggests, where that has hardly a letter in
    /// common with the one that was written.
    private static func withoutFarOption(_ line: String) -> String {
        guard let start = line.range(of: " Did you mean '--") else { return line }
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { return line }
        let (written, suggested) = (String(parts[1].dropFirst(2)), String(parts[3].dropFirst(2)))
        guard nearest(to: written, among: [suggested]) == nil else { return line }
        return String(line[..<start.lowerBound])
    }

    /// Words of other programs for what a command of this one does.
    private static let otherWords = [
        "list": "pending", "ls": "pending", "show": "delivered", "notify": "add", "send": "add",
        "schedule": "add", "new": "add", "delete": "remove", "rm": "remove", "start": "serve",
        "server": "serve", "subscribe": "watch", "listen": "watch", "publish": "push",
    ]

    /// The command that the first word may mean where it is none, as "belfry device lock", or else
    /// the list of commands.
    private static func command(in arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = Belfry.self
        var words = [Belfry._commandName]
        for argument in arguments {
            let commands = command.configuration.subcommands
            guard let next = commands.first(where: { $0._commandName == argument }) else {
                // An option's value may stand next, and is no command.
                guard !argument.hasPrefix("-") else { return nil }
                // Stop behind a command without commands of its own: values follow.
                guard !commands.isEmpty else { return nil }
                let names = commands.map { $0._commandName }
                let other = words.count == 1 ? otherWords[argument] : nil
                if let meant = nearest(to: argument, among: names) ?? other {
                    return meaning((words + [meant]).joined(separator: " "))
                }
                let there = words.count == 1 ? "see 'belfry --help'" : names.joined(separator: ", ")
                return "The commands of '\(words.joined(separator: " "))': \(there)."
            }
            command = next
            words.append(argument)
        }
        return nil
    }

    /// The value that is meant by a wrong one, from the parser's "The value 'a' is invalid for
    /// '--b <b>'. Please provide one of 'c' or 'd'."
    private static func value(in message: String) -> String? {
        guard let line = message.split(separator: "\n").first, line.contains(" one of '") else {
            return nil
        }
        // Suggest nothing for a wrong value with quotes in it, which has other parts.
        let parts = line.split(separator: "'", omittingEmptySubsequences: false)
        let quoted = parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
        guard quoted.count > 2 else { return nil }
        return nearest(to: quoted[0], among: Array(quoted[2...]))
    }

    /// The name that differs from a word in few letters, or the only one that begins with it.
    static func nearest(to word: String, among names: [String]) -> String? {
        guard !word.isEmpty, word.count <= lengthLimit else { return nil }
        let near = names.map { (name: $0, distance: distance($0, word)) }
            .min { $0.distance < $1.distance }
        if let near, near.distance <= max(1, min(word.count, near.name.count) / 3) {
            return near.name
        }
        let begun = names.filter { $0.hasPrefix(word) }
        return begun.count == 1 ? begun[0] : nil
    }

    /// How many letters are to be put in, taken out, changed or swapped with the next.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one.lowercased())
        let other = Array(other.lowercased())
        var before: [Int] = []
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var next = [i + 1]
            for (j, against) in other.enumerated() {
                var least = min(row[j] + (letter == against ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == against {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
