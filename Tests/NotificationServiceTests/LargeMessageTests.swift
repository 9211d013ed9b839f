internal import BelfryGRPC
internal import BelfryLocking
internal import Dispatch
internal import Glibc
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationService
internal import NotificationStore
internal import TestSupport
internal import Testing

@Suite("Large messages wait for their turn to be read (QU-1)", .timeLimit(.minutes(5)))
struct LargeMessageTests {
    @Test("While a large request is read, small ones are answered and the next large one waits")
    func smallOnesGoOn() async throws {
        let gate = Gate()
        let service = try TestService(methods: gate.register)
        defer {
            gate.open()
            service.stop()
        }
        let center = try await service.authorizedCenter()
        let channel = service.channel
        _ = try await channel.unary(Gate.path, [])
        let held = Task { try await channel.unary(Gate.path, [UInt8](repeating: 0, count: 20_000)) }
        await gate.reached()
        let requests = (0..<1_000).map { Belfry_V1_NotificationRequest.titled("large \($0)") }
        let batch = Task { try await center.addBatch(requests).count }
        try await center.add("small")
        let delivered = try await center.listDelivered().notifications
        #expect(delivered.map(\.request.identifier) == ["small"])
        gate.open()
        #expect(try await held.value == [1])
        #expect(try await batch.value == 1_000)
    }

    @Test("A batch whose client goes while it is read is not checked further, and adds nothing")
    func clientGoes() async throws {
        let registrant = WaitingRegistrant()
        let service = try TestService(registrant: registrant.callAsFunction)
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        let requests = (0..<1_000).map { Belfry_V1_NotificationRequest.titled("large \($0)") }
        registrant.arm()
        let batch = Task { try await center.addBatch(requests) }
        await registrant.reached()
        batch.cancel()
        await #expect(throws: ClientError.self) { try await batch.value }
        // The next large request is read when the first was.
        _ = try await center.addBatch([
            .titled("next") { $0.content.body = String(repeating: "b", count: 20_000) }
        ])
        let delivered = try await center.listDelivered(pageSize: 1_000).notifications
        #expect(delivered.map(\.request.identifier) == ["next"])
    }

    @Test("Callers take turns by bytes, and each has a quarter of the room")
    func turns() async throws {
        let messages = LargeMessages(byteLimit: 4 << 20) { _ in nil }
        let greedy = TurnOwner.registrant(Registrant(.token, "greedy"))
        let other = TurnOwner.connection(1)
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let order = Guarded<[String]>([])
        let first = messages.read(ofBytes: 20_480, of: other) {
            enter.yield()
            gate.wait()
        }
        #expect(first == nil)
        for await _ in entered { break }
        func read(_ name: String, _ kibibytes: Int, _ owner: TurnOwner) -> Refusal? {
            messages.read(ofBytes: kibibytes << 10, of: owner) {
                order.withLock { $0.append(name) }
            }
        }
        for number in 0..<5 { #expect(read("greedy \(number)", 200, greedy) == nil) }
        let refused = try #require(read("one more", 200, greedy))
        #expect(refused.kind == .resourceExhausted)
        #expect(refused.reason == .overloaded)
        #expect(refused.retryAfterNanoseconds == 50_000_000)
        #expect(read("other", 20, other) == nil)
        gate.signal()
        messages.stop()
        #expect(order.withLock { $0 } == ["other"] + (0..<5).map { "greedy \($0)" })
        #expect(read("late", 20, other)?.reason == .stopping)
    }
}

/// A method that holds a large request until it is opened, and refuses it where the thread that
/// reads it is the one that reads small ones.
private final class Gate: Sendable {
    static let path = "/test.Gate/Pass"

    private let semaphore = DispatchSemaphore(value: 0)
    private let entries: AsyncStream<Void>
    private let entry: AsyncStream<Void>.Continuation
    private let pollingThread = Guarded<pthread_t?>(nil)

    init() { (entries, entry) = AsyncStream.makeStream() }

    func register(in router: inout Router) {
        router.unary(Self.path) { [self] message, call in
            guard message.byteCount > 0 else {
                pollingThread.withLock { $0 = pthread_self() }
                call.finish([])
                return
            }
            entry.yield()
            guard pollingThread.withLock({ $0 }) != pthread_self() else {
                call.finish(Status(code: .internalError, message: "read on the polling thread"))
                return
            }
            semaphore.wait()
            call.finish([1])
        }
    }

    /// Waits until a large request is being read.
    func reached() async {
        for await _ in entries { return }
    }

    func open() { semaphore.signal() }
}

/// Is asked for a call's account, and answers for one call only when the client has gone.
private final class WaitingRegistrant: Sendable {
    private let entries: AsyncStream<Void>
    private let entry: AsyncStream<Void>.Continuation
    /// How often it will be asked until it waits; nil is for ever.
    private let left = Guarded<Int?>(nil)

    init() { (entries, entry) = AsyncStream.makeStream() }

    /// Has the next large request wait: it asks for its turn, and again when its bytes were read.
    func arm() { left.withLock { $0 = 2 } }

    func callAsFunction(_ caller: Caller) -> Registrant? {
        let waits = left.withLock { left in
            guard let asked = left else { return false }
            left = asked > 1 ? asked - 1 : nil
            return asked == 1
        }
        if waits {
            entry.yield()
            while !caller.hasEnded { sched_yield() }
        }
        return nil
    }

    /// Waits until a large request was read.
    func reached() async {
        for await _ in entries { return }
    }
}
