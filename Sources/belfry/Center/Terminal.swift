internal import Foundation
internal import Glibc

/// A terminal that shows one screen and gives every key to the program, until it is restored.
struct Terminal {
    /// Why the terminal cannot be used.
    struct Failure: Error, CustomStringConvertible {
        let errorNumber: Int32

        var description: String { "the terminal does not take it (errno \(errorNumber))" }
    }

    /// How long to wait for the rest of a sequence after its escape.
    private static let escapeMilliseconds: Int32 = 30

    // The settings of the terminal before the program changed them.
    private let found: termios

    /// Whether standard input and output are a terminal that can move its cursor.
    static func isThere(environment: [String: String]) -> Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    }

    /// The number of rows and columns; nil when standard output is not a terminal.
    static var size: (rows: Int, columns: Int)? {
        var size = winsize()
        let result = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        guard result == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Takes over the terminal: keys arrive at once and are not echoed, and the alternate screen is
    /// shown.
    init() throws {
        var mode = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &mode) == 0 else { throw Failure(errorNumber: errno) }
        found = mode
        unsafe cfmakeraw(&mode)
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode) == 0 else {
            throw Failure(errorNumber: errno)
        }
        do {
            // Show the alternate screen without a cursor, and without a line break after a line
            // that is too long.
            try Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        } catch {
            restore()
            throw error
        }
    }

    func restore() {
        // Ignore a failure: when the terminal is closed, there is nothing to restore.
        try? Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var mode = found
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
    }

    /// Gives the typed bytes; an empty array at the end of the input.
    static func read() -> [UInt8] {
        var bytes = readOnce()
        // Read on behind an escape: bytes that follow it at once belong to its sequence; a single
        // escape is the escape key.
        if bytes.last == 0x1B {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&input, 1, escapeMilliseconds) > 0 { bytes += readOnce() }
        }
        return bytes
    }

    private static func readOnce() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 1_024) { buffer, count in
            repeat {
                count = unsafe Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            count = max(0, count)
        }
    }

    /// Writes the lines that differ from the lines on the screen.
    static func draw(_ lines: [String], over before: [String]) throws {
        var text = ""
        for (row, line) in lines.enumerated() where row >= before.count || before[row] != line {
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)"
        }
        if lines.count < before.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[0J" }
        if !text.isEmpty { try write(text) }
    }

    private static func write(_ text: String) throws {
        try StandardOutput.write(Data(text.utf8))
    }
}

extension Terminal {
    /// Ends the program when nobody reads its standard output any more.
    ///
    /// A reader such as `head -1` may leave after the last line that is there. A command that
    /// learns of it by writing would wait for the next event, which may never come.
    static func endWithTheReader() {
        Thread.detachNewThread {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
            // Other files never report it. The program ends as a write would end it.
            if output.revents & Int16(POLLERR) != 0 { raise(SIGPIPE) }
        }
    }
}
