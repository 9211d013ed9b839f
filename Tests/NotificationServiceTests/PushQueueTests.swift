internal import BelfryLocking
internal import BelfryWebPush
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("The messages that wait for browsers (WP-4)")
struct PushQueueTests {
    /// A push service that answers when it is told to.
    private final class Service: Sendable {
        private struct State {
            var carried: [String] = []
            var answers: [Int?] = []
            var waiting: [CheckedContinuation<Void, Never>] = []
            var isOpen = false
        }

        private let state = Guarded(State())

        /// The paths of the requests, in their order.
        var carried: [String] { state.withLock { $0.carried } }

        /// Answers the next requests with these, nil with nothing; later ones with 201.
        func answer(_ statuses: [Int?]) { state.withLock { $0.answers = statuses } }

        /// Answers the requests that wait, and all later ones at once.
        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for each in waiting { each.resume() }
        }

        func carry(_ request: PushRequest) async -> PushAnswer? {
            let status: Int? = state.withLock { state in
                state.carried.append(
                    request.endpoint.text.split(separator: "/").last.map(String.init) ?? ""
                )
                return state.answers.isEmpty ? 201 : state.answers.removeFirst()
            }
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
            return status.map { PushAnswer(status: $0) }
        }
    }

    private let service = Service()
    private let queue: PushQueue
    private let services: PushServices

    init() throws {
        services = try #require(PushServices(loopback: "localhost:1"))
        let sender = try #require(PushSender(key: CurveKey(), contact: "mailto:a@example.org"))
        let service = service
        queue = PushQueue(sender: sender) { await service.carry($0) }
    }

    private func address(_ name: String) throws -> PushQueue.Address {
        let receiver = PushReceiver(
            point: CurveKey().point,
            secret: Array(repeating: 1, count: PushReceiver.secretByteCount)
        )
        return PushQueue.Address(
            endpoint: try PushEndpoint("https://localhost:1/push/\(name)", of: services),
            receiver: try #require(receiver)
        )
    }

    private func message(_ subject: String, seconds: Int = 3_600) -> PushQueue.Message {
        PushQueue.Message(
            subject: Array(subject.utf8),
            text: PushText(whole: Array(subject.utf8), short: []),
            urgency: .normal,
            end: PushQueue.seconds + seconds
        )
    }

    private func sent(_ count: UInt64) async throws {
        #expect(try await eventually { queue.totals.sent == count })
    }

    @Test("The newest 32 wait while one is sent; the older ones are not needed")
    func newest() async throws {
        queue.set(["a": try address("a")], of: "phone")
        queue.put(message("first"), to: "phone")
        #expect(try await eventually { service.carried.count == 1 })
        for number in 1...40 { queue.put(message("\(number)"), to: "phone") }
        #expect(queue.totals.dropped == 8)
        service.open()
        try await sent(33)
        #expect(service.carried.count == 33)
    }

    @Test("A newer message of a notification, and its removal, take the waiting one away")
    func replaced() async throws {
        queue.set(["a": try address("a")], of: "phone")
        queue.put(message("first"), to: "phone")
        #expect(try await eventually { service.carried.count == 1 })
        for subject in ["x", "y", "x"] { queue.put(message(subject), to: "phone") }
        queue.drop(Array("y".utf8), of: "phone")
        #expect(queue.totals.dropped == 2)
        service.open()
        try await sent(2)
        #expect(service.carried.count == 2)
    }

    @Test("A device's messages go to each of its browsers, and to no other device's")
    func devices() async throws {
        service.open()
        queue.set(["a": try address("a"), "b": try address("b")], of: "phone")
        queue.set(["c": try address("c")], of: "tablet")
        queue.put(message("x"), to: "phone")
        try await sent(2)
        #expect(service.carried.sorted() == ["a", "b"])
        // A browser that was taken away gets nothing more.
        queue.set(["b": try address("b")], of: "phone")
        queue.put(message("y"), to: "phone")
        try await sent(3)
        #expect(service.carried.count == 3 && service.carried.last == "b")
    }

    @Test("A browser that is gone is told of, and its message is given up", arguments: [404, 410])
    func gone(status: Int) async throws {
        let gone = Guarded<[PushQueue.Target]>([])
        queue.whenGone { target in gone.withLock { $0.append(target) } }
        service.answer([status])
        service.open()
        queue.set(["a": try address("a")], of: "phone")
        queue.put(message("x"), to: "phone")
        #expect(
            try await eventually {
                gone.withLock { $0 } == [.init(device: "phone", identifier: "a")]
            }
        )
        #expect(queue.totals.failed == 1 && queue.totals.sent == 0)
    }

    @Test(
        "An answer that ends it is not tried again; one that does not is",
        arguments: [
            (400, 1), (403, 1), (413, 2), (500, 1), (429, 1),
        ]
    )
    func answers(status: Int, attempts: Int) async throws {
        service.answer([status])
        service.open()
        queue.set(["a": try address("a")], of: "phone")
        // There is no time for another attempt after a wait.
        queue.put(message("x", seconds: 1), to: "phone")
        #expect(try await eventually { queue.totals.sent + queue.totals.failed == 1 })
        #expect(service.carried.count == attempts)
        #expect(queue.totals.sent == (status == 413 ? 1 : 0))
    }

    @Test("A stop ends what is sent and what waits")
    func stop() async throws {
        queue.set(["a": try address("a")], of: "phone")
        queue.put(message("x"), to: "phone")
        queue.put(message("y"), to: "phone")
        #expect(try await eventually { service.carried.count == 1 })
        queue.stop()
        service.open()
        queue.put(message("z"), to: "phone")
        #expect(service.carried.count == 1)
    }
}
