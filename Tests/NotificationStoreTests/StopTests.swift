internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// A command in slices, and the rest that a stop between two slices leaves.
struct SlicedCase: CustomTestStringConvertible, Sendable {
    /// The command's type, as `SoundnessTests` looks for it.
    let type: String
    let testDescription: String
    /// The rest that the caller is told.
    let rest: Rest
    /// Makes what the command is about.
    let prepare: @Sendable (TestStore) async throws -> Void
    /// Calls the command with a key.
    let call: @Sendable (TestStore, OnceKey) async -> Result<UInt64, Refusal>
    /// Whether the rest is due work, which goes on until the store is closed.
    var isDueWork = false
    /// Counts what is still to be done.
    let left: @Sendable (TestStore) async throws -> Int

    private static func fill(_ test: TestStore, _ trigger: Duration?) async throws {
        for start in stride(from: 0, to: 600, by: 200) {
            try await test.addAll((start..<start + 200).map { try .titled("\($0)", in: trigger) })
        }
    }

    private static func delivered(_ test: TestStore) async throws -> Int {
        try await test.delivered().count
    }

    private static func pending(_ test: TestStore) async throws -> Int {
        try await test.pending { $0.pageSize = 1_000 }.count
    }

    static func rows<Key: TableKey, Row: TableRow>(
        _ table: @escaping @Sendable (Tables) -> TypedTable<Key, Row>
    ) -> @Sendable (TestStore) async throws -> Int {
        { test in
            let store = test.store
            return try store.environment.reading { transaction throws(StoreFailure) in
                try transaction.keys(in: table(store.tables)).count
            }
        }
    }

    private static func region(_ index: Int) throws -> Region {
        try .circle("home", 38.7, -9.1, radius: 200)
    }

    static let all: [SlicedCase] = [
        SlicedCase(
            type: "RemoveAllCommand",
            testDescription: "all pending are removed",
            rest: .task(.removePending(.local("org.example.app"))),
            prepare: { try await fill($0, .seconds(86_400)) },
            call: { test, key in
                await test.result {
                    $0.removeAllPending(from: test.center, once: key, completion: $1)
                }.map { UInt64($0) }
            },
            left: pending
        ),
        SlicedCase(
            type: "RemoveAllCommand",
            testDescription: "all delivered are removed",
            rest: .task(.removeDelivered(.local("org.example.app"))),
            prepare: { try await fill($0, nil) },
            call: { test, key in
                await test.result {
                    $0.removeAllDelivered(from: test.center, once: key, completion: $1)
                }.map { UInt64($0) }
            },
            left: delivered
        ),
        SlicedCase(
            type: "WithdrawByTagsCommand",
            testDescription: "notifications are taken back from the devices of an expression",
            rest: .task(.withdraw(identifiers: [], expression: "", app: "")),
            prepare: { test in
                for number in 0..<12 {
                    let center = try CenterName(app: test.center.app, device: "d\(number)")
                    try await test.authorize(for: center)
                    let token = try await test.registerForPushes(of: center)
                    _ = try await test.result {
                        $0.setTags(["all"], ofToken: token.text, of: center.app, completion: $1)
                    }.get()
                    try await test.add(.titled("a"), to: center)
                }
            },
            call: { test, key in
                // Many identifiers make a slice of few devices.
                let identifiers = ["a"] + (1..<64).map { "none \($0)" }
                guard let expression = try? TagExpression("all") else { return .success(0) }
                return await test.result {
                    $0.withdraw(
                        identifiers,
                        fitting: expression,
                        of: test.center.app,
                        once: key,
                        completion: $1
                    )
                }
            },
            left: { test in
                var count = 0
                for number in 0..<12 {
                    let center = try CenterName(app: test.center.app, device: "d\(number)")
                    count += Int(try test.state(of: center).deliveredCount)
                }
                return count
            }
        ),
        SlicedCase(
            type: "DismissCommand",
            testDescription: "a group is dismissed",
            rest: .task(.dismissGroup("", device: "")),
            prepare: { try await fill($0, nil) },
            call: { test, key in
                let group = GroupName(center: test.center, kind: .app)
                return await test.result { $0.dismiss(.group(group), once: key, completion: $1) }
                    .map { UInt64($0.count) }
            },
            left: delivered
        ),
        SlicedCase(
            type: "DismissCommand",
            testDescription: "all of a device is dismissed",
            rest: .task(.dismissAll(device: "")),
            prepare: { try await fill($0, nil) },
            call: { test, key in
                await test.result {
                    $0.dismiss(.all(device: test.center.device), once: key, completion: $1)
                }.map { UInt64($0.count) }
            },
            left: delivered
        ),
        SlicedCase(
            type: "UnregisterAppCommand FinishUnregisteringCommand",
            testDescription: "an app is unregistered",
            rest: .kept,
            prepare: { try await fill($0, .seconds(86_400)) },
            call: { test, key in
                await test.result { $0.unregisterApp(test.center, once: key, completion: $1) }
                    .map { UInt64($0.count) }
            },
            left: rows { $0.leaving }
        ),
        SlicedCase(
            type: "ReportCommand FinishReportsCommand SensorQueue",
            testDescription: "a report concerns many regions",
            rest: .kept,
            prepare: { test in
                try await test.allowLocation()
                for start in stride(from: 0, to: 600, by: 200) {
                    try await test.addAll(
                        (start..<start + 200).map {
                            try .titled("\($0)", at: region($0), repeats: true)
                        }
                    )
                }
                try await test.report([.at(38.71, -9.1)])
            },
            call: { test, key in
                await test.result {
                    $0.reportLocation([.at(38.7, -9.1)], on: "local", once: key, completion: $1)
                }
            },
            left: rows { $0.sensorWork }
        ),
        SlicedCase(
            type: "UpdateDeviceCommand",
            testDescription: "a device changes its zone",
            rest: .kept,
            prepare: { test in
                try await test.addAll((0..<200).map { try daily("\($0)") })
            },
            call: { test, key in
                await test.result {
                    $0.updateDeviceState(
                        of: "local",
                        once: key,
                        { $0.timeZone = "Asia/Tokyo" },
                        completion: $1
                    )
                }.map { _ in 0 }
            },
            isDueWork: true,
            left: { test in
                let store = test.store
                let state = try store.environment.reading { transaction throws(StoreFailure) in
                    try transaction.state(store.tables)
                }
                return state.recalculations.count
            }
        ),
        SlicedCase(
            type: "SetClockCommand",
            testDescription: "the clock is set past many dates",
            rest: .kept,
            prepare: { test in
                try await test.addAll((0..<200).map { try daily("\($0)") })
            },
            call: { test, key in
                await test.result {
                    $0.setClock(to: .newYear + .seconds(12 * 3_600), once: key, completion: $1)
                }.map { _ in 0 }
            },
            isDueWork: true,
            left: { test in 200 - (try await delivered(test)) }
        ),
    ]

