internal import BelfryLocking
internal import CBelfryGRPC

/// A client's connection to a server; the channel connects at its first use and reconnects after a
/// cut.
///
/// A channel is thread-safe. Each channel has a thread of its own, so make few channels and keep
/// them.
public final class Channel: Sendable {
    // Nil once closed. Calls start under the lock, so that no call starts on a closed channel.
    private let handle: Guarded<cgrpc_channel?>

    /// The certificates that a client trusts over TLS, and the key by which it shows its own name;
    /// each text is PEM.
    public struct TLS: Sendable {
        /// The certificates of the authorities that sign servers' certificates; nil trusts those of
        /// the system.
        public var roots: String?
        /// The client's private key and its certificates; nil shows none.
        public var key: (privateKey: String, certificates: String)?

        /// Names the certificates and the key.
        public init(
            roots: String? = nil,
            key: (privateKey: String, certificates: String)? = nil
        ) {
            self.roots = roots
            self.key = key
        }
    }

    /// Creates a channel to `unix:/path` or `host:port`.
    ///
    /// - Parameters:
    ///   - target: The address of the server.
    ///   - maximumReceiveBytes: The size of the largest message that the channel receives.
    ///   - tls: How to use TLS; nil is a connection without it.
    public init(target: String, maximumReceiveBytes: Int = 4 << 20, tls: TLS? = nil) {
        let limit = Int32(clamping: maximumReceiveBytes)
        guard let tls else {
            handle = Guarded(unsafe cgrpc_channel_create(target, limit, nil))
            return
        }
        let made = unsafe withCText(tls.roots) { roots in
            unsafe withCText(tls.key?.privateKey) { key in
                unsafe withCText(tls.key?.certificates) { certificates in
                    var options = unsafe cgrpc_client_tls(
                        roots: roots,
                        key: key,
                        certificates: certificates
                    )
                    return unsafe cgrpc_channel_create(target, limit, &options)
                }
            }
        }
        handle = Guarded(made)
    }

    deinit { close() }

    /// Makes a unary call and gives its reply.
    ///
    /// Cancelling the task cancels the call.
    ///
    /// - Parameters:
    ///   - path: The path of the method, such as `/belfry.v1.ServerService/GetServerInfo`.
    ///   - message: The serialized request.
    ///   - metadata: The metadata to send; keys in lower case, values of printable ASCII.
    ///   - timeout: How long the call may take; nil sets no limit.
    /// - Returns: The serialized reply.
    /// - Throws: The status of the call, when its code is not OK.
    package func unary(
        _ path: String,
        _ message: [UInt8],
        metadata: [(String, String)] = [],
        timeout: Duration? = nil
    ) async throws(Status) -> [UInt8] {
        let reply = UnaryReply()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reply.expect(continuation)
                let call = start(path, message, metadata, timeout, reply)
                if let call { reply.started(call) } else { reply.ended(.channelClosed) }
            }
        } onCancel: {
            reply.cancel()
        }
        return try result.get()
    }

    /// Opens a call of any streaming shape.
    ///
    /// - Parameters:
    ///   - path: The path of the method.
    ///   - metadata: The metadata to send; keys in lower case, values of printable ASCII.
    ///   - timeout: How long the call may take; nil sets no limit.
    /// - Returns: The open call. When opening fails, the first use of the call gives the error.
    package func stream(
        _ path: String,
        metadata: [(String, String)] = [],
        timeout: Duration? = nil
    ) -> ClientStream {
        let events = StreamEvents()
        let call = start(path, nil, metadata, timeout, events)
        if let call { events.started(call) } else { events.ended(.channelClosed) }
        return ClientStream(events, channel: self)
    }

    /// Connects, and returns whether the channel was connected within `timeout`.
    public func waitUntilReady(timeout: Duration) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let waiter = ReadinessWaiter(continuation)
            let isOpen = handle.withLock { handle in
                guard let handle else { return false }
                let context = unsafe Unmanaged.passRetained(waiter).toOpaque()
                unsafe cgrpc_channel_wait(
                    handle,
                    timeout.wholeNanoseconds,
                    context,
                    connectionWaitEnded
                )
                return true
            }
            if !isOpen { continuation.resume(returning: false) }
        }
    }

    /// Cancels every open call and ends the connection.
    ///
    /// Closing blocks until the last call has ended. It is idempotent; later calls fail with
    /// CANCELLED.
    public func close() {
        let open = handle.withLock { $0.take() }
        if let open { cgrpc_channel_destroy(open) }
    }

    /// Whether the channel was closed, so that no call can succeed any more.
    package var isClosed: Bool { handle.withLock { $0 == nil } }

    /// Starts a call whose callbacks go to `receiver`; nil if the channel is closed.
    private func start(
        _ path: String,
        _ message: [UInt8]?,
        _ metadata: [(String, String)],
        _ timeout: Duration?,
        _ receiver: some ClientCallReceiver
    ) -> cgrpc_client_call? {
        let nanoseconds = timeout?.wholeNanoseconds ?? .max
        return unsafe withMetadata(metadata) { pairs in
            unsafe path.withBytes { path in
                handle.withLock { handle -> cgrpc_client_call? in
                    guard let handle else { return nil }
                    let context = unsafe Unmanaged.passRetained(ReceiverBox(receiver)).toOpaque()
                    var callbacks = cgrpc_client_callbacks.toReceiver
                    guard let message else {
                        return unsafe cgrpc_channel_call(
                            handle,
                            path,
                            pairs.baseAddress,
                            pairs.count,
                            nanoseconds,
                            nil,
                            &callbacks,
                            context
                        )
                    }
                    return unsafe message.withBytes { message in
                        var message = unsafe message
                        return unsafe cgrpc_channel_call(
                            handle,
                            path,
                            pairs.baseAddress,
                            pairs.count,
                            nanoseconds,
                            &message,
                            &callbacks,
                            context
                        )
                    }
                }
            }
        }
    }
}

extension Status {
    fileprivate static let channelClosed = Status(
        code: .cancelled,
        message: "the channel is closed"
    )
}

/// Lends `metadata` to C.
private func withMetadata<Result>(
    _ metadata: [(String, String)],
    _ body: (UnsafeBufferPointer<cgrpc_metadata>) -> Result
) -> Result {
    func lend(_ index: Int, _ pairs: inout [cgrpc_metadata]) -> Result {
        guard index < metadata.count else { return unsafe pairs.withUnsafeBufferPointer(body) }
        return unsafe metadata[index].0.withBytes { key in
            unsafe metadata[index].1.withBytes { value in
                unsafe pairs.append(cgrpc_metadata(key: key, value: value))
                return unsafe lend(index + 1, &pairs)
            }
        }
    }
    var pairs: [cgrpc_metadata] = unsafe []
    return unsafe lend(0, &pairs)
}

/// A task that waits for the connection.
private final class ReadinessWaiter: Sendable {
    let continuation: CheckedContinuation<Bool, Never>

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }
}

private nonisolated func connectionWaitEnded(_ context: UnsafeMutableRawPointer?, _ ready: Bool) {
    guard let context = unsafe context else { return }
    let waiter = unsafe Unmanaged<ReadinessWaiter>.fromOpaque(context).takeRetainedValue()
    waiter.continuation.resume(returning: ready)
}
