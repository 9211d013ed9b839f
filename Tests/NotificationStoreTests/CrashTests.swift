internal import BelfryLocking
internal import Foundation
internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

/// The store through SIGKILL: a process may die at any point (P1, P2).
///
/// A power cut, which also takes bytes that the system had not written, is not shown here.
@Suite("Crashes")
struct CrashTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    /// The numbers that the child process wrote down, each when it was acknowledged.
    private func acknowledged() throws -> [Int] {
        // Foundation leaks a page for each empty file that it reads by its name.
        let url = URL(filePath: directory.path + "/acknowledged")
        let bytes = try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    }

    /// Opens the store that the child process left, on a clock that stands still where its last
    /// batch was.
    private func reopen() throws -> TestStore {
        #expect(try StoreAudit.problems(in: directory.path) == [])
        return try TestStore(in: directory) { $0.limits.deliveredPerCenter = 1_000_000 }
    }

    @Test(
        "After SIGKILL under load every acknowledged add is there once, pending or delivered",
        arguments: 0..<6
    )
    func adding(round: Int) async throws {
        let path = directory.path
        let commands = Int.random(in: 1...1_500)
        let delay = UInt32.random(in: 0..<3_000)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, commands = commands as Int, delay = delay as UInt32] in
            try Victim(in: path, clock: .system).addUntilKilled(after: commands, delay: delay)
        }
        let hint: Comment = "\(commands) commands, then \(delay) microseconds"
        let acknowledged = try acknowledged()
        #expect(acknowledged.count >= commands, hint)
        // Commands are carried out in the order in which they were given.
        #expect(acknowledged == Array(0..<acknowledged.count), hint)

        let test = try reopen()
        let pending = try await test.pending().map(\.request.identifier)
        let delivered = try await test.delivered().map(\.request.identifier)
        let stored = pending + delivered
        #expect(Set(stored).count == stored.count, hint)
        let expected = Set((0..<acknowledged.count).flatMap(Victim.identifiers))
        #expect(expected.isSubset(of: stored), hint)
        // Requests that were stored and not acknowledged are the beginning of the open commands.
        let whole = Set((0..<acknowledged.count + Victim.places).flatMap(Victim.identifiers))
        #expect(Set(stored).isSubset(of: whole), hint)

        try await test.advance(by: .seconds(7_200))
        #expect(Set(try await deliveries(test)) == Set(stored), hint)
        #expect(try await deliveries(test).count == stored.count, hint)
        test.close()
        #expect(try StoreAudit.problems(in: path) == [], hint)
    }

    @Test(
        "After SIGKILL while the clock is moved each occurrence is recorded once",
        arguments: 0..<4
    )
    func advancing(round: Int) async throws {
        let path = directory.path
        let commands = Int.random(in: 0...12)
        let delay = UInt32.random(in: 0..<20_000)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, commands = commands as Int, delay = delay as UInt32] in
            let victim = try Victim(in: path, clock: .manual(start: .newYear))
            try victim.advanceUntilKilled(after: commands, delay: delay)
        }
        let hint: Comment = "\(commands) commands, then \(delay) microseconds"
        let fired = try acknowledged().last ?? 0
        let test = try reopen()
        let before = try await deliveries(test)
        #expect(before.count >= fired, hint)
        #expect(try test.state().pendingCount == Victim.dueCount - before.count, hint)
        try await test.advance(by: .seconds(2 * Victim.dueCount))
        let all = try await deliveries(test)
        #expect(all == (0..<Victim.dueCount).map { "\($0)" }, hint)
        #expect(Array(all.prefix(before.count)) == before, hint)
        // No request is late: the clock stood still while nobody moved it.
        #expect(test.store.counts.lateness.maximumNanoseconds == 0, hint)
    }

    /// The identifiers of all deliveries, in their order.
    private func deliveries(_ test: TestStore) async throws -> [String] {
        try await test.events().compactMap { event in
            guard case .delivered(let delivered) = event.kind else { return nil }
            return delivered.notification.request.identifier
        }
    }
}

