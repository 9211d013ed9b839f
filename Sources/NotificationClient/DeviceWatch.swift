internal import BelfryGRPC
public import NotificationProtocol

extension DeviceClient {
    /// Follows the device: first its state, then what it is to show, play and run.
    ///
    /// The call is made when the watch is iterated.
    ///
    /// - Parameter apps: The apps; none is all.
    /// - Returns: The frames, to iterate once.
    public func watch(apps: [String] = []) -> DeviceWatch {
        var request = Belfry_V1_WatchDeviceRequest()
        request.deviceID = device
        request.appIds = apps
        return DeviceWatch(request, caller: caller)
    }
}

/// Follows a device until the connection is cut.
///
/// An element is what came at once, so that a screen is drawn once for all of it. Nothing of it is
/// durable: after a cut, watch again for a new snapshot. The sequence then throws a
/// ``ClientError``; it ends without one where the server ended the stream in order.
///
/// Iterate once, and end it by cancelling the task that iterates.
public struct DeviceWatch: AsyncSequence, Sendable {
    /// The frames of one message, in order.
    public typealias Element = [Belfry_V1_DeviceFrame]

    private let request: Belfry_V1_WatchDeviceRequest
    private let caller: Caller

    init(_ request: Belfry_V1_WatchDeviceRequest, caller: Caller) {
        self.request = request
        self.caller = caller
    }

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(request: request, caller: caller)
    }

    /// Takes the messages of a watch.
    public struct Iterator: AsyncIteratorProtocol {
        private let request: Belfry_V1_WatchDeviceRequest
        private let caller: Caller
        private var stream: ClientStream?

        fileprivate init(request: Belfry_V1_WatchDeviceRequest, caller: Caller) {
            self.request = request
            self.caller = caller
        }

        /// Gives the frames of the next message, or `nil` where the server ended the stream.
        ///
        /// - Throws: ``ClientError``; `CANCELLED` when the task was cancelled.
        public mutating func next() async throws(ClientError) -> [Belfry_V1_DeviceFrame]? {
            let stream: ClientStream
            if let opened = self.stream {
                stream = opened
            } else {
                stream = try await caller.open("/belfry.v1.DeviceService/WatchDevice", request)
                self.stream = stream
            }
            let bytes: [UInt8]?
            do throws(Status) {
                bytes = try await stream.next()
            } catch {
                throw ClientError(error)
            }
            guard let bytes else { return nil }
            let message: Belfry_V1_WatchDeviceResponse = try decode(bytes)
            return message.frames
        }
    }
}
