internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// The rate in a time that the tests count: no machine is too slow for it.
@Suite("The least rate of an upload")
struct AttachmentRateTests {
    private static let second: Int64 = 1_000_000_000

    /// When a caller that sends so many bytes each time is told that it stalls; nil is never.
    private func stall(
        sending byteCount: Int,
        every pause: Int64,
        times: Int,
        working work: Int64 = 0
    ) -> Int64? {
        var limits = StoreLimits()
        limits.transferStallNanoseconds = 2 * Self.second
        limits.transferBytesPerSecond = 500
        let transfer = AttachmentTransfer(limits: limits, at: 0) { _ in }
        var now: Int64 = 0
        for _ in 0..<times {
            now += pause
            if transfer.isStalled(at: now) { return now }
            transfer.work(at: now)
            now += work
            if transfer.isStalled(at: now) { return now }
            transfer.waitForCaller(after: byteCount, at: now)
        }
        return nil
    }

    @Test("A caller that sends a little now and then, below the least rate, is told")
    func trickling() {
        #expect(stall(sending: 1, every: Self.second / 2, times: 100) == 5 * Self.second / 2)
        #expect(stall(sending: 240, every: Self.second / 2, times: 1_000) != nil)
        #expect(stall(sending: 10_000, every: 2 * Self.second, times: 1) == 2 * Self.second)
    }

    @Test("A caller above the least rate goes on for longer than it may do nothing")
    func steady() {
        #expect(stall(sending: 260, every: Self.second / 2, times: 1_000) == nil)
    }

    @Test("The server's own work is not the caller's delay")
    func work() {
        let minute = 60 * Self.second
        #expect(stall(sending: 260, every: Self.second / 2, times: 100, working: minute) == nil)
    }
}
