internal import Glibc

/// Ends a process in order when its store's file is too damaged to be read.
///
/// A store is read through a memory map of its file. Reading a part that was cut off, or that the
/// disk cannot read, raises a signal and no error; and LMDB does not validate its pages.
enum DamagedFile {
    /// From now on, such a signal ends a command with a message and the status 1.
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

    /// From now on, such a signal ends the server with instructions and with a status of its own.
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

    /// Called once the store is open: from now on, only a signal that the map causes is reported as
    /// damage of the file.
    static func isOpen() {
        for number in [SIGSEGV, SIGABRT] { signal(number, SIG_DFL) }
    }

    /// Writes constant bytes with one system call, as a signal handler may.
    private static func tell(_ text: StaticString) {
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
