internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerWatchDevice(in router: inout Router) {
        router.serverStream("/belfry.v1.DeviceService/WatchDevice", role: Role.device.rawValue) {
            bytes,
            stream in
            let bytes = [UInt8](bytes)
            let watcher = Watcher(stream, clock: store.clock)
            do throws(Refusal) {
                let request = try Belfry_V1_WatchDeviceRequest(wire: bytes)
                let device = try CenterName.deviceName(request.deviceID)
                let apps = try Self.appIdentifiers(request.appIds, on: device)
                let place = try watchShares.place(for: stream, of: device)
                watcher.begin(on: device, apps: apps, in: store, place)
            } catch {
                stream.finish(Status(error))
            }
            return watcher
        }
    }
}

/// One open `WatchDevice` stream: the store's messages become frames.
private final class Watcher: DeviceWatchSink, ServerStreamDelegate {
    private struct State {
        /// Until the end.
        var place: StreamPlace?
        var watch: DeviceWatch?
        var isEnded = false
        var device = ""
    }

    private let stream: ServerStream
    private let clock: Clock
    private let state = Guarded(State())

    init(_ stream: ServerStream, clock: Clock) {
        self.stream = stream
        self.clock = clock
    }

    /// Begins to follow a device; the stream may have ended meanwhile.
    ///
    /// Bounded: names of apps, which were validated.
    func begin(on device: String, apps: Set<String>, in store: Store, _ place: StreamPlace) {
        state.withLock { state in
            state.place = place
            state.device = device
        }
        do throws(Refusal) {
            let watch = try store.watchDevice(device, apps: apps, sink: self)
            let isEnded = state.withLock { state in
                state.watch = watch
                return state.isEnded
            }
            if isEnded { watch.cancel() }
        } catch {
            stream.finish(Status(error))
        }
    }

    // MARK: From the store

    func send(_ message: DeviceWatchMessage) {
        let device = state.withLock { $0.device }
        let response = Belfry_V1_WatchDeviceResponse(message, on: device, at: clock.now().wall)
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
        state.withLock { $0.watch }?.sent()
    }

    func ended(cancelled: Bool) {
        let (watch, place) = state.withLock { state in
            state.isEnded = true
            return (state.watch.take(), state.place.take())
        }
        defer { withExtendedLifetime(place) {} }
        watch?.cancel()
    }
}
