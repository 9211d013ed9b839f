internal import Benchmark
internal import BenchmarkSupport
internal import Foundation
internal import NotificationCore
internal import NotificationStore

/// A push to a tag beside adds: the cost of a device in each, and the ratio of both.
///
/// The devices are the same: each gets a notification at once, by an add to its center or by the
/// push, and both end when all of that is on disk.
func registerTagPushes(deviceCount: Int) {
    var filled: TaggedStore?
    Benchmark(
        "Push to a tag, \(deviceCount) devices",
        configuration: .batches
    ) { (benchmark: Benchmark, store: TaggedStore) async throws in
        try await benchmark.measureBatch { try await store.push() }
    } setup: {
        let store = try await TaggedStore(deviceCount: deviceCount)
        try await store.printRatio()
        filled = store
        return store
    } teardown: {
        try filled?.close()
    }
}

/// A store in a temporary directory with one app on many devices, all of which have a tag.
final class TaggedStore {
    private static let app = "org.example.benchmark"
    /// How often both are timed for the ratio; the least counts.
    private static let rounds = 5

    private let store: Store
    private let directory: URL
    private let centers: [CenterName]
    private var count = 0

    /// Makes the store and registers the devices.
    init(deviceCount: Int) async throws {
        directory = URL.temporaryDirectory.appending(path: "belfry-benchmark-\(UUID())")
        var options = Store.Options(directory: directory.path)
        options.clock = .manual(start: WallInstant(nanoseconds: 1_767_225_600_000_000_000))
        store = try Store(options) { error in preconditionFailure("\(error)") }
        centers = try (0..<deviceCount).map {
            try CenterName(app: Self.app, device: "device\($0)")
        }
        for center in centers {
            _ = try await told { store, completion in
                store.requestAuthorization(
                    [.alert],
                    for: center,
                    answer: .grant,
                    completion: completion
                )
            }
            let address = try await told { store, completion in
                store.registerForPushes(center, in: nil, completion: completion)
            }
            _ = try await told { store, completion in
                store.setTags(
                    ["all"],
                    ofToken: address.token.text,
                    of: Self.app,
                    completion: completion
                )
            }
        }
    }

    /// Stops the store with all its devices, and deletes its directory.
    func close() throws {
        store.stop()
        try FileManager.default.removeItem(at: directory)
    }

    func push() async throws {
        count += 1
        let expression: TagExpression
        do {
            expression = try TagExpression("all")
        } catch {
            preconditionFailure("\(error)")
        }
        let push = TagPush(
            app: Self.app,
            expression: expression,
            content: TagPushContent(
                headers: PushHeaders(),
                payload: #"{"aps":{"alert":{"title":"A reminder","body":"To water the plants"}}}"#
            ),
            deliverAt: nil
        )
        let text = "019b76da-a800-7000-8000-" + String(format: "%012x", count)
        let key = try OnceKey(text, method: "PushToTags", request: [])
        let number = try await told { store, completion in
            store.pushToTags(push, once: key, completion: completion)
        }
        while try store.pushStatus(number, of: Self.app).endedAt == nil {
            // One more batch of the writer.
            try await told { store, completion in store.afterNextBatch(completion) }
        }
    }

    func add() async throws {
        count += 1
        var content = NotificationContent()
        content.title = "A reminder"
        content.body = "To water the plants"
        let request = NotificationRequest(identifier: "add\(count)", content: content)
        let store = store
        try await withThrowingTaskGroup { group in
            for center in centers {
                group.addTask {
                    _ = try await Self.told(store) { store, completion in
                        store.add(request, to: center, completion: completion)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Prints the cost of a push to a device, as a multiple of an add.
    func printRatio() async throws {
        var (pushed, added) = (Duration.seconds(1_000), Duration.seconds(1_000))
        for _ in 0..<Self.rounds {
            let clock = ContinuousClock()
            added = min(added, try await clock.measure { try await add() })
            pushed = min(pushed, try await clock.measure { try await push() })
        }
        let ratio = pushed / added
        print("push to a tag, for each device: \(String(format: "%.2f", ratio)) of an add")
    }

    private func told<Reply: Sendable>(
        _ begin: (Store, @escaping Completion<Reply>) -> Void
    ) async throws -> Reply {
        try await Self.told(store, begin)
    }

    private static func told<Reply: Sendable>(
        _ store: Store,
        _ begin: (Store, @escaping Completion<Reply>) -> Void
    ) async throws -> Reply {
        try await withCheckedContinuation { continuation in
            begin(store) { continuation.resume(returning: $0) }
        }.get()
    }
}
