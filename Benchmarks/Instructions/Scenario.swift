internal import CCallgrind

/// A fixed amount of work, by the name that the thresholds have for it.
struct Scenario: Sendable {
    let name: String
    /// Does the work, and gives by how many items its counts are to be divided.
    let run: @Sendable () async throws -> Int
}

/// Counts the work of `body`, after it was done once before: so nothing is made for the first time.
func count(_ body: () async throws -> Void) async throws {
    try await body()
    callgrind_start()
    try await body()
    callgrind_stop()
}