/// A process that works on a store until it is killed, and writes down the acknowledged commands.
private final class Victim: Sendable {
    /// Commands under way at a time.
    static let places = 64
    /// Requests that are due second after second.
    static let dueCount = 3_000

    private let store: Store
    private let acknowledgements: FileHandle
    private let killsAfter = Guarded<(count: Int, delay: UInt32)?>(nil)
    private let center = CenterName.local("org.example.app")

    init(in path: String, clock: Clock.Form) throws {
        var options = Store.Options(directory: path)
        options.clock = clock
        options.limits.deliveredPerCenter = 1_000_000
        store = try Store(options) { error in preconditionFailure("\(error)") }
        let file = path + "/acknowledged"
        try #require(FileManager.default.createFile(atPath: file, contents: nil))
        acknowledgements = try #require(FileHandle(forWritingAtPath: file))
    }

    /// The identifiers that command `number` adds.
    static func identifiers(of number: Int) -> [String] {
        number % 7 == 6 ? (0..<5).map { "\(number) \($0)" } : ["\(number)"]
    }

    /// One of: due now, due soon, due later.
    private static func request(_ identifier: String, _ number: Int) throws -> NotificationRequest {
        switch number % 3 {
        case 0: try .titled(identifier)
        case 1: try .titled(identifier, in: .microseconds(1 + number % 5_000))
        default: try .titled(identifier, in: .seconds(3_600))
        }
    }

    private func register() {
        let isRegistered = DispatchSemaphore(value: 0)
        store.requestAuthorization([.alert], for: center, answer: .grant) { _ in
            isRegistered.signal()
        }
        isRegistered.wait()
    }

    /// Notes an acknowledgement, and has the process killed some time after the last one wanted.
    private func note(_ number: Int) {
        do {
            try acknowledgements.write(contentsOf: Data("\(number)\n".utf8))
        } catch {
            preconditionFailure("an acknowledgement was not written: \(error)")
        }
        let delay = killsAfter.withLock { rest -> UInt32? in
            rest?.count -= 1
            return rest?.count == 0 ? rest?.delay : nil
        }
        if let delay { Self.kill(after: delay) }
    }

    private static func kill(after microseconds: UInt32) {
        Thread.detachNewThread {
            usleep(microseconds)
            Glibc.kill(getpid(), SIGKILL)
        }
    }

    func addUntilKilled(after commands: Int, delay: UInt32) throws {
        register()
        killsAfter.withLock { $0 = (commands, delay) }
        let places = DispatchSemaphore(value: Self.places)
        for number in 0... {
            places.wait()
            let requests = try Self.identifiers(of: number).map { try Self.request($0, number) }
            if requests.count == 1 {
                store.add(requests[0], to: center) { result in
                    if case .success = result { self.note(number) }
                    places.signal()
                }
            } else {
                store.addBatch(requests.map { .success($0) }, to: center) { result in
                    if case .success = result { self.note(number) }
                    places.signal()
                }
            }
        }
    }

    func advanceUntilKilled(after commands: Int, delay: UInt32) throws {
        register()
        let isFilled = DispatchSemaphore(value: 0)
        let requests = try (0..<Self.dueCount).map { number in
            try NotificationRequest.titled("\(number)", in: .seconds(number + 1))
        }
        store.addBatch(requests.map { .success($0) }, to: center) { _ in isFilled.signal() }
        isFilled.wait()
        if commands == 0 { Self.kill(after: delay) }
        killsAfter.withLock { $0 = (commands, delay) }
        let fired = Guarded(0)
        let isMoved = DispatchSemaphore(value: 0)
        while true {
            let target = ClockTarget.by(nanoseconds: Duration.seconds(400).nanoseconds)
            store.advanceClock(target) { result in
                guard case .success(let advance) = result else { return }
                self.note(
                    fired.withLock { fired in
                        fired += advance.firedCount
                        return fired
                    }
                )
                isMoved.signal()
            }
            isMoved.wait()
        }
    }
}
