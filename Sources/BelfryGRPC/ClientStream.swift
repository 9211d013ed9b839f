internal import BelfryLocking
internal import CBelfryGRPC

/// One open streaming call, on the client.
///
/// A stream is thread-safe, for one sender and one reader at a time. Releasing the stream cancels
/// the call.
package final class ClientStream: Sendable {
    private let events: StreamEvents
    // The call lives no longer than its channel.
    private let channel: Channel

    init(_ events: StreamEvents, channel: Channel) {
        self.events = events
        self.channel = channel
    }

    deinit { events.cancel() }

    /// Sends a message and returns when flow control has admitted it.
    ///
    /// - Throws: A status if the call has ended; `next()` gives the server's status.
    /// - Precondition: No other send is outstanding, and sending has not been finished.
    package func send(_ message: [UInt8]) async throws(Status) {
        let isSent = await withTaskCancellationHandler {
            await withCheckedContinuation { events.send(message, waking: $0) }
        } onCancel: {
            events.cancel()
        }
        if !isSent { throw Status(code: .cancelled, message: "the call has ended") }
    }

    /// Tells the server that the client sends no more messages.
    ///
    /// Idempotent.
    package func finishSending() async {
        events.finishSending()
    }

    /// Waits for the next message; nil after the last message if the call ended with OK.
    ///
    /// - Throws: The server's status if it is not OK. Cancelling the task cancels the call.
    /// - Precondition: No other `next()` is waiting.
    package func next() async throws(Status) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { events.read(waking: $0) }
        } onCancel: {
            events.cancel()
        }
        return try result.get()
    }

    /// Cancels the call.
    ///
    /// Messages that the server sent and the client has not read are lost. Idempotent.
    package func cancel() {
        events.cancel()
    }
}

/// The state of a client stream.
///
/// The call keeps this object until the call has ended, so it is separate from the ``ClientStream``
/// that the caller holds.
final class StreamEvents: ClientCallReceiver {
    typealias Reader = CheckedContinuation<Result<[UInt8]?, Status>, Never>
    typealias Sender = CheckedContinuation<Bool, Never>

    private struct State {
        // The call is released with this object, and is usable until then.
        var call: cgrpc_client_call?
        var status: Status?
        var reader: Reader?
        var sender: Sender?
        var hasFinishedSending = false
    }

    private let state = Guarded(State())

    deinit {
        if let call = state.withLock({ $0.call }) { cgrpc_client_call_release(call) }
    }

    /// Takes ownership of the call's handle, before any operation.
    func started(_ call: cgrpc_client_call) {
        state.withLock { $0.call = call }
    }

    func send(_ message: [UInt8], waking sender: Sender) {
        let call = state.withLock { state -> cgrpc_client_call? in
            precondition(state.sender == nil, "a stream has one outstanding send at most")
            precondition(!state.hasFinishedSending, "sending has been finished")
            guard state.status == nil else { return nil }
            state.sender = sender
            return state.call
        }
        guard let call else { return sender.resume(returning: false) }
        unsafe message.withBytes { unsafe cgrpc_client_call_send(call, $0) }
    }

    func finishSending() {
        let call = state.withLock { state -> cgrpc_client_call? in
            guard !state.hasFinishedSending else { return nil }
            state.hasFinishedSending = true
            return state.call
        }
        if let call { cgrpc_client_call_send_end(call) }
    }

    func read(waking reader: Reader) {
        let (call, status) = state.withLock { state in
            precondition(state.reader == nil, "a stream has one reader at a time")
            if state.status == nil { state.reader = reader }
            return (state.call, state.status)
        }
        if let status {
            reader.resume(returning: status.code == .ok ? .success(nil) : .failure(status))
        } else if let call {
            cgrpc_client_call_read(call)
        }
    }

    func cancel() {
        if let call = state.withLock({ $0.call }) { cgrpc_client_call_cancel(call) }
    }

    func received(_ message: [UInt8]) {
        state.withLock { $0.reader.take() }?.resume(returning: .success(message))
    }

    func sent(success: Bool) {
        state.withLock { $0.sender.take() }?.resume(returning: success)
    }

    func ended(_ status: Status) {
        let (reader, sender) = state.withLock { state in
            state.status = status
            return (state.reader.take(), state.sender.take())
        }
        sender?.resume(returning: false)
        reader?.resume(returning: status.code == .ok ? .success(nil) : .failure(status))
    }
}
