internal import CBelfryGRPC

/// The receiver of a client call's callbacks; they run on the channel's thread and must not block.
protocol ClientCallReceiver: Sendable {
    func received(_ message: [UInt8])
    func sent(success: Bool)
    /// The last callback, exactly once.
    func ended(_ status: Status)
}

/// A receiver as a C context: retained when the call starts, released by the last callback.
final class ReceiverBox: Sendable {
    let receiver: any ClientCallReceiver

    init(_ receiver: any ClientCallReceiver) { self.receiver = receiver }
}

extension cgrpc_client_callbacks {
    /// The callbacks for a context that is a retained ``ReceiverBox``.
    static var toReceiver: Self {
        unsafe Self(received: messageReceived, sent: messageSent, ended: callEnded)
    }
}

private nonisolated func messageReceived(
    _ context: UnsafeMutableRawPointer?,
    _ message: cgrpc_bytes
) {
    unsafe receiver(context)?.received([UInt8](message))
}

private nonisolated func messageSent(_ context: UnsafeMutableRawPointer?, _ success: Bool) {
    unsafe receiver(context)?.sent(success: success)
}

private nonisolated func callEnded(
    _ context: UnsafeMutableRawPointer?,
    _ status: UnsafePointer<cgrpc_status>?
) {
    guard let context = unsafe context, let status = unsafe status?.pointee else { return }
    let box = unsafe Unmanaged<ReceiverBox>.fromOpaque(context).takeRetainedValue()
    unsafe box.receiver.ended(Status(status))
}

private func receiver(_ context: UnsafeMutableRawPointer?) -> (any ClientCallReceiver)? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<ReceiverBox>.fromOpaque(context).takeUnretainedValue().receiver
}
