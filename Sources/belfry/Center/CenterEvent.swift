internal import NotificationClient
internal import NotificationProtocol

/// What a live notification center waits for.
enum CenterEvent: Sendable {
    /// Keys were pressed; no bytes say that the terminal is gone.
    case input([UInt8])
    /// The server told something, on the watch with this number.
    case frames([Belfry_V1_DeviceFrame], watch: Int)
    /// The watch with this number has ended; nil where the server ended it in order.
    case ended(ClientError?, watch: Int)
    /// What became of what the person did.
    case note(CenterScreen.Note)
    /// The terminal has another size.
    case resized
    /// A second passed.
    case tick
    /// A signal asks the program to end.
    case signal(Int32)
}
