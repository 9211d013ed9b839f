internal import Foundation

/// Reads files that the person names: also pipes, such as a shell's `<(…)`.
enum InputFile {
    /// More than any file that a command takes.
    private static let limit = 1 << 28

    /// Reads a file to its end; "-" is standard input.
    ///
    /// - Throws: What the system reports, or ``TextProblem`` where the file has more than 256 MiB.
    static func read(_ path: String) throws -> Data {
        let file =
            path == "-"
            ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let bytes = try file.read(upToCount: limit + 1) ?? Data()
        guard bytes.count <= limit else { throw TextProblem("it has more than 256 MiB") }
        return bytes
    }

    /// Reads a file of text to its end; "-" is standard input.
    ///
    /// - Throws: As ``read(_:)``, and ``TextProblem`` where the file is not UTF-8.
    static func text(_ path: String) throws -> String {
        guard let text = String(bytes: try read(path), encoding: .utf8) else {
            throw TextProblem("it is no text in UTF-8")
        }
        return text
    }
}
