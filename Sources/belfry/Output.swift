internal import BelfryGRPC
internal import Foundation
internal import NotificationClient
internal import SwiftProtobuf

/// Where a command's output goes: a person's terminal, a pipe, or a script that reads JSON.
struct Output {
    /// Whether to print JSON.
    let isJSON: Bool
    /// How standard output is coloured.
    let style: Style
    /// How standard error is coloured.
    private let errorStyle: Style

    /// Looks at where standard output and standard error go.
    init(isJSON: Bool, environment: [String: String]) {
        self.isJSON = isJSON
        style = Style(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
        errorStyle = Style(isTerminal: isatty(STDERR_FILENO) == 1, environment: environment)
    }

    /// Prints one line at once, so that a pipe sees events as they happen.
    func print(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Prints a message as JSON on one line.
    func print(json message: some Message) throws {
        var options = JSONEncodingOptions()
        options.alwaysPrintInt64sAsNumbers = true
        options.preserveProtoFieldNames = true
        options.useDeterministicOrdering = true
        try print(message.jsonString(options: options))
    }

    /// Prints names and values as a JSON object on one line.
    func print(json object: [String: Any]) throws {
        let data = try JSONSerialization.data(
            withJSONObject: object,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        try print(String(decoding: data, as: UTF8.self))
    }

    /// Prints a table, or a sentence where it is empty.
    func print(_ table: Table, whenEmpty sentence: String) throws {
        guard !table.isEmpty else {
            note(sentence)
            return
        }
        for line in table.lines(style) { try print(line) }
    }

    /// Tells a person something beside the output, on standard error.
    func note(_ text: String) {
        guard !isJSON else { return }
        write(errorStyle.apply(.dim, to: text.printable))
    }

    /// Tells of a refusal on standard error: the sentence, each field, and what to do about it.
    func complain(_ error: ClientError, target: String) {
        let sentence =
            switch error.code {
            case .unavailable: "no server answers at \(target)"
            case .deadlineExceeded: "the server did not answer in time"
            default: error.message.isEmpty ? "the server refused" : error.message
            }
        complain(error, sentence: sentence)
        if let hint = hint(for: error) { write("  " + hint) }
    }

    /// Tells of the refusal of one request of a file, counted from 0.
    func complain(_ error: ClientError, place: Int) {
        complain(error, sentence: "requests[\(place)]: \(error.message)")
    }

    /// Tells of what went wrong without a server, on standard error.
    func complain(_ sentence: String) {
        write("\(errorStyle.apply(.red, to: "belfry:")) \(sentence.printable)")
    }

    private func complain(_ error: ClientError, sentence: String) {
        let names = [error.code.name, error.reason].filter { !$0.isEmpty }.joined(separator: ", ")
        let prefix = errorStyle.apply(.red, to: "belfry:")
        write("\(prefix) \(sentence.printable) \(errorStyle.apply(.dim, to: "(\(names))"))")
        for field in error.fields {
            write("  \(field.path): \(field.explanation)".printable)
        }
    }

    private func hint(for error: ClientError) -> String? {
        switch error.reason {
        case "APP_NOT_REGISTERED", "NOTIFICATIONS_NOT_ALLOWED":
            "Ask for permission with 'belfry authorize'."
        case "LIST_TOO_LARGE": "List in another order with '--order identifier'."
        default:
            switch error.code {
            case .unavailable: "Start one with 'belfry serve', or name one with --server."
            case .deadlineExceeded: "Whether a change was made is unknown. See --timeout."
            default: error.retryDelay.map { "Try again in \(DurationText.format($0))." }
            }
        }
    }

    private func write(_ line: String) {
        // Nothing is left to do when standard error is gone.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
