internal import BelfryLocking
internal import NotificationClient
internal import NotificationProtocol

/// An event that a live notification center waits for.
enum CenterEvent: Sendable {
    /// Keys were pressed; an empty array means that the terminal was closed.
    case input([UInt8])
    /// The server sent frames, on the watch with this number.
    case frames(ArrivedFrames, watch: Int)
    /// The watch with this number has ended; the error is nil when the server closed the stream
    /// with OK.
    case ended(ClientError?, watch: Int)
    /// The result of an act of the person.
    case note(CenterScreen.Note)
    /// An act of the person was not done, for this reason.
    case failed(CenterIntent, because: String)
    /// These dismissals found no server.
    case kept([Belfry_V1_NotificationRef])
    /// All acts of the person were performed.
    case performed
    /// A notification was opened for a closer look.
    case opened(Belfry_V1_OpenPresentation)
    /// The size of the terminal changed.
    case resized
    /// A second passed.
    case tick
    /// A signal asks the program to end.
    case signal(Int32)
}

/// The frames of a watch that the screen has not taken yet.
///
/// Frames that arrive while the screen is drawn are taken at once afterwards, and drawn together.
final class ArrivedFrames: Sendable {
    private let frames = Guarded<[Belfry_V1_DeviceFrame]>([])

    /// Adds frames.
    ///
    /// - Returns: Whether the screen took all that were added before.
    func add(_ new: [Belfry_V1_DeviceFrame]) -> Bool {
        frames.withLock { frames in
            defer { frames += new }
            return frames.isEmpty
        }
    }

    /// Takes the frames that have arrived, in order.
    func take() -> [Belfry_V1_DeviceFrame] {
        frames.withLock { frames in
            defer { frames = [] }
            return frames
        }
    }
}
