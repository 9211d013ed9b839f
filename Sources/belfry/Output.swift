internal import BelfryGRPC
internal import Foundation
internal import NotificationClient
internal import SwiftProtobuf

/// The output of a command, to a terminal, a pipe, or a script that reads JSON.
struct Output {
    let isJSON: Bool
    /// How standard output is coloured.
    let style: Style
    /// How standard error is coloured.
    private let errorStyle: Style

    /// Chooses colours by whether standard output and standard error are terminals.
    init(isJSON: Bool, environment: [String: String]) {
        self.isJSON = isJSON
        style = Style(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
        errorStyle = Style(isTerminal: isatty(STDERR_FILENO) == 1, environment: environment)
    }

    /// Prints one line at once, so that a pipe sees events as they happen.
    func print(_ line: String) throws {
        try StandardOutput.write(Data((line + "\n").utf8))
    }

    /// A message as JSON on one line that leaves nothing out, without characters that turn the
    /// direction of a terminal's text.
    static func json(_ message: some Message) throws -> String {
        try WholeJSON.shared.text(message).escapingDirections
    }

    /// Prints a message as JSON on one line.
    func print(json message: some Message) throws {
        try print(Self.json(message))
    }

    /// Prints names and values as a JSON object on one line.
    func print(json object: [String: Any]) throws {
        let data = try JSONSerialization.data(
            withJSONObject: object,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        try print(String(decoding: data, as: UTF8.self).escapingDirections)
    }

    func print(_ table: Table, whenEmpty sentence: String) throws {
        guard !table.isEmpty else {
            note(sentence)
            return
        }
        for line in table.lines(style) { try print(line) }
    }

    /// Prints a note for a person on standard error.
    func note(_ text: String) {
        guard !isJSON else { return }
        write(errorStyle.apply(.dim, to: text.printable))
    }

    /// Prints a refusal on standard error: the message, each field, and what to do.
    ///
    /// `center` is how the command line named the app and the device, such as " --app org.tea".
    func complain(_ error: ClientError, target: String, center: String) {
        let sentence =
            switch error.code {
            case .unavailable:
                ConnectionFault(error)?.sentence(target) ?? "no server answers at \(target)"
            case .deadlineExceeded: "the server did not answer in time"
            default: error.message.isEmpty ? "the server refused" : error.message
            }
        complain(error, sentence: sentence)
        if let hint = hint(for: error, target: target, center: center) { write("  " + hint) }
    }

    /// Prints the refusal of one request of a file, at a place of it, on standard error.
    func complain(_ error: ClientError, place: String) {
        complain(error, sentence: "\(place): \(error.message)")
    }

    /// Prints an error that did not come from a server on standard error.
    func complain(_ sentence: String) {
        write("\(errorStyle.apply(.red, to: "belfry:")) \(sentence.printable)")
    }

    private func complain(_ error: ClientError, sentence: String) {
        let names = [error.code.name, error.reason].filter { !$0.isEmpty }.joined(separator: ", ")
        let prefix = errorStyle.apply(.red, to: "belfry:")
        write("\(prefix) \(sentence.printable) \(errorStyle.apply(.dim, to: "(\(names))"))")
        for field in error.fields {
            let text = "\(field.path): \(field.explanation)"
            if !sentence.contains(text) { write("  \(text)".printable) }
        }
    }

    private func hint(for error: ClientError, target: String, center: String) -> String? {
        switch error.reason {
        case "APP_NOT_REGISTERED": "Ask for permission with 'belfry authorize\(center)'."
        case "NOTIFICATIONS_NOT_ALLOWED":
            switch error.metadata["missing"] {
            case "NOT_ASKED": "Ask for permission with 'belfry authorize\(center)'."
            case "NOT_ANSWERED":
                """
                The person answers in 'belfry center', or with 'belfry device answer \
                allow\(center)'.
                """
            case "DENIED":
                "The person allows it with 'belfry device settings\(center) --allow on'."
            case let setting?:
                Self.hint(for: Self.flag(ofSetting: setting), center)
            case nil: "The person changes it with 'belfry device settings\(center)'."
            }
        case "LOCATION_NOT_AUTHORIZED":
            "The person allows it with 'belfry device location --allow always'."
        case "TOKEN_REQUIRED":
            "Set BELFRY_TOKEN to what 'belfry token create' printed on the server's side."
        case "TOKEN_INVALID":
            "Make one with 'belfry token create' on the server's side, and set BELFRY_TOKEN to it."
        case "LIST_TOO_LARGE": "List in another order with '--order identifier'."
        default:
            switch error.code {
            case .unavailable where ConnectionFault(error) != nil: ConnectionFault(error)?.hint
            case .unavailable where !target.contains(":"):
                "Name a server as unix:/path/to.sock, tcp:host:port or tls:host:port."
            case .unavailable: "Start one with 'belfry serve', or name one with --server."
            case .deadlineExceeded: "Whether a change was made is unknown. See --timeout."
            default: error.retryDelay.map { "Try again in \(DurationText.format($0))." }
            }
        }
    }

    private static func hint(for flag: String, _ center: String) -> String {
        """
        Ask for it with 'belfry authorize\(center) \(flag)'; where the person turned it off, \
        'belfry device settings\(center) \(flag) on' turns it on.
        """
    }

    /// The flag of 'belfry authorize' for a setting, such as "badge_setting".
    private static func flag(ofSetting name: String) -> String {
        "--" + name.replacing("_setting", with: "").replacing("_", with: "-")
    }

    private func write(_ line: String) {
        // When standard error is closed, there is no place to report the failure.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

extension String {
    /// JSON in which the characters that turn the direction of text are escaped: in JSON they are
    /// only in texts.
    fileprivate var escapingDirections: String {
        guard unicodeScalars.contains(where: Self.turnsDirection) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if Self.turnsDirection(scalar) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
