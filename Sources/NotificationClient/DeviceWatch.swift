public import NotificationProtocol

extension DeviceClient {
    /// Watches the device: first its state, then everything that the device must show, play and
    /// run.
    ///
    /// The call is made when iteration begins.
    ///
    /// - Parameter apps: The apps to watch; an empty array watches all apps.
    /// - Returns: The frames, as a sequence to iterate once.
    public func watch(apps: [String] = []) -> DeviceWatch {
        var request = Belfry_V1_WatchDeviceRequest()
        request.deviceID = device
        request.appIds = apps
        return DeviceWatch(request, caller: caller)
    }
}

/// The frames of a device, until the connection is cut.
///
/// An element holds all frames that arrived together, so that a screen is drawn once for all of
/// them. Frames are not stored: after a cut the sequence throws a ``ClientError``, and a new watch
/// begins with a new snapshot. The sequence ends without an error when the server closes the stream
/// with OK.
///
/// Iterate a watch once. To end the watch, cancel the task that iterates.
public struct DeviceWatch: AsyncSequence, Sendable {
    /// The frames of one message about the device, in order.
    public typealias Element = [Belfry_V1_DeviceFrame]

    private let request: Belfry_V1_WatchDeviceRequest
    private let caller: Caller

    init(_ request: Belfry_V1_WatchDeviceRequest, caller: Caller) {
        self.request = request
        self.caller = caller
    }

    /// Makes an iterator, which begins the watch at the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(request: request, caller: caller)
    }

    /// The iterator of a watch.
    public struct Iterator: AsyncIteratorProtocol {
        private var messages:
            MessageStream<Belfry_V1_WatchDeviceRequest, Belfry_V1_WatchDeviceResponse>

        fileprivate init(request: Belfry_V1_WatchDeviceRequest, caller: Caller) {
            messages = MessageStream(
                "/belfry.v1.DeviceService/WatchDevice",
                request,
                of: Belfry_V1_WatchDeviceResponse.self,
                caller: caller
            )
        }

        /// Gives the device's next frames, or `nil` when the server closed the stream with OK.
        ///
        /// - Throws: ``ClientError``, with `CANCELLED` when the task was cancelled.
        public mutating func next() async throws(ClientError) -> [Belfry_V1_DeviceFrame]? {
            try await messages.next()?.frames
        }
    }
}
