internal import ArgumentParser
internal import Foundation

/// A text of the command line that may come from standard input.
enum InputText {
    /// More than any text of a notification may have.
    private static let limit = 1 << 20

    /// Gives an argument; for "-" what standard input has, without a newline at its end.
    static func argument(_ argument: String) throws -> String {
        guard argument == "-" else { return argument }
        let data = try FileHandle.standardInput.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else { throw ValidationError("standard input is above 1 MiB") }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw ValidationError("standard input is no text in UTF-8")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
