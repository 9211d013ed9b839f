internal import BelfryLMDB
internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("A full store and a full queue (QU-1, ST-2)", .timeLimit(.minutes(2)))
struct FullStoreTests {
    /// Adds pending requests of 8 KiB until the store is full, and gives those that were accepted.
    private func fill(_ test: TestStore) async throws -> [String] {
        let body = String(repeating: "b", count: 8_192)
        var accepted: [String] = []
        while true {
            let identifier = "request \(accepted.count)"
            do {
                try await test.add(.titled(identifier, in: .seconds(60)) { $0.body = body })
                accepted.append(identifier)
            } catch let refusal as Refusal {
                #expect(refusal.kind == .resourceExhausted)
                #expect(refusal.reason == .storeFull)
                #expect(refusal.retryAfterNanoseconds == nil)
                return accepted
            }
        }
    }

    private func smallStore() throws -> TestStore {
        try TestStore { $0.environment.mapSize = 1 << 22 }
    }

    @Test("Adds are refused, and what was accepted is there")
    func refused() async throws {
        let test = try smallStore()
        try await test.authorize()
        let accepted = try await fill(test)
        #expect(accepted.count > 50)
        #expect(test.failure == nil)
        #expect(Set(try await test.pending().map(\.request.identifier)) == Set(accepted))
        #expect(try test.state().pendingCount == accepted.count)
        try test.reopen()
        #expect(Set(try await test.pending().map(\.request.identifier)) == Set(accepted))
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Of a batch that the store has no room for, what fits is added, and the rest refused")
    func batchTooLarge() async throws {
        let test = try smallStore()
        try await test.authorize()
        let body = String(repeating: "b", count: 60_000)
        let results = try await test.addBatch(
            (0..<100).map { .success(try .titled("\($0)") { $0.body = body }) }
        )
        let added = results.prefix { (try? $0.get()) != nil }.count
        #expect((10..<70).contains(added))
        for case .failure(let refusal) in results { #expect(refusal.reason == .storeFull) }
        #expect(results.dropFirst(added).allSatisfy { (try? $0.get()) == nil })
        #expect(test.failure == nil)
        #expect(try await test.delivered().count == added)
        #expect(try await test.removeAllDelivered() == added)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Large rows that are removed from a full store give their room back without a restart")
    func largeRows() async throws {
        let test = try TestStore { $0.limits.storeBytes = 4 << 20 }
        try await test.authorize()
        try await test.authorize(for: .local("other"))
        let app = try test.subscribe(as: DelegateRole(capabilities: .didReceive), .background)
        let text = String(repeating: "u", count: 60_000)
        let reply = NotificationAction(identifier: "a", title: "A", textInput: ActionTextInput())
        let request = try NotificationRequest.titled("a") { $0.actions = [reply] }
        var count = 0
        while case .success(let added)? = try await test.addBatch([.success(request)]).first,
            case .delivered(let delivery) = added.state
        {
            let shown = test.reference("a", delivery)
            let act = PersonAct.action(identifier: "a", text: text)
            guard (try? await test.respond(act, to: shown)) != nil else { break }
            count += 1
        }
        #expect(count > 50)
        // The texts are in events from then on, whose rows are merged later than they are written.
        let callbacks = try await app.callbacks(count).map(\.number)
        _ = try await test.complete(callbacks, with: .taken, through: app)
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        var refusals = 0
        let other = try NotificationRequest.titled("b")
        while try await test.addBatch([.success(other)], to: .local("other")).contains(where: {
            (try? $0.get()) == nil
        }),
            refusals < 200
        {
            refusals += 1
        }
        #expect(refusals < 10)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Removals make room in a full store")
    func removals() async throws {
        let test = try smallStore()
        try await test.authorize()
        let accepted = try await fill(test)
        #expect(try await test.removePending(Array(accepted.prefix(5))).count == 5)
        try await test.add(.titled("after"))
        #expect(try await test.removeAllPending() == accepted.count - 5)
        #expect(try await fill(test).count > accepted.count / 2)
    }

    @Test("What is due still fires in a full store")
    func firing() async throws {
        let test = try smallStore()
        try await test.authorize()
        let accepted = try await fill(test)
        #expect(try await test.advance(by: .seconds(60)).firedCount == accepted.count)
        #expect(try await test.delivered().count == accepted.count)
    }

    @Test("Calls are done while due work finds no space")
    func dueWithoutSpace() async throws {
        let test = try TestStore {
            $0.environment.mapSize = 1 << 21
            // All due work at once needs more than the reserve of the store.
            $0.limits.rowsPerBatch = 20_000
        }
        try await test.authorize()
        let delay = Duration.seconds(3_600)
        var count = 0
        while true {
            let requests = try (count..<count + 100).map { number in
                try NotificationRequest.titled("\(number)", in: delay)
            }
            let results = try await test.addBatch(requests.map { .success($0) })
            if results.contains(where: { (try? $0.get()) == nil }) { break }
            count += 100
        }
        // All requests fall due at one instant, which comes while the writer rests: they were added
        // on a clock that stands still, however long that took.
        let left = Duration.seconds(5)
        #expect(try await test.advance(by: delay - left).firedCount == 0)
        try test.reopen { $0.clock = .system }
        let due = ContinuousClock.now + left
        let identifiers = (count - 10..<count).map { "\($0)" }
        let removal = Pending<[String]>()
        try await test.whileWriterRests {
            try await Task.sleep(until: due)
            test.store.removePending(identifiers, from: test.center, completion: removal.complete)
        }
        #expect(try await removal.value.get() == identifiers)
        #expect(test.failure == nil)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    /// A store with a daily request and a device that is known, since a new one may find no room.
    private func storeWithDate(
        _ configure: (inout Store.Options) -> Void = { _ in }
    ) async throws -> TestStore {
        let test = try TestStore(configure)
        try await test.authorize()
        var components = CalendarComponents()
        components.hour = 8
        var request = try NotificationRequest.titled("daily")
        request.trigger = .calendar(
            try CalendarTrigger(dateComponents: components, repeats: true)
        )
        try await test.add(request)
        try await test.updateDevice { $0.isLocked = true }
        return test
    }

    /// Moves the device to Tokyo, which computes the date again.
    private func move(_ test: TestStore) async throws -> Result<DeviceState, Refusal> {
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "UpdateDevice", request: [])
        return await test.result {
            let tokyo: @Sendable (inout DeviceState) -> Void = { $0.timeZone = "Asia/Tokyo" }
            $0.updateDeviceState(of: "local", once: key, tokyo, completion: $1)
        }
    }

    @Test("Calls that wait for due work are refused where that has no room, and go on once it has")
    func waitsForDueWork() async throws {
        let test = try await storeWithDate()
        // Any store has more bytes than that.
        try test.reopen { $0.limits.storeBytes = 1 }
        #expect(try await move(test) == .failure(.storeFullMidway))
        #expect(
            await test.result { $0.advanceClock(.toNextDue, completion: $1) }
                == .failure(.storeFull)
        )
        #expect(
            await test.result { $0.setClock(to: .newYear, completion: $1) } == .failure(.storeFull)
        )
        // It moves no dates.
        #expect(try await !test.updateDevice { $0.isLocked = false }.isLocked)
        try test.reopen { $0.limits.storeBytes = nil }
        #expect(try await move(test).get().timeZone == "Asia/Tokyo")
        // Eight in Tokyo is the hour before midnight.
        let next = try await test.pending().map(\.nextFire)
        #expect(next == [.newYear + .seconds(23 * 3_600)])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Due work goes on as soon as removals have made room")
    func goesOnWithRoom() async throws {
        // The last add that fits takes the room of due work, too.
        let test = try await storeWithDate {
            $0.limits.storeBytes = 2 << 20
            $0.limits.reservedBytes = 1
        }
        let accepted = try await fill(test)
        #expect(try await move(test) == .failure(.storeFullMidway))
        #expect(try await test.removePending(accepted) == accepted)
        #expect(try await move(test).get().timeZone == "Asia/Tokyo")
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Beyond its own limit a store refuses adds, and still removes and delivers")
    func storeLimit() async throws {
        let limit = 2 << 20
        let test = try TestStore { $0.limits.storeBytes = limit }
        try await test.authorize()
        let accepted = try await fill(test)
        let usage = try test.store.usage()
        #expect(usage.limitBytes == limit)
        #expect(usage.usedBytes > limit && usage.usedBytes < limit + limit / 4)
        #expect(try await test.advance(by: .seconds(60)).firedCount == accepted.count)
        #expect(try await test.removeAllDelivered() == accepted.count)
    }

    @Test("A command beyond its center's places is refused with a time to retry; the rest is done")
    func queueFull() async throws {
        let test = try TestStore { $0.limits.queuedCommands = 40 }
        try await test.authorize()
        let request = try NotificationRequest.titled("a")
        let replies = (0..<13).map { _ in Pending<AddReply>() }
        await test.whileWriterRests {
            for reply in replies {
                test.store.add(request, to: test.center, completion: reply.complete)
            }
            // The refusals are told at once, not when the writer goes on.
            #expect(replies.map(\.isComplete) == (0..<13).map { $0 >= 10 })
            #expect((try? test.store.usage())?.queuedCommands == 10)
        }
        for (index, reply) in replies.enumerated() {
            switch await reply.value {
            case .success(let reply):
                #expect(reply.state == .delivered(DeliveryNumber(index + 1)))
            case .failure(let refusal):
                #expect(index >= 10)
                #expect(refusal.kind == .resourceExhausted)
                #expect(refusal.reason == .overloaded)
                #expect(refusal.retryAfterNanoseconds.map { $0 > 0 } == true)
            }
        }
        try await test.add(request)
        #expect(try test.state().lastDelivery == 11)
    }

    @Test("One center cannot take the places of the others, and all together not more than all")
    func places() async throws {
        let test = try TestStore { $0.limits.queuedCommands = 8 }
        let centers = (0..<5).map { CenterName.local("org.example.\($0)") }
        for center in centers { try await test.authorize(for: center) }
        let request = try NotificationRequest.titled("a")
        // Do it twice, since places are given back.
        for _ in 0..<2 {
            let replies = (0..<15).map { _ in Pending<AddReply>() }
            await test.whileWriterRests {
                for (index, reply) in replies.enumerated() {
                    test.store.add(request, to: centers[index / 3], completion: reply.complete)
                }
            }
            var refused: [Int] = []
            for (index, reply) in replies.enumerated() {
                guard case .failure(let refusal) = await reply.value else { continue }
                #expect(refusal.reason == .overloaded)
                #expect(refusal.retryAfterNanoseconds.map { $0 > 0 } == true)
                refused.append(index)
            }
            // Each caller gets a quarter of the places, until the queue is full.
            #expect(refused == [2, 5, 8, 11, 12, 13, 14])
        }
    }

    @Test("A batch takes no more than its rows, the rest comes in the next ones, in order")
    func rowsPerBatch() async throws {
        let test = try TestStore { $0.limits.rowsPerBatch = 10 }
        try await test.authorize()
        let batches = test.store.counts.batches
        await test.whileWriterRests {
            for index in 0..<35 {
                guard let request = try? NotificationRequest.titled("\(index)") else { continue }
                test.store.add(request, to: test.center) { _ in }
            }
        }
        await test.settle()
        let identifiers = try await test.delivered().map(\.request.identifier)
        #expect(identifiers == (0..<35).reversed().map { "\($0)" })
        // The batches are the resting one, four with the adds, and at least one of settling.
        #expect(test.store.counts.batches - batches >= 6)
    }
}
