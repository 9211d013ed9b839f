internal import Testing

@testable internal import NotificationStore

@Suite("A batch waits a moment for calls where the last batches had many")
struct CallPaceTests {
    @Test(
        "It waits for half of the larger of the last two batches, from eight calls on",
        arguments: [
            ([], 0), ([1], 0), ([7], 0), ([8], 4), ([40], 20), ([40, 1], 20), ([24, 40], 20),
            ([40, 1, 1], 0), ([1, 64], 32),
        ]
    )
    func awaited(batches: [Int], calls: Int) {
        var pace = CallPace()
        for count in batches { pace.note(count) }
        #expect(pace.awaited == calls)
    }
}
