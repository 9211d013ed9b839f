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
        /// Bounded: ``lineLimit``, and one for each reason.
        var counts: [Line: Int] = [:]
        /// The refusals that have no line.
        var left = 0
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

    /// Takes a refusal.
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
            // The first of a reason has a line however many others there are: reasons are few.
            guard state.counts.count < Self.lineLimit
                || !state.counts.keys.contains(where: { $0.reason == line.reason })
            else {
                state.left += 1
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
        let isAgain = state.withLock { state in
            guard state.counts[line] == 0 else { return true }
            state.counts[line] = nil
            return false
        }
        if isAgain { added.yield((line, peer)) }
    }
}
