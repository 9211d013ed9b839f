internal import Glibc

/// What becomes of a process that reads a file which is damaged so badly that it cannot go on.
///
/// A store is read through a map of its file: what was cut off, or what the disk cannot read, comes
/// as a signal and not as an error, and LMDB trusts what is in its pages.
enum DamagedFile {
    /// From now on, such a signal ends a command with a sentence and the status 1.
    static func endInOrder() {
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            signal(number) { _ in
                DamagedFile.tell(
                    "belfry: the file is damaged and cannot be read: it was cut short, or worse\n"
                )
                _exit(1)
            }
        }
    }

    /// From now on, such a signal ends the server with what to do, and a status of its own.
    static func endServerInOrder() {
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            signal(number) { _ in
                DamagedFile.tell(
                    """
                    belfry: the store's file is damaged and cannot be read: it was cut short, or \
                    worse. 'belfry check' tells more, and 'belfry restore --replace' puts a backup \
                    in its place

                    """
                )
                _exit(65)
            }
        }
    }

    /// The store is open: only what its map alone causes is laid to the file from now on.
    static func isOpen() {
        for number in [SIGSEGV, SIGABRT] { signal(number, SIG_DFL) }
    }

    /// Only what a signal handler may do: a system call with constant bytes.
    private static func tell(_ text: StaticString) {
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
