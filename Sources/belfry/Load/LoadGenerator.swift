internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationClient
internal import NotificationProtocol

/// Makes the calls of a load, and notes their outcomes.
final class LoadGenerator: Sendable {
    let plan: LoadPlan
    let requests: LoadRequests
    let ledger: Guarded<LoadLedger>
    /// The centers' clients, each on one of the connections.
    let centers: [NotificationCenterClient]
    private let meter = Guarded(LoadMeter())
    // How many requests that are not measured were taken to be added.
    private let filled = Guarded(0)
    // Whether calls are measured now.
    private let isMeasuring = Guarded(false)

    init(plan: LoadPlan, centers: [NotificationCenterClient]) {
        self.plan = plan
        self.centers = centers
        requests = LoadRequests(identifiers: plan.identifiers, seed: plan.seed)
        ledger = Guarded(LoadLedger(seed: plan.seed, mix: plan.mix, centers: centers.count))
    }

    /// Runs a stage, and gives what it measured.
    func run(_ stage: LoadStage) async throws -> LoadMeasurement {
        guard plan.isStreamed else { return try await measure(stage, over: nil) }
        return try await centers[0].withScheduler { try await measure(stage, over: $0) }
    }

    private func measure(
        _ stage: LoadStage,
        over stream: NotificationScheduler?
    ) async throws -> LoadMeasurement {
        meter.withLock { $0 = LoadMeter() }
        let pace = LoadPace(rate: stage.rate, warmUp: plan.warmUp, duration: plan.duration)
        return try await withThrowingTaskGroup { group in
            for _ in 0..<stage.inFlight {
                group.addTask { try await self.work(pace, over: stream) }
            }
            try await pace.warmUp()
            isMeasuring.withLock { $0 = true }
            let before = ProcessTime.now
            try await pace.finish()
            isMeasuring.withLock { $0 = false }
            let time = ProcessTime.now - before
            try await group.waitForAll()
            var meter = meter.withLock { $0 }
            meter.unsent = pace.unsent
            return LoadMeasurement(
                stage: stage,
                duration: plan.duration,
                meter: meter,
                processTime: time
            )
        }
    }

