internal import Foundation

/// Runs commands of the shell.
///
/// Foundation's `Process` keeps a part of itself to the end, which the leak check reports.
enum Shell {
    /// Runs a command in a directory: gives what it printed, or nil where it failed.
    static func output(of command: String, in directory: URL) -> Data? {
        let quoted = directory.path.replacing("'", with: #"'\''"#)
        guard let stream = unsafe popen("cd '\(quoted)' && \(command)", "r") else { return nil }
        let output = unsafe FileHandle(fileDescriptor: fileno(stream), closeOnDealloc: false)
        let bytes = output.readDataToEndOfFile()
        return unsafe pclose(stream) == 0 ? bytes : nil
    }
}
