internal import Glibc

/// What becomes of a command that reads a file which is damaged so badly that it cannot go on.
///
/// A store is read through a map of its file: what was cut off, or what the disk cannot read, comes
/// as a signal and not as an error, and LMDB trusts what is in its pages.
enum DamagedFile {
    /// From now on, such a signal ends the process with a sentence and the status 1.
    static func endInOrder() {
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            signal(number) { _ in
                // Only what a signal handler may do: a system call with constant bytes.
                let text: StaticString =
                    "belfry: the file is damaged and cannot be read: it was cut short, or worse\n"
                _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
                _exit(1)
            }
        }
    }
}