    static func daily(_ identifier: String) throws -> NotificationRequest {
        var components = CalendarComponents()
        components.hour = 8
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .calendar(try CalendarTrigger(dateComponents: components, repeats: true))
        return request
    }
}

/// Commands in slices end between two slices when the server stops, and the next start goes on
/// (W-25).
@Suite("Stops (W-25)", .timeLimit(.minutes(2)))
struct StopTests {
    private let test: TestStore

    init() async throws {
        // Dates fire and are computed again in slices of a batch.
        test = try TestStore {
            $0.limits.rowsPerBatch = 8
            $0.limits.deliveredPerCenter = 1_000
        }
        try await test.authorize()
    }

    private static let text = "019b76da-a800-7000-8000-000000000001"

    private func key() throws -> OnceKey {
        try OnceKey(Self.text, method: "Sliced", request: [])
    }

    /// Waits until nothing is left, and checks the store.
    private func expectEnd(_ sliced: SlicedCase) async throws {
        let open = SlicedCase.rows { $0.openCommands }
        while try await sliced.left(test) > 0 { await test.settle() }
        while try await open(test) > 0 { await test.settle() }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A stop ends it after a slice, and the next start goes on", arguments: SlicedCase.all)
    func stops(sliced: SlicedCase) async throws {
        try await sliced.prepare(test)
        test.store.endWaits()
        let result = await sliced.call(test, try key())
        #expect(result == .failure(.stopping(leaving: sliced.rest)))
        #expect(try await sliced.left(test) > 0 || sliced.isDueWork)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        try test.reopen()
        // A retry joins the open command, and is told the reply.
        #expect((try? await sliced.call(test, try key()).get()) != nil)
        try await expectEnd(sliced)
    }

    @Test("After a crash the next start goes on, too, without a retry", arguments: SlicedCase.all)
    func crashes(sliced: SlicedCase) async throws {
        try await sliced.prepare(test)
        test.store.endWaits()
        _ = await sliced.call(test, try key())
        #expect(try await sliced.left(test) > 0 || sliced.isDueWork)
        try test.crash()
        try await expectEnd(sliced)
    }

    @Test("What a retry is told counts what was done before the stop")
    func counts() async throws {
        let sliced = SlicedCase.all[0]
        try await sliced.prepare(test)
        test.store.endWaits()
        _ = await sliced.call(test, try key())
        try test.reopen()
        try await test.add(.titled("later", in: .seconds(60)))
        #expect(try await sliced.call(test, try key()).get() == 600)
        // Requests that came after the call stay.
        #expect(try await test.pending().map(\.request.identifier) == ["later"])
    }

    @Test("An advance stands where it is, and a retry goes on from there (AdvanceClockCommand)")
    func advance() async throws {
        try await test.add(.titled("a", in: .seconds(60), repeats: true))
        let target = ClockTarget.by(nanoseconds: Duration.seconds(60 * 1_000).nanoseconds)
        let end = WallInstant.newYear + .seconds(60 * 1_000)
        test.store.endWaits()
        let key = try key()
        let first = await test.result { $0.advanceClock(target, once: key, completion: $1) }
        #expect(first == .failure(.stopping(leaving: .retry)))
        let reached = test.store.clock.now().wall
        #expect(reached > .newYear && reached < end)
        try test.reopen()
        await test.settle()
        #expect(test.store.clock.now().wall == reached)
        let advance = try await test.result {
            $0.advanceClock(target, once: key, completion: $1)
        }.get()
        #expect(advance.now.wall == end)
        #expect(advance.firedCount == 1_000)
    }

    @Test(
        "A part of a batch stands, and a retry adds the rest (AddBatchCommand)",
        arguments: [true, false]
    )
    func batch(crashes: Bool) async throws {
        var requests: [Result<NotificationRequest, Refusal>] = try (0..<600).map {
            .success(try .titled("\($0)", in: .seconds(60)))
        }
        requests[3] = .failure(.stopping)
        let (center, key) = (test.center, try key())
        test.store.endWaits()
        let first = await test.result { [requests] in
            $0.addBatch(requests, to: center, once: key, completion: $1)
        }
        #expect(first == .failure(.stopping(leaving: .retry)))
        #expect(try test.state().pendingCount == 255)
        if crashes { try test.crash() } else { try test.reopen() }
        let results = try await test.result { [requests] in
            $0.addBatch(requests, to: center, once: key, completion: $1)
        }.get()
        #expect(results.count == 600)
        for (index, result) in results.enumerated() {
            #expect((try? result.get().identifier) == (index == 3 ? nil : "\(index)"))
        }
        #expect(try test.state().pendingCount == 599)
        #expect(test.store.counts.adds == 344)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("What waits for its turn did nothing (SkipNextCommand, SetClockCommand)")
    func waiting() async throws {
        try await test.addAll((0..<200).map { try SlicedCase.daily("\($0)") })
        let store = test.store
        let (set, second) = (Pending<Now>(), Pending<Now>())
        let (skip, changed) = (Pending<SkipReply>(), Pending<DeviceState>())
        store.endWaits()
        await test.whileWriterRests {
            store.setClock(to: .newYear + .seconds(9 * 3_600), completion: set.complete)
            store.skipNext("0", of: test.center, completion: skip.complete)
            store.setClock(to: .newYear, completion: second.complete)
            store.updateDeviceState(
                of: "local",
                { $0.timeZone = "Asia/Tokyo" },
                completion: changed.complete
            )
        }
        #expect(await set.value == .failure(.stopping(leaving: .kept)))
        #expect(await skip.value == .failure(.stopping))
        #expect(await second.value == .failure(.stopping))
        #expect(await changed.value == .failure(.stopping))
        #expect(try test.state().deliveredCount < 200)
    }

    @Test("At its bound a stop refuses what is not begun")
    func bound() async throws {
        let store = test.store
        let added = (0..<3).map { _ in Pending<AddReply>() }
        let first = Pending<AddReply>()
        let stopping: Task<Void, Never>
        stopping = try await test.whileWriterRests {
            for (index, pending) in added.enumerated() {
                store.add(try .titled("\(index)"), to: test.center, completion: pending.complete)
            }
            let stopping = Task.detached { store.stop(by: .now) }
            while !store.writer.queue.isClosed { try await Task.sleep(for: .milliseconds(1)) }
            store.add(try .titled("late"), to: test.center, completion: first.complete)
            return stopping
        }
        await stopping.value
        #expect(await first.value == .failure(.stopping))
        for pending in added { #expect(await pending.value == .failure(.stopping)) }
    }

    @Test("A slice of a report fires few requests, however many borders it crosses")
    func reportSlices() async throws {
        try test.reopen { $0.limits.rowsPerBatch = 1_024 }
        let sliced = SlicedCase.all.first { $0.type.contains("ReportCommand") }
        try await #require(sliced).prepare(test)
        let before = test.store.counts
        let crossings = (0..<10).map { LocationFix.at($0 % 2 == 0 ? 38.7 : 38.71, -9.1) }
        #expect(try await test.report(crossings) == 6_000)
        let after = test.store.counts
        let batches = after.batches - before.batches
        #expect(batches > 0 && (after.fired - before.fired) / batches <= 64)
    }
}
