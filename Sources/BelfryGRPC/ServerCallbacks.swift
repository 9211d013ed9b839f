internal import CBelfryGRPC

// The C callbacks of the server. Each callback unwraps its context and calls one method. The
// callbacks are nonisolated functions, because gRPC's threads belong to no actor.

extension cgrpc_server_callbacks {
    /// The callbacks that call `dispatcher`, which must exist until the server has stopped.
    init(unretained dispatcher: Dispatcher) {
        unsafe self.init(
            context: Unmanaged.passUnretained(dispatcher).toOpaque(),
            opened: callOpened,
            requested: callRequested,
            received: streamReceived,
            received_end: streamReceivedEnd,
            sent: streamSent,
            ended: streamEnded
        )
    }
}

private nonisolated func callOpened(
    _ context: UnsafeMutableRawPointer?,
    _ call: cgrpc_call,
    _ path: cgrpc_bytes
) -> cgrpc_shape {
    unsafe object(context, Dispatcher.self).opened(call, path: path)
}

private nonisolated func callRequested(
    _ attachment: UnsafeMutableRawPointer?,
    _ call: cgrpc_call,
    _ message: cgrpc_bytes
) -> Bool {
    unsafe object(attachment, Route.self).requested(call, message: message)
}

private nonisolated func streamReceived(
    _ attachment: UnsafeMutableRawPointer?,
    _ call: cgrpc_call,
    _ message: cgrpc_bytes
) {
    let open = unsafe object(attachment, OpenStream.self)
    unsafe message.withSpan { open.delegate.received($0) }
    open.stream.readOn()
}

private nonisolated func streamReceivedEnd(
    _ attachment: UnsafeMutableRawPointer?,
    _ call: cgrpc_call
) {
    unsafe object(attachment, OpenStream.self).delegate.receivedEnd()
}

private nonisolated func streamSent(_ attachment: UnsafeMutableRawPointer?, _ call: cgrpc_call) {
    unsafe object(attachment, OpenStream.self).delegate.sent()
}

private nonisolated func streamEnded(
    _ attachment: UnsafeMutableRawPointer?,
    _ call: cgrpc_call,
    _ cancelled: Bool
) {
    guard let attachment = unsafe attachment else { return }
    let open = unsafe Unmanaged<OpenStream>.fromOpaque(attachment).takeRetainedValue()
    open.delegate.ended(cancelled: cancelled)
}

/// The object of an unretained pointer; the object exists at least until the callback returns.
private func object<Object: AnyObject>(
    _ pointer: UnsafeMutableRawPointer?,
    _: Object.Type
) -> Object {
    guard let pointer = unsafe pointer else { preconditionFailure("a callback without context") }
    return unsafe Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
}
