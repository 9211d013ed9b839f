internal import BelfryLocking
internal import Foundation
internal import Glibc
internal import Synchronization

/// Calls a function for each signal of a number until it is cancelled.
///
/// A handler writes the number into a pipe, where it stays until a thread has read it. That thread
/// takes the signals itself, since the threads of Dispatch block all signals. A signal source of
/// Dispatch loses signals on Linux: it takes none until a thread has made its descriptor, and hands
/// each to the thread that watched the descriptors a moment ago, which may have ended.
struct SignalSource {
    private let number: Int32

    private static let bodies = Guarded<[Int32: @Sendable () -> Void]>([:])
    /// The end of the pipe into which handlers write.
    private static let inlet = Atomic<Int32>(-1)
    /// Makes the pipe and its thread, once.
    private static let start: Void = {
        var ends: [Int32] = [-1, -1]
        let isMade = unsafe pipe(&ends) == 0
        precondition(isMade, "no pipe for signals: \(errno)")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler does not wait: of a full pipe the thread learns enough.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        inlet.store(ends[1], ordering: .sequentiallyConsistent)
        let outlet = ends[0]
        Thread.detachNewThread { tell(from: outlet) }
    }()

    private static func tell(from outlet: Int32) {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_UNBLOCK, &all, nil)
        var number: UInt8 = 0
        while true {
            // A signal that this thread takes interrupts the read.
            guard unsafe read(outlet, &number, 1) == 1 else { continue }
            let body = bodies.withLock { $0[Int32(number)] }
            body?()
        }
    }

    /// Whether the program was started with a signal ignored, as by nohup.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        let isKnown = unsafe sigaction(number, nil, &action) == 0
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return isKnown && handler == ignoring
    }

    /// Begins to take a signal, which has no other source; from now on none is lost.
    ///
    /// `body` is called on a thread that all signals share.
    init(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
        self.number = number
        Self.bodies.withLock { $0[number] = body }
        Self.start
        signal(number) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            let inlet = SignalSource.inlet.load(ordering: .sequentiallyConsistent)
            _ = unsafe write(inlet, &byte, 1)
            errno = before
        }
    }

    /// Ignores the signal from now on.
    func cancel() {
        signal(number, SIG_IGN)
        Self.bodies.withLock { $0[number] = nil }
    }
}
