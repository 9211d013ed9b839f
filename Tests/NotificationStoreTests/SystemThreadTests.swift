internal import BelfryLocking
internal import Glibc
internal import Testing

@testable internal import NotificationStore

@Suite("Threads of the system")
struct SystemThreadTests {
    private static func ownNiceness() -> Int32 {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    }

    @Test("A thread that stands back does so alone", arguments: [0, 3, 10] as [Int32])
    func niceness(niceness: Int32) {
        let before = Self.ownNiceness()
        let found = Guarded<Int32?>(nil)
        SystemThread(named: "test", niceness: niceness) {
            found.withLock { $0 = Self.ownNiceness() }
        }.join()
        #expect(found.withLock { $0 } == min(before + niceness, 19))
        #expect(Self.ownNiceness() == before)
    }
}
