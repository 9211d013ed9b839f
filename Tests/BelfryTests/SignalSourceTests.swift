internal import Foundation
internal import Glibc
internal import Testing

@testable internal import belfry

@Suite("Signals that end a program or have it look again", .serialized, .timeLimit(.minutes(5)))
struct SignalSourceTests {
    @Test("One that comes at once is told, also of the second source of a number")
    func early() async {
        for _ in 0..<20 {
            let (signals, signal) = AsyncStream<Void>.makeStream()
            let source = SignalSource(SIGUSR1) { signal.yield() }
            kill(getpid(), SIGUSR1)
            for await _ in signals { break }
            source.cancel()
            // It is ignored now, and does not end the process.
            kill(getpid(), SIGUSR1)
        }
    }

    @Test("Each is told that comes after the one before was told")
    func many() async {
        let (signals, signal) = AsyncStream<Void>.makeStream()
        let source = SignalSource(SIGUSR2) { signal.yield() }
        var told = signals.makeAsyncIterator()
        for _ in 0..<500 {
            Thread.detachNewThread { kill(getpid(), SIGUSR2) }
            await told.next()
        }
        source.cancel()
    }
}
