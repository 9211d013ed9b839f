/// Waits for what another thread does in its own time.
package func eventually(_ condition: () -> Bool) async throws -> Bool {
    // Real time: ends the wait for what never happens.
    for _ in 0..<6_000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    return condition()
}