    /// Adds requests that are not measured until as many are pending as the plan says.
    ///
    /// - Parameter progress: Is told at each tenth how many there are so far.
    /// - Throws: The refusal of a request, since the load would not be what was asked for.
    func fill(progress: @escaping @Sendable (Int) -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while let (numbers, count) = self.takeFill() {
                        let call = self.ledger.withLock { $0.add(count, fires: false) }
                        guard case .add(let center, let requests, _) = call else { return }
                        try await self.add(requests, [], to: center)
                        let tenth = self.plan.fill / 10
                        if tenth > 0, (numbers + count) / tenth > numbers / tenth {
                            progress(numbers + count)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// How many requests were taken before, and how many to add next; nil when none is left.
    private func takeFill() -> (before: Int, count: Int)? {
        filled.withLock { filled in
            let count = min(plan.fill - filled, 1_000)
            defer { filled += count }
            return count > 0 ? (filled, count) : nil
        }
    }

    func fired(_ number: Int, after time: Duration) {
        ledger.withLock { $0.fired(number) }
        guard isMeasuring.withLock({ $0 }) else { return }
        meter.withLock { $0.fired(after: time) }
    }

    /// Makes one call after another until the stage ends.
    private func work(_ pace: LoadPace, over stream: NotificationScheduler?) async throws {
        while let slot = try await pace.next() {
            let call = ledger.withLock { $0.draw(batch: plan.batch) }
            let begun = ContinuousClock.now
            do throws(ClientError) {
                let count = try await make(call, over: stream)
                let ended = ContinuousClock.now
                guard slot.isMeasured else { continue }
                meter.withLock { meter in
                    meter.answered(call.operation, count, after: ended - slot.intended)
                    if plan.isPaced { meter.lagged(by: begun - slot.intended) }
                }
            } catch {
                guard slot.isMeasured else { continue }
                meter.withLock { $0.failed(call.operation, error) }
            }
        }
    }

    /// Makes a call, and gives the number of its requests that were acknowledged.
    private func make(
        _ call: LoadLedger.Call,
        over stream: NotificationScheduler?
    ) async throws(ClientError) -> Int {
        switch call {
        case .add(let center, let numbers, let due):
            return try await add(numbers, due, to: center, over: stream)
        case .replace(let number, let version):
            try await note({ $0.replaced(number, by: version, $1) }) { () throws(ClientError) in
                let request = requests.request(number, version: version, due: nil)
                if let stream {
                    _ = try await stream.add(request)
                } else {
                    _ = try await client(of: number).add(request)
                }
            }
        case .remove(let number):
            try await note({ $0.removed(number, $1) }) { () throws(ClientError) in
                let identifiers = [requests.identifier(of: number)]
                if let stream {
                    _ = try await stream.removePending(identifiers)
                } else {
                    _ = try await client(of: number).removePending(identifiers)
                }
            }
        case .list(let center):
            _ = try await centers[center].listPending(pageSize: 100)
        }
        return 1
    }

    /// Adds requests, which are due after the given times or else long after the load.
    @discardableResult
    private func add(
        _ numbers: Range<Int>,
        _ due: [Duration],
        to center: Int,
        over stream: NotificationScheduler? = nil
    ) async throws(ClientError) -> Int {
        let made = numbers.enumerated().map { place, number in
            requests.request(number, version: 0, due: due.isEmpty ? nil : due[place])
        }
        guard made.count > 1 else {
            try await note({ $0.added(numbers.lowerBound, $1) }) { () throws(ClientError) in
                if let stream {
                    _ = try await stream.add(made[0], key: IdempotencyKey.make())
                } else {
                    _ = try await centers[center].add(made[0], key: IdempotencyKey.make())
                }
            }
            return 1
        }
        let results: [Result<Belfry_V1_AddResponse, ClientError>]
        do throws(ClientError) {
            results = try await centers[center].addBatch(made, key: IdempotencyKey.make())
        } catch {
            let outcome = LoadLedger.Outcome(error)
            ledger.withLock { ledger in
                for number in numbers { ledger.added(number, outcome) }
            }
            throw error
        }
        var refusal: ClientError?
        ledger.withLock { ledger in
            for (number, result) in zip(numbers, results) {
                if case .failure(let error) = result { refusal = error }
                let outcome: LoadLedger.Outcome =
                    if case .failure(let error) = result { .init(error) } else { .acknowledged }
                ledger.added(number, outcome)
            }
        }
        if let refusal { throw refusal }
        return results.count
    }

    private func client(of number: Int) -> NotificationCenterClient {
        centers[Int(ledger.withLock { $0.entries[number].center })]
    }

    /// Makes a call, and takes note of its outcome.
    private func note(
        _ take: (inout LoadLedger, LoadLedger.Outcome) -> Void,
        _ call: () async throws(ClientError) -> Void
    ) async throws(ClientError) {
        do throws(ClientError) {
            try await call()
        } catch {
            ledger.withLock { take(&$0, LoadLedger.Outcome(error)) }
            throw error
        }
        ledger.withLock { take(&$0, .acknowledged) }
    }
}

extension LoadPlan {
    fileprivate var isPaced: Bool { stages.contains { $0.rate != nil } }
}

extension LoadLedger.Outcome {
    /// Reads the effect of a failed call from its error: a refusal with a reason changed nothing.
    fileprivate init(_ error: ClientError) {
        switch error.code {
        case .unavailable where error.reason == "STOPPING": self = .refused
        case .unavailable, .deadlineExceeded, .cancelled, .unknown, .internalError: self = .unknown
        default: self = error.reason.isEmpty ? .unknown : .refused
        }
    }
}

/// The measurement of a stage, and the way in which it was made.
struct LoadMeasurement {
    let stage: LoadStage
    let duration: Duration
    let meter: LoadMeter
    /// The CPU time that this program took meanwhile.
    let processTime: Duration
}
