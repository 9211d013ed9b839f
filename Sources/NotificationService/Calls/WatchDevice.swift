internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerWatchDevice(in router: inout Router) {
        router.serverStream("/belfry.v1.DeviceService/WatchDevice") {
            bytes,
            stream in
            let bytes = [UInt8](bytes)
            let watcher = Watcher(stream, clock: store.clock, focuses: store.focuses)
            do throws(Refusal) {
                let request = try Belfry_V1_WatchDeviceRequest(wire: bytes)
                let device = try CenterName.deviceName(request.deviceID)
                let apps = try RequestLimits.apps(request.appIds, on: device)
                try RequestLimits.checkKept(request.appIds, "app_ids")
                let place = try watchShares.place(for: stream, of: device)
                watcher.begin(on: device, apps: apps, of: feeds, place)
            } catch {
                stream.finish(Status(error))
            }
            return watcher
        }
    }
}

/// One open `WatchDevice` stream: the messages of its feed become frames.
private final class Watcher: FeedSink, ServerStreamDelegate {
    private struct State {
        var place: StreamPlace?
        var feed: DeviceFeed?
        var isEnded = false
        var device = ""
    }

    private let stream: ServerStream
    private let clock: Clock
    private let focuses: FocusReader
    private let state = Guarded(State())

    init(_ stream: ServerStream, clock: Clock, focuses: FocusReader) {
        self.stream = stream
        self.clock = clock
        self.focuses = focuses
    }

    /// Begins to watch a device.
    ///
    /// Bounded: names of apps, which were validated.
    func begin(on device: String, apps: Set<String>, of feeds: Feeds, _ place: StreamPlace) {
        state.withLock { state in
            state.place = place
            state.device = device
        }
        do throws(Refusal) {
            try feeds.watchDevice(device, apps: apps, sink: self)
        } catch {
            stream.finish(Status(error))
        }
    }

    // MARK: From the feed

    func begin(_ feed: DeviceFeed) {
        let isEnded = state.withLock { state in
            state.feed = feed
            return state.isEnded
        }
        if isEnded { feed.cancel() }
    }

    func send(_ message: DeviceFeedMessage) {
        let device = state.withLock { $0.device }
        let now = clock.now().wall
        let response = Belfry_V1_WatchDeviceResponse(message, on: device, at: now, focuses)
        do {
            stream.send(try response.serializedBytes())
        } catch {
            stream.finish(Status(code: .internalError, message: "the frames do not serialize"))
        }
    }

    func end(_ refusal: Refusal) {
        stream.end(refusal)
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        state.withLock { $0.feed }?.sent()
    }

    func ended(cancelled: Bool) {
        let (feed, place) = state.withLock { state in
            state.isEnded = true
            return (state.feed.take(), state.place.take())
        }
        defer { withExtendedLifetime(place) {} }
        feed?.cancel()
    }
}
