internal import BelfryLocking
internal import CBelfryLinux
internal import Glibc

/// A thread of the system: LMDB's write lock is owned by a thread, and a sync blocks the thread.
///
/// Swift's own tasks move between threads, so the writer and the readers have threads of their own.
package final class SystemThread: Sendable {
    private let handle: Guarded<pthread_t?>

    /// Starts a thread that runs `body` and ends.
    ///
    /// - Parameters:
    ///   - name: What `top -H` and a profile show, at most 15 bytes.
    ///   - niceness: How far the thread stands back where processors are short, from 0 to 19.
    ///   - body: What it does.
    package init(
        named name: String,
        niceness: Int32 = 0,
        _ body: @escaping @Sendable () -> Void
    ) {
        let start = unsafe Unmanaged.passRetained(
            Start {
                // On Linux this is of the calling thread alone.
                if niceness > 0 { _ = nice(niceness) }
                body()
            }
        )
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                start.body()
                return nil
            },
            unsafe start.toOpaque()
        )
        precondition(code == 0, "no thread could be started (errno \(code))")
        _ = unsafe pthread_setname_np(thread, name)
        handle = Guarded(thread)
    }

    /// Waits until the thread has ended; call it once.
    package func join() {
        let thread = handle.withLock { handle in handle.take() }
        guard let thread else { preconditionFailure("a thread was joined twice") }
        pthread_join(thread, nil)
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
