internal import CBelfryLinux
internal import Dispatch
internal import Glibc

struct ParentProcess {
    private let source: (any DispatchSourceRead)?

    /// Calls `ended` when the parent has ended, on a queue of the system.
    ///
    /// The signal that Linux offers for this is sent when the *thread* that started the process
    /// ends, and a program may start the server on a thread of its own.
    ///
    /// - Throws: ``Readiness/Problem`` where the parent is not seen from here, as that of the first
    ///   process of a container.
    init(ended: @escaping @Sendable () -> Void) throws(Readiness.Problem) {
        let parent = getppid()
        guard parent > 0 else {
            throw Readiness.Problem(
                description: "--exit-with-parent: the process that started the server is not seen"
            )
        }
        let descriptor = pidfd_open(parent, 0)
        // A parent that ends before this line has left this process to another one, whose end is
        // then waited for. Its number may meanwhile name a process that began later.
        guard descriptor >= 0, getppid() == parent else {
            if descriptor >= 0 { close(descriptor) }
            source = nil
            ended()
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            source.cancel()
            ended()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.source = source
    }

    /// Waits for the parent no longer.
    func forget() { source?.cancel() }
}
