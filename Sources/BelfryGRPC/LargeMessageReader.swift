/// Has large messages read on another thread than the polling threads, since reading them takes
/// long, and a polling thread moves the bytes of every call.
///
/// The methods are safe on any thread.
package protocol LargeMessageReader: Sendable {
    /// Has `work` run once, when it is the caller's turn; does not block.
    ///
    /// - Returns: The status that refuses the call, whose work is then never run; nil otherwise.
    func read(
        ofBytes byteCount: Int,
        from caller: Caller,
        _ work: @escaping @Sendable () -> Void
    ) -> Status?

    /// Refuses further work, and waits until all work was run; a server calls it once its calls
    /// have ended.
    func stop()
}

extension Route {
    /// Gives the large message of a unary or server-streaming call to the call's handler in its
    /// turn, unless the call is over by then.
    func requested(_ call: CallHandle, large message: [UInt8], by reader: any LargeMessageReader) {
        let refusal: Status?
        switch handler {
        case .unary(let handler):
            // Keep the call until its turn, and ask now: the server learns from the first question
            // on that the client went.
            call.retain()
            _ = call.isCancelled
            refusal = reader.read(ofBytes: message.count, from: Caller(of: call)) {
                let waiting = ServerCall(retaining: call)
                call.release()
                if let status = call.statusOfEnd {
                    waiting.finish(status)
                } else {
                    unsafe handler(message.span.bytes, waiting)
                }
            }
            if let refusal {
                call.finish(refusal)
                call.release()
            }
        case .serverStream(let handler):
            let stream = ServerStream(retaining: call)
            let unread = UnreadStream()
            if case .grpc(let call) = call { OpenStream(stream, delegate: unread).attach(to: call) }
            refusal = reader.read(ofBytes: message.count, from: stream.caller) {
                unread.open { unsafe handler(message.span.bytes, stream) }
            }
            if let refusal { stream.finish(refusal) }
        case .messageStream:
            preconditionFailure("a message stream has no request message")
        }
    }
}

extension CallHandle {
    /// The status of a call that nobody waits for any more; nil for another call.
    fileprivate var statusOfEnd: Status? {
        if isCancelled { return Status(code: .cancelled, message: "the call was cancelled") }
        guard let remainingTime, remainingTime <= .zero else { return nil }
        return Status(code: .deadlineExceeded, message: "the deadline has passed")
    }
}
