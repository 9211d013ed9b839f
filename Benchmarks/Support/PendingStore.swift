internal import BelfryLMDB
internal import Foundation
package import NotificationCore
internal import NotificationFeeds
package import NotificationStore

/// A store in a temporary directory, on a manual clock, whose one center has many pending requests.
///
/// Every call returns when what it did is on disk.
package final class PendingStore {
    /// How many requests are added or fired by an iteration.
    package static let batchCount = 256
    /// Requests of one transaction while the store is filled.
    private static let fillCount = 10_000

    /// The store with its feeds, as a server has them.
    let feeds: Feeds
    let center: CenterName
    let directory: URL
    private var store: Store { feeds.store }
    private var generator = SplitMix64()

    /// Makes the store and fills it.
    ///
    /// - Parameters:
    ///   - dueSeconds: The elapsed second at which each request is due, in the order in which the
    ///     requests are added.
    ///   - eventBytes: The bytes of events that the center keeps; nil for the usual limit.
    /// - Throws: Why the store did not open, or refused.
    package init(dueSeconds: [Int64], eventBytes: Int? = nil) async throws {
        directory = URL.temporaryDirectory.appending(path: "belfry-benchmark-\(UUID())")
        center = try CenterName(app: "org.example.benchmark", device: "")
        var options = Self.options(directory)
        if let eventBytes { options.limits.eventBytesPerCenter = eventBytes }
        feeds = try Feeds(opening: options) { error in
            preconditionFailure("\(error)")
        }

        _ = try await told { store, center, completion in
            store.requestAuthorization(
                [.alert, .sound, .badge],
                for: center,
                answer: .grant,
                completion: completion
            )
        }
        for start in stride(from: 0, to: dueSeconds.count, by: Self.fillCount) {
            let due = dueSeconds[start..<min(start + Self.fillCount, dueSeconds.count)]
            try await add(makeRequests(dueSeconds: due))
        }
    }

    static func options(_ directory: URL) -> Store.Options {
        var options = Store.Options(directory: directory.path)
        options.clock = .manual(start: WallInstant(nanoseconds: 1_767_225_600_000_000_000))
        options.environment = .measured
        return options
    }

    /// Stops the store, which merges its changes, and leaves its directory.
    package func stop() { feeds.stop() }

    /// Stops the store with all its requests, and deletes its directory.
    package func close() throws {
        stop()
        try FileManager.default.removeItem(at: directory)
    }

    /// Makes requests that are due at the given elapsed seconds, which lie ahead.
    package func makeRequests(dueSeconds: some Sequence<Int64>) -> [NotificationRequest] {
        let now = store.clock.now().elapsed.nanoseconds / .nanosecondsPerSecond
        return dueSeconds.map { due in .reminder(inSeconds: due - now, using: &generator) }
    }

    /// Adds requests in one transaction.
    package func add(_ requests: [NotificationRequest]) async throws {
        let results = try await told { store, center, completion in
            store.addBatch(requests.map { .success($0) }, to: center, completion: completion)
        }
        for result in results { _ = try result.get() }
    }

    /// Adds a request in a transaction of its own, with an idempotency key.
    package func addWithKey(_ request: NotificationRequest) async throws {
        let milliseconds = store.clock.now().wall.nanoseconds / 1_000_000
        let time = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) }
        let random = (0..<7).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let key = try OnceKey(
            UUIDForm.text(time + [0x70, 0, 0x80] + random),
            method: "/belfry.v1.NotificationCenterService/Add",
            request: [UInt8](repeating: 7, count: 480)
        )
        _ = try await told { store, center, completion in
            store.add(request, to: center, once: key, completion: completion)
        }
    }

    /// Removes pending requests in one transaction.
    package func remove(_ requests: [NotificationRequest]) async throws {
        let removed = try await told { store, center, completion in
            store.removePending(requests.map(\.identifier), from: center, completion: completion)
        }
        precondition(removed.count == requests.count, "a request was not pending")
    }

    /// Moves the clock one second on, which fires the requests that are due then.
    package func advanceOneSecond() async throws -> ClockAdvance {
        try await told { store, _, completion in
            store.advanceClock(.by(nanoseconds: .nanosecondsPerSecond), completion: completion)
        }
    }

    /// Lets the app know the location.
    package func allowLocation() async throws {
        _ = try await told { store, center, completion in
            store.updateSettings(
                SettingsChange(),
                location: .authorizedAlways,
                of: center,
                completion: completion
            )
        }
    }

    /// Reports where the device is, and gives how many requests fired.
    package func report(_ place: Coordinate) async throws -> UInt64 {
        try await told { store, _, completion in
            store.reportLocation([LocationFix(place: place)], on: "local", completion: completion)
        }
    }

    private func told<Reply: Sendable>(
        _ body: (Store, CenterName, @escaping Completion<Reply>) -> Void
    ) async throws -> Reply {
        try await withCheckedContinuation { continuation in
            body(store, center) { result in continuation.resume(returning: result) }
        }.get()
    }
}

extension Environment.Options {
    /// Room for the largest store that is measured: valgrind does not give as much as the default.
    static var measured: Environment.Options {
        var options = Environment.Options()
        options.mapSize = 1 << 35
        return options
    }
}
