internal import BelfryLocking
internal import Faults
internal import Glibc

/// The receiver of a stream's callbacks.
///
/// The methods run on the polling thread of the call, one at a time, and must not block. The stream
/// keeps its delegate until `ended(cancelled:)` has returned.
package protocol ServerStreamDelegate: AnyObject, Sendable {
    /// Called when a message arrived, for client-streaming and bidirectional calls. `message` is
    /// lent until this method returns. The next message is read afterwards, unless reading is
    /// paused.
    func received(_ message: RawSpan)

    /// Called when the client sends no more messages, for client-streaming and bidirectional calls.
    func receivedEnd()

    /// Called when flow control admitted the last message; the next message may be sent.
    func sent()

    /// Called exactly once, as the last callback, also after a finish. Later sends do nothing.
    /// `cancelled` is true when the client did not get a status from this server. During this
    /// callback ``ServerStream/isCut`` tells whether the connection was lost.
    func ended(cancelled: Bool)
}

/// One open streaming call, on the server.
///
/// A stream is thread-safe. At most one send may be outstanding, so that a slow client holds back
/// its sender: between `send(_:)` and `ServerStreamDelegate/sent()` the sender keeps its new
/// messages. When the server stops, an open stream ends with UNAVAILABLE.
package final class ServerStream: Sendable {
    private let handle: CallHandle
    /// Whether reading is paused.
    ///
    /// A resumption asks for the next message under the lock. Otherwise that message could arrive
    /// and pause reading first, and the resumption would then ask for one more.
    private let isPaused = Guarded(false)

    init(retaining handle: CallHandle) {
        handle.retain()
        self.handle = handle
    }

    deinit {
        handle.release()
    }

    /// The path of the method, such as `/belfry.v1.DelegateService/Subscribe`.
    ///
    /// Reading the property allocates.
    package var path: String { handle.path }

    /// The time until the client's deadline, negative after the deadline; nil without a deadline.
    package var remainingTime: Duration? { handle.remainingTime }

    /// Whether the server knows that the stream's client cancelled it, disconnected or reached its
    /// deadline.
    package var isCancelled: Bool { handle.isCancelled }

    /// The client at the other end of the stream.
    ///
    /// Reading the property allocates.
    package var peer: Peer { handle.peer }

    package var caller: Caller { Caller(of: handle) }

    /// The identifier of the stream's connection, as `ServerCall.connection`; no other connection
    /// has the same identifier until the stream is released.
    package var connection: ConnectionIdentifier { handle.connection }

    /// The first value of the request's metadata for `name`, which is in lower case; nil once the
    /// stream has ended, and for a stream with one small request once its handler has returned.
    package func metadata(named name: String) -> String? { handle.metadata(named: name) }

    package func joinedMetadata(named name: String) -> String? {
        handle.joinedMetadata(named: name)
    }

    /// Whether a cancelled stream ended because its connection was lost: the client was killed or
    /// cannot be reached, and did not cancel the call itself.
    ///
    /// A stream that its client cancelled shortly after another connection ended may also count
    /// as cut.
    ///
    /// - Precondition: Called from `ServerStreamDelegate/ended(cancelled:)`.
    ///
    /// - Complexity: O(*n*) in the server's connections, with a system call for each 64.
    package var isCut: Bool { handle.isCut }

    /// Sends a copy of `message`.
    ///
    /// After a finish or the end of the stream this method does nothing.
    ///
    /// - Precondition: No other send is outstanding.
    package func send(_ message: [UInt8]) {
        handle.send(message)
    }

    /// Ends the stream with `status`, after an outstanding send.
    ///
    /// Only the first finish counts. After it the delegate gets no callback except
    /// `ended(cancelled:)`.
    ///
    /// When the client reads nothing, the outstanding send and therefore the end may wait for ever;
    /// `abort(_:)` does not wait.
    package func finish(_ status: Status) {
        handle.finish(status)
    }

    /// Ends the stream with `status` at once and drops an outstanding send.
    ///
    /// The details of `status` are not sent.
    package func abort(_ status: Status) {
        handle.abort(status)
    }

    /// Pauses reading until `resumeReading()`, so that the client has to wait.
    ///
    /// When called from `received(_:)`, no further message arrives; otherwise a message that was
    /// already asked for still arrives.
    package func pauseReading() {
        isPaused.withLock { $0 = true }
    }

    /// Resumes reading after `pauseReading()`.
    package func resumeReading() {
        isPaused.withLock { isPaused in
            isPaused = false
            if !Fault.resumedInTwoSteps.isPlanted { handle.read() }
        }
        if Fault.resumedInTwoSteps.isPlanted {
            usleep(3_000)
            handle.read()
        }
    }

    /// Asks for the next message unless reading is paused.
    func readOn() {
        isPaused.withLock { if !$0 { handle.read() } }
    }
}
