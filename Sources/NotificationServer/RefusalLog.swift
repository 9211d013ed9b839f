internal import BelfryLocking
package import Logging
package import NotificationService

/// Logs calls that are refused because of who makes them: one line a second for equal refusals,
/// with their number, and a few lines a second, however many calls there are.
///
/// The calls are refused on polling threads, which must not wait for the log.
package final class RefusalLog: Sendable {
    private struct Line: Hashable {
        let reason: String
        let message: String
        let path: String
        /// The caller's machine: each connection of it has another port.
        let host: String
    }

    private struct State {
        /// The lines that wait or were just written, with their refusals since then.
        ///
        /// Bounded: ``lineLimit``.
        var counts: [Line: Int] = [:]
        /// The refusals that have no line.
        var left = 0
        /// The last of them, which gets the next free place: the end of a burst is told too.
        var lastLeft: (line: Line, peer: String)?
    }

    private let lines: AsyncStream<(line: Line, peer: String)>
    private let added: AsyncStream<(line: Line, peer: String)>.Continuation
    private let state = Guarded(State())

    private static let lineLimit = 10
    private static let pause = Duration.milliseconds(100)
    /// As long as equal refusals are counted for one line.
    private static let gathering = Duration.seconds(1)

    /// Makes a log without lines.
    package init() {
        (lines, added) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    @Sendable
    package func add(_ refusal: AccessRefusal, _ path: String, _ peer: String) {
        let isOfPort = peer.hasPrefix("ipv4:") || peer.hasPrefix("ipv6:")
        let colon = isOfPort ? peer.utf8.lastIndex(of: UInt8(ascii: ":")) : nil
        let host = colon.map { String(peer[..<$0]) } ?? peer
        let line = Line(reason: refusal.reason, message: refusal.message, path: path, host: host)
        let isNew = state.withLock { state in
            if let count = state.counts[line] {
                state.counts[line] = count + 1
                return false
            }
            guard state.counts.count < Self.lineLimit else {
                state.left += 1
                state.lastLeft = (line, peer)
                return false
            }
            state.counts[line] = 1
            return true
        }
        if isNew { added.yield((line, peer)) }
    }

    /// Writes the lines, until the task is cancelled.
    package func write(to logger: Logger) -> Task<Void, Never> {
        Task {
            for await (line, peer) in lines {
                let (times, left) = state.withLock { state in
                    defer { (state.counts[line], state.left) = (0, 0) }
                    return (state.counts[line] ?? 0, state.left)
                }
                var metadata: Logger.Metadata = [
                    "reason": "\(line.reason)", "rpc": "\(line.path.onOneLine)",
                    "peer": "\(peer.onOneLine)",
                ]
                if times > 1 { metadata["times"] = "\(times)" }
                if left > 0 { metadata["refused_without_a_line"] = "\(left)" }
                logger.warning(
                    "refused a call: \(line.message.onOneLine)",
                    metadata: metadata
                )
                Task {
                    try? await Task.sleep(for: Self.gathering)
                    release(line, peer)
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Gives a line's place to another, or writes it again for the equal refusals since.
    private func release(_ line: Line, _ peer: String) {
        let next = state.withLock { state -> (Line, String)? in
            guard state.counts[line] == 0 else { return (line, peer) }
            state.counts[line] = nil
            guard let last = state.lastLeft, state.counts[last.line] == nil else { return nil }
            (state.counts[last.line], state.lastLeft) = (1, nil)
            state.left = max(0, state.left - 1)
            return last
        }
        if let next { added.yield(next) }
    }
}
