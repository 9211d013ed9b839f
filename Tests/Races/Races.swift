internal import BelfryLocking

/// Many threads in the shim, the store and the feeds at once, for the thread sanitizer to watch.
///
/// `make races` builds this, and what it needs, with the sanitizer. A data race ends it with the
/// sanitizer's report and 66; anything else that is wrong ends it with another status than 0.
@main
enum Races {
    static func main() async throws {
        for transport in CallRaces.Transport.allCases { try await CallRaces.run(over: transport) }
        try await StoreRaces.run()
        print("no race was seen")
    }
}

/// Tells many tasks when to stop.
final class Bell: Sendable {
    private let rung = Guarded(false)

    /// Whether it is time to stop.
    var hasRung: Bool { rung.withLock { $0 } }

    /// Tells all that it is time to stop.
    func ring() { rung.withLock { $0 = true } }
}
