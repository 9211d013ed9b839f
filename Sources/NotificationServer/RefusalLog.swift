internal import BelfryLocking
package import Logging
package import NotificationService

/// Logs calls that are refused because of who makes them: a few lines a second, however many calls
/// there are.
///
/// The calls are refused on polling threads, which must not wait for the log.
package final class RefusalLog: Sendable {
    private struct Line {
        let refusal: AccessRefusal
        let path: String
        let peer: String
    }

    private let lines: AsyncStream<Line>
    private let added: AsyncStream<Line>.Continuation
    /// The refusals that have no line.
    private let left = Guarded(0)

    /// How many lines wait at most.
    private static let waiting = 10
    private static let pause = Duration.milliseconds(100)

    /// Makes a log without lines.
    package init() {
        (lines, added) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waiting))
    }

    /// Takes a refusal.
    @Sendable
    package func add(_ refusal: AccessRefusal, _ path: String, _ peer: String) {
        let result = added.yield(Line(refusal: refusal, path: path, peer: peer))
        if case .dropped = result { left.withLock { $0 += 1 } }
    }

    /// Writes the lines, until the task is cancelled.
    package func write(to logger: Logger) -> Task<Void, Never> {
        Task {
            for await line in lines {
                let count = left.withLock { left in
                    defer { left = 0 }
                    return left
                }
                var metadata: Logger.Metadata = [
                    "reason": "\(line.refusal.reason)", "rpc": "\(line.path.onOneLine)",
                    "peer": "\(line.peer.onOneLine)",
                ]
                if count > 0 { metadata["refused_without_a_line"] = "\(count)" }
                logger.warning(
                    "refused a call: \(line.refusal.message.onOneLine)",
                    metadata: metadata
                )
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
