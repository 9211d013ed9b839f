internal import Foundation

/// Writes to standard output, so that a failure is told apart from that of a file.
enum StandardOutput {
    /// Why the output cannot be written.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Writes bytes at once.
    static func write(_ bytes: Data) throws(Problem) {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            throw Problem(description: "standard output: \(error.reason)")
        }
    }
}
