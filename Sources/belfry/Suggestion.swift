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
        if let form = form(of: lines[0]) { lines[0] += ": write \(form)" }
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

    /// A word that is in a command's place and is none.
    private struct Unknown {
        let word: String
        /// The words of the command before it.
        let path: [String]
        /// The commands that could be in its place.
        let names: [String]
    }

    private static func unknown(in arguments: [String]) -> Unknown? {
        var command: any ParsableCommand.Type = Belfry.self
        var path = [Belfry._commandName]
        for argument in arguments {
            let commands = command.configuration.subcommands
            guard let next = commands.first(where: { $0._commandName == argument }) else {
                // An option's value may stand next, and behind a command without commands of its
                // own values follow.
                guard !argument.hasPrefix("-"), !commands.isEmpty else { return nil }
                return Unknown(
                    word: argument,
                    path: path,
                    names: commands.map { $0._commandName }
                )
            }
            command = next
            path.append(argument)
        }
        return nil
    }

    /// The first word that is in a command's place and is none; nil where there is none.
    static func unknownCommand(in arguments: [String]) -> String? { unknown(in: arguments)?.word }

    /// The command that the first word may mean where it is none, as "belfry device lock", or else
    /// the list of commands.
    private static func command(in arguments: [String]) -> String? {
        guard let unknown = unknown(in: arguments) else { return nil }
        let isFirst = unknown.path.count == 1
        let other = isFirst ? otherWords[unknown.word] : nil
        if let meant = nearest(to: unknown.word, among: unknown.names) ?? other {
            return meaning((unknown.path + [meant]).joined(separator: " "))
        }
        let there = isFirst ? "see 'belfry --help'" : unknown.names.joined(separator: ", ")
        return "The commands of '\(unknown.path.joined(separator: " "))': \(there)."
    }

    /// How to write a value, by the name that the help gives it: of these the parser says only that
    /// a value is invalid.
    private static let forms = [
        "address": "tcp:127.0.0.1:50051, tls:HOST:PORT, or unix:/PATH for calls of gRPC",
        "clock": "system, manual, or manual=2026-01-01T00:00:00Z",
        "count": "a whole number",
        "day": "monday",
        "duration": "90s, 10min, 1.5h, 1h30m, 2d or P1DT2H",
        "id": "the number that the list has",
        "mix": "add=80,fire=10,remove=10",
        "number": "a number",
        "part": "a number from 0 to 1",
        "size": "64MiB or 10GiB",
        "time": "22:00",
        "values": "in-flight=1,16,64 or rate=1000,2000",
    ]

    /// How to write a value, from the parser's "The value 'a' is invalid for '--b <name>'".
    private static func form(of line: String) -> String? {
        guard line.contains("' is invalid for '"), line.hasSuffix(">'"),
            let start = line.lastIndex(of: "<")
        else { return nil }
        return forms[String(line[line.index(after: start)...].dropLast(2))]
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
