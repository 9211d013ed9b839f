internal import Glibc

/// The CPU time that this program has taken.
enum ProcessTime {
    /// The time so far, of all threads.
    static var now: Duration {
        // POSIX counts a million a second on every machine.
        .microseconds(clock())
    }
}
