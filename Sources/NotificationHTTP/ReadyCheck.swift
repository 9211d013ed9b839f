internal import BelfryLocking
internal import Faults
internal import NIOCore

/// Asks for probes whether the store takes writes.
///
/// There is one question at a time for all probes, so that a writer that does not answer is not
/// asked by each, and each probe has its answer in time.
final class ReadyCheck: Sendable {
    private struct State {
        var isAsking = false
        var last: UInt64 = 0
        /// The probes that wait for the answer.
        ///
        /// Bounded: one for each connection.
        var probes: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Guarded(State())
    private let isReady: @Sendable () async -> Bool

    init(_ isReady: @escaping @Sendable () async -> Bool) { self.isReady = isReady }

    /// Whether the store takes writes; false where it does not answer in so many seconds.
    func answer(within seconds: Int64, on loop: any EventLoop) async -> Bool {
        var deadline: Scheduled<Void>?
        defer { deadline?.cancel() }
        return await withCheckedContinuation { probe in
            let (number, asks) = state.withLock { state in
                defer { state.isAsking = true }
                state.last += 1
                state.probes[state.last] = probe
                return (state.last, !state.isAsking)
            }
            let seconds = Fault.probeWaitsForTheWriter.isPlanted ? seconds * 100 : seconds
            deadline = loop.scheduleTask(in: .seconds(seconds)) { [self] in
                state.withLock { $0.probes.removeValue(forKey: number) }?.resume(returning: false)
            }
            guard asks else { return }
            Task { [self] in
                let isReady = await isReady()
                let probes = state.withLock { state in
                    defer { (state.isAsking, state.probes) = (false, [:]) }
                    return state.probes.values
                }
                for probe in probes { probe.resume(returning: isReady) }
            }
        }
    }
}
