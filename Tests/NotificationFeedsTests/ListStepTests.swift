internal import BelfryLocking
internal import Dispatch
internal import Foundation
internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("Long lists go by turns", .timeLimit(.minutes(5)))
struct ListStepTests {
    @Test("A step reads few rows, however long the list is", arguments: [20, 40])
    func steps(count: Int) async throws {
        let test = try TestStore { $0.limits.rowsPerRead = 4 }
        try await test.authorize()
        for number in 0..<count { try await test.add(.titled("\(number)")) }
        var list = DeviceListReader(
            reader: test.feeds.reader,
            query: DeviceListQuery(device: CenterName.localDevice)
        )
        var steps = 1
        var page: DeviceListPage?
        while page == nil {
            page = try list.step()?.get()
            if page == nil { steps += 1 }
        }
        #expect(page?.groups.reduce(0) { $0 + $1.notifications.count } == count)
        // The apps, four notifications at a time, the groups of all, and the page.
        #expect(steps == 1 + count / 4 + 1 + 1)
    }

    @Test("Apps are read some at a time, also for what is snoozed")
    func apps() async throws {
        let test = try TestStore { $0.limits.rowsPerRead = 4 }
        for number in 0..<10 { try await test.authorize(for: .local("app\(number)")) }
        var list = DeviceListReader(
            reader: test.feeds.reader,
            query: DeviceListQuery(device: CenterName.localDevice)
        )
        var steps = 1
        while try list.snoozedStep(at: test.store.clock.now()) == nil { steps += 1 }
        #expect(steps == 3)
    }

    @Test("One caller has one read at a time, and another is served beside it")
    func oneAtATime() async throws {
        let test = try TestStore()
        let readers = test.store.lists
        let (begun, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isNextBegun = Guarded(false)
        let (results, told) = AsyncStream<Int>.makeStream()
        let first = ReadCaller(share: .connection(1))
        readers.read(for: first, { (_: Result<Int, Refusal>) in told.yield(1) }) { () in
            begun.signal()
            ends.wait()
            return 0
        }
        begun.wait()
        readers.read(for: first, { (_: Result<Int, Refusal>) in told.yield(2) }) { () in
            isNextBegun.withLock { $0 = true }
            return 0
        }
        let other = ReadCaller(share: .connection(2))
        readers.read(for: other, { (_: Result<Int, Refusal>) in told.yield(3) }) { () in 0 }
        var order = results.makeAsyncIterator()
        #expect(await order.next() == 3)
        #expect(!isNextBegun.withLock { $0 })
        ends.signal()
        #expect(await order.next() == 1)
        #expect(await order.next() == 2)
    }

    @Test("Between two steps of a read, others have their turn")
    func turns() async throws {
        let test = try TestStore()
        let readers = test.store.lists
        let isDone = Guarded(false)
        let (counts, told) = AsyncStream<Int>.makeStream()
        for caller in [1, 2] as [UInt] {
            let count = Guarded(0)
            readers.readInSteps(
                for: ReadCaller(share: .connection(caller)),
                { (result: Result<Int, Refusal>) in told.yield((try? result.get()) ?? 0) },
                { () throws(Refusal) in
                    let steps = count.withLock { count in
                        count += 1
                        return count
                    }
                    // Real time: lets a thread that was stopped in the other read go on.
                    Thread.sleep(forTimeInterval: 0.000_1)
                    return isDone.withLock { $0 } || steps == Self.tooMany ? steps : nil
                }
            )
        }
        readers.read(for: ReadCaller(share: .connection(3)), { (_: Result<Bool, Refusal>) in }) {
            isDone.withLock { $0 = true }
            return true
        }
        for await steps in counts.prefix(2) { #expect((1..<Self.tooMany).contains(steps)) }
    }

    /// More steps than fit into one turn of another caller.
    private static let tooMany = 100_000
}
