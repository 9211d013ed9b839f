internal import CBelfryGRPC
internal import Synchronization

/// What hears of a stream's progress.
///
/// The methods run on the polling thread of the call, one at a time, and must not block. The stream
/// keeps its delegate until `ended(cancelled:)` has returned.
public protocol ServerStreamDelegate: AnyObject, Sendable {
    /// A message arrived, for client-streaming and bidirectional calls. `message` is lent until the
    /// return. The next one is read after the return, unless reading is paused.
    func received(_ message: RawSpan)

    /// The client sends no more, for client-streaming and bidirectional calls.
    func receivedEnd()

    /// Flow control admitted the last message; the next may be sent.
    func sent()

    /// The last callback, exactly once, also after a finish. Sends no longer count.
    /// `cancelled` says that the client did not get a status from this server.
    /// ``ServerStream/isCut`` says in it whether the connection was lost.
    func ended(cancelled: Bool)
}

/// One open call of a streaming shape.
///
/// Thread-safe. At most one send may be outstanding, which is how a slow client holds back its
/// sender: between `send(_:)` and `ServerStreamDelegate/sent()` the sender keeps what is new.
/// When the server stops, a stream that is still open ends with UNAVAILABLE.
public final class ServerStream: Sendable {
    private let handle: cgrpc_call
    private let isPaused = Atomic(false)

    init(retaining handle: cgrpc_call) {
        cgrpc_call_retain(handle)
        self.handle = handle
    }

    deinit {
        cgrpc_call_release(handle)
    }

    /// The method, such as `/belfry.v1.DelegateService/Subscribe`.
    ///
    /// Allocates.
    public var path: String { handle.path }

    /// The time until the client's deadline, negative when it has passed; nil without one.
    public var remainingTime: Duration? { handle.remainingTime }

    /// Whether the client cancelled, left or ran into its deadline, as far as is known.
    public var isCancelled: Bool { handle.isCancelled }

    /// Who is calling.
    ///
    /// Allocates.
    public var peer: Peer { handle.peer }

    /// What the calls of one connection have in common, as `ServerCall.connection`; it is this
    /// one's until the stream is let go.
    public var connection: ConnectionIdentifier {
        ConnectionIdentifier(number: cgrpc_call_connection(handle))
    }

    /// The first value of the request's metadata for `name`, which is in lower case; nil once the
    /// stream has ended.
    public func metadata(named name: String) -> String? { handle.metadata(named: name) }

    /// Whether a cancelled stream ended because its connection did: the client was killed or cannot
    /// be reached, and did not take its leave by cancelling.
    ///
    /// One that was cancelled in the instant in which another connection ended may seem cut too.
    ///
    /// - Precondition: Called from `ServerStreamDelegate/ended(cancelled:)`.
    /// - Complexity: O(*n*) in the server's connections, with a system call for each 64.
    public var isCut: Bool { cgrpc_call_is_cut(handle) }

    /// Sends a copy of `message`.
    ///
    /// After a finish or the end it does nothing.
    ///
    /// - Precondition: No other send is outstanding.
    public func send(_ message: [UInt8]) {
        let isOnlySend = unsafe message.withBytes { unsafe cgrpc_call_send(handle, $0) }
        precondition(isOnlySend, "a stream has one outstanding send at most")
    }

    /// Ends the stream with `status`, after an outstanding send.
    ///
    /// Only the first call counts. The delegate hears of nothing more but the end.
    ///
    /// With a client that reads nothing, that send and so the end may wait for ever; `abort(_:)`
    /// does not.
    public func finish(_ status: Status) {
        handle.finish(status)
    }

    /// Ends the stream with `status` at once and drops an outstanding send.
    ///
    /// The details of `status` do not travel.
    public func abort(_ status: Status) {
        unsafe status.withCStatus { status in unsafe cgrpc_call_abort(handle, &status) }
    }

    /// Reads no further message until `resumeReading()`, so that the client has to wait.
    ///
    /// Messages that were asked for already still arrive: none if called from `received(_:)`, else
    /// one.
    public func pauseReading() {
        isPaused.store(true, ordering: .sequentiallyConsistent)
    }

    /// Reads on after `pauseReading()`.
    public func resumeReading() {
        isPaused.store(false, ordering: .sequentiallyConsistent)
        cgrpc_call_read(handle)
    }

    /// Asks for the next message if the stream is not paused.
    func readOn() {
        if !isPaused.load(ordering: .sequentiallyConsistent) { cgrpc_call_read(handle) }
    }
}
