internal import Foundation
internal import NotificationCore
internal import NotificationStore

/// A store in a temporary directory, on a manual clock, whose one center has many pending requests.
///
/// Every call returns when what it did is on disk.
final class PendingStore {
    /// How many requests are added or fired by an iteration.
    static let batchCount = 256
    /// Requests of one transaction while the store is filled.
    private static let fillCount = 10_000

    private let store: Store
    private let center: CenterName
    private let directory: URL
    private var generator = SplitMix64()

    /// Makes the store and fills it.
    ///
    /// - Parameter dueSeconds: The elapsed second at which each request is due, in the order in
    ///   which the requests are added.
    /// - Throws: Why the store did not open, or refused.
    init(dueSeconds: [Int64]) async throws {
        directory = URL.temporaryDirectory.appending(path: "belfry-benchmark-\(UUID())")
        center = try CenterName(app: "org.example.benchmark", device: "")
        var options = Store.Options(directory: directory.path)
        options.clock = .manual(start: WallInstant(nanoseconds: 1_767_225_600_000_000_000))
        store = try Store(options) { error in preconditionFailure("\(error)") }

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

    /// Stops the store and deletes its directory.
    func close() throws {
        store.stop()
        try FileManager.default.removeItem(at: directory)
    }

    /// Makes requests that are due at the given elapsed seconds, which lie ahead.
    func makeRequests(dueSeconds: some Sequence<Int64>) -> [NotificationRequest] {
        let now = store.clock.now().elapsed.nanoseconds / .nanosecondsPerSecond
        return dueSeconds.map { due in .reminder(inSeconds: due - now, using: &generator) }
    }

    /// Adds requests in one transaction.
    func add(_ requests: [NotificationRequest]) async throws {
        let results = try await told { store, center, completion in
            store.addBatch(requests.map { .success($0) }, to: center, completion: completion)
        }
        for result in results { _ = try result.get() }
    }

    /// Removes pending requests in one transaction.
    func remove(_ requests: [NotificationRequest]) async throws {
        let removed = try await told { store, center, completion in
            store.removePending(requests.map(\.identifier), from: center, completion: completion)
        }
        precondition(removed.count == requests.count, "a request was not pending")
    }

    /// Moves the clock one second on, which fires the requests that are due then.
    func advanceOneSecond() async throws -> ClockAdvance {
        try await told { store, _, completion in
            store.advanceClock(.by(nanoseconds: .nanosecondsPerSecond), completion: completion)
        }
    }

    /// Lets the app know the location.
    func allowLocation() async throws {
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
    func report(_ place: Coordinate) async throws -> UInt64 {
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
