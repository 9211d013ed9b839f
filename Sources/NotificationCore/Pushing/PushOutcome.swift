/// The outcome of a push on one device; the numbers are stored and are the wire's.
package enum PushOutcome: UInt8, Hashable, Sendable, CaseIterable {
    case delivered = 1
    /// The push waits for the service extension, or for the app to say how to present it.
    case arriving = 2
    /// The push waits for the app, which is to work on it in the background.
    case stored = 3
    /// Nothing was shown, as the person does not allow it.
    case suppressed = 4
    case expired = 5
    /// The push was not fit for this device.
    case refused = 6
}
