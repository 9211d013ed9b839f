internal import BelfryLocking

/// The delegate of a stream whose request waits to be read: it keeps the stream's callbacks for the
/// delegate that the handler makes, which gets them one at a time.
final class UnreadStream: ServerStreamDelegate {
    private enum Callback {
        case sent
        case ended(cancelled: Bool)
    }

    private struct State {
        /// The handler's delegate, once it has got the callbacks that came before it.
        var delegate: (any ServerStreamDelegate)?
        /// The callbacks until then.
        ///
        /// Bounded: one send is outstanding, and the end comes once.
        var kept: [Callback] = []
        var hasEnded = false
    }

    private let state = Guarded(State())

    /// Has `handler` read the request, unless the stream has ended.
    func open(_ handler: () -> any ServerStreamDelegate) {
        guard !state.withLock({ $0.hasEnded }) else { return }
        let delegate = handler()
        while let callback = nextKept(for: delegate) { Self.give(callback, to: delegate) }
    }

    /// The next callback that was kept; where there is none, `delegate` gets the later ones at
    /// once.
    private func nextKept(for delegate: any ServerStreamDelegate) -> Callback? {
        state.withLock { state in
            guard state.kept.isEmpty else { return state.kept.removeFirst() }
            state.delegate = delegate
            return nil
        }
    }

    private static func give(_ callback: Callback, to delegate: any ServerStreamDelegate) {
        switch callback {
        case .sent: delegate.sent()
        case .ended(let cancelled): delegate.ended(cancelled: cancelled)
        }
    }

    private func got(_ callback: Callback) {
        let delegate = state.withLock { state in
            if case .ended = callback { state.hasEnded = true }
            if state.delegate == nil { state.kept.append(callback) }
            return state.delegate
        }
        if let delegate { Self.give(callback, to: delegate) }
    }

    // A server stream has one message, which the handler gets.
    func received(_ message: RawSpan) {}
    func receivedEnd() {}
    func sent() { got(.sent) }
    func ended(cancelled: Bool) { got(.ended(cancelled: cancelled)) }
}
