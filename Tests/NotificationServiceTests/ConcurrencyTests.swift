internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import TestSupport
internal import Testing

@Suite("Many at once (M-1, QU-1)", .timeLimit(.minutes(5)))
struct ConcurrencyTests {
    let service: TestService

    init() throws { service = try TestService() }

    @Test("Each client sees its own earlier writes, and its center keeps their order")
    func ownWrites() async throws {
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    let center = try await service.authorizedCenter("org.example.app\(task)")
                    for number in 0..<25 {
                        try await center.add("\(number)", in: .seconds(60))
                        let filter = Belfry_V1_NotificationFilter.identifier("\(number)")
                        #expect(try await center.listPending(filter).requests.count == 1)
                        #expect(try await center.add("\(number)").delivery == UInt64(number + 1))
                        #expect(try await center.listPending(filter).requests.isEmpty)
                        let newest = try await center.listDelivered(
                            order: .newestFirst,
                            pageSize: 1
                        )
                        #expect(newest.notifications.map(\.delivery) == [UInt64(number + 1)])
                        #expect(newest.asOfEvent == UInt64(number + 2))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Tasks that share a center each keep their order, and no delivery number comes twice")
    func sharedCenter() async throws {
        let center = try await service.authorizedCenter()
        let stream = try await service.subscribe()
        let deliveries = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var deliveries: [UInt64] = []
                    for number in 0..<25 {
                        deliveries.append(try await center.add("\(task) \(number)").delivery)
                    }
                    return deliveries
                }
            }
            return try await group.reduce(into: [[UInt64]]()) { $0.append($1) }
        }
        for task in deliveries { #expect(task == task.sorted()) }
        #expect(deliveries.flatMap(\.self).sorted() == Array(1...200))

        let events = try await stream.events(200)
        #expect(events.map(\.number) == Array(2...201))
        #expect(events.map(\.delivered.notification.delivery) == Array(1...200))
        for task in 0..<8 {
            let identifiers = events.map(\.delivered.notification.request.identifier)
                .filter { $0.hasPrefix("\(task) ") }
            #expect(identifiers == (0..<25).map { "\(task) \($0)" })
        }
    }

    @Test("Calls that are sent without waiting are answered, each once")
    func pipelined() async throws {
        let center = try await service.authorizedCenter()
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask { try await center.add("\(number)").state == .delivered }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 500)
    }

    @Test("While the writer rests, a connection has an eighth of the queue and a center a quarter")
    func overloaded() async throws {
        let service = try TestService { $0.limits.queuedCommands = 32 }
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        let others = (0..<2).map { _ in service.anotherConnection() }
        defer { for other in others { other.close() } }
        let refused = Tally()
        let added = Tally()
        try await withThrowingTaskGroup { group in
            try await service.test.whileWriterRests {
                // The last connection has all of its requests taken: the center has its quarter.
                for (turn, channel) in ([service.channel] + others).enumerated() {
                    let center = service.center(over: channel)
                    for number in 0..<6 {
                        group.addTask {
                            do {
                                try await center.add("\(turn)/\(number)")
                                added.insert("\(turn)/\(number)")
                            } catch let error as ClientError {
                                Expected(.resourceExhausted, "OVERLOADED").check(error)
                                #expect(error.retryDelay == .milliseconds(50))
                                refused.insert("\(turn)/\(number)")
                            }
                        }
                    }
                    await refused.reaches([2, 4, 10][turn])
                }
                // Reads need no writer.
                let page = try await center.listDelivered()
                #expect(page.notifications.isEmpty)
            }
            try await group.waitForAll()
        }
        #expect(added.count == 8)
        #expect(try await center.listDelivered().notifications.count == 8)
    }

    @Test("A call that its client has cancelled keeps its connection's place until it is done")
    func cancelledPlaces() async throws {
        let service = try TestService { $0.limits.queuedCommands = 16 }
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        let other = service.anotherConnection()
        defer { other.close() }
        let elsewhere = try await service.test.whileWriterRests {
            let cancelled = (0..<2).map { number in
                Task { try await center.add("cancelled \(number)") }
            }
            while try service.store.usage().queuedCommands < 2 { await Task.yield() }
            for task in cancelled {
                task.cancel()
                await #expect(throws: ClientError.self) { try await task.value }
            }
            let error = try await refusal { try await center.add("one more") }
            Expected(.resourceExhausted, "OVERLOADED").check(error)
            return Task { try await service.center(over: other).add("elsewhere") }
        }
        _ = try await elsewhere.value
        try await center.add("again")
        let names = try await center.listDelivered().notifications.map(\.request.identifier)
        #expect(Set(names) == ["cancelled 0", "cancelled 1", "elsewhere", "again"])
    }

    @Test("A stop under load answers or cuts every call, and each that was answered is on disk")
    func stopUnderLoad() async throws {
        let directory = try ScratchDirectory()
        let answered = try await addUntilStopped(in: directory)
        let test = try TestStore(in: directory)
        let pending = Set(try await test.pending().map(\.request.identifier))
        #expect(answered.subtracting(pending).isEmpty)
        // Each task may have one more request that was made and not answered.
        #expect(pending.count <= answered.count + 8)
    }

    /// Adds from eight tasks until the server stops, and gives what was answered.
    private func addUntilStopped(in directory: ScratchDirectory) async throws -> Set<String> {
        let service = try TestService(in: directory)
        let center = try await service.authorizedCenter()
        let answered = Tally()
        let streams = [try await service.subscribe(), try await service.subscribe { $0.after = 0 }]
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0... {
                        do {
                            try await center.add("\(task) \(number)", in: .seconds(60))
                            answered.insert("\(task) \(number)")
                        } catch {
                            let code = (error as? ClientError)?.code
                            #expect(code == .unavailable || code == .cancelled, "\(error)")
                            return
                        }
                    }
                }
            }
            group.addTask {
                await answered.reaches(100)
                service.server.stop(within: .seconds(5))
            }
        }
        for stream in streams { #expect(await stream.end()?.code == .unavailable) }
        service.stop()
        return answered.values
    }

    @Test("A call whose client has gone is done all the same, and hurts nobody")
    func cancelledCalls() async throws {
        let center = try await service.authorizedCenter()
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let call = Task { try await center.add("\(number)") }
                    if number.isMultiple(of: 2) { call.cancel() }
                    do {
                        _ = try await call.value
                    } catch {
                        #expect((error as? ClientError)?.code == .cancelled)
                        #expect(number.isMultiple(of: 2))
                    }
                }
            }
        }
        #expect(try await center.add("after").state == .delivered)
        #expect(try await center.listDelivered(pageSize: 1_000).notifications.count >= 51)
    }
}

/// The acts of several tasks, counted.
private final class Tally: Sendable {
    private struct State {
        var names: Set<String> = []
        var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Guarded(State())

    var values: Set<String> { state.withLock { $0.names } }
    var count: Int { values.count }

    func insert(_ name: String) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.names.insert(name)
            guard let waiter = state.waiter, state.names.count >= waiter.count else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
    }

    /// Waits until there are so many; one waiter at a time.
    func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                let isReached = state.names.count >= count
                if !isReached { state.waiter = (count, continuation) }
                return isReached
            }
            if isReached { continuation.resume() }
        }
    }
}

extension Belfry_V1_NotificationFilter {
    fileprivate static func identifier(_ identifier: String) -> Self {
        var filter = Self()
        filter.identifiers = [identifier]
        return filter
    }
}
