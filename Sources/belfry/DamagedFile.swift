internal import Glibc
internal import NotificationStore
internal import Synchronization

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

    /// The data directory, open, as a handler can use it.
    private static let directory = Atomic<Int32>(-1)

    /// Called once the store is open: from now on, only a signal that the map causes is reported as
    /// damage of the file.
    ///
    /// LMDB may follow a damaged page to nowhere, too: so a note is left, with which the next start
    /// checks the file.
    static func isOpen(in path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        directory.store(descriptor, ordering: .sequentiallyConsistent)
        // Make the value now: a handler must not be the first to use it.
        _ = Store.crashNoteName
        signal(SIGABRT, SIG_DFL)
        signal(SIGSEGV) { number in
            DamagedFile.leaveNote()
            signal(number, SIG_DFL)
            raise(number)
        }
        signal(SIGBUS) { _ in
            DamagedFile.leaveNote()
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

    /// Has the next start check the whole file.
    static func leaveNote() {
        let directory = directory.load(ordering: .sequentiallyConsistent)
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC
        _ = unsafe Store.crashNoteName.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) {
            unsafe openat(directory, $0, flags, 0o600)
        }
    }

    /// Writes constant bytes with one system call, as a signal handler may.
    private static func tell(_ text: StaticString) {
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
