/// The state of each request of a load, as far as answers to its calls tell.
///
/// A request is the number of its entry. No two calls that change the same request are open at a
/// time: a worker that takes a request from the ledger gives it back with the outcome of the call.
struct LoadLedger {
    /// Where a request is, as far as answers tell.
    enum State: UInt8 {
        /// No call added it.
        case absent
        /// It was acknowledged.
        case present
        /// A call that may have added or removed it had no answer.
        case unknown
    }

    /// The outcome of a call for one request.
    enum Outcome {
        case acknowledged
        /// The server refused the call, which changed nothing.
        case refused
        /// Nothing tells whether the call had an effect.
        case unknown
    }

    struct Entry {
        let center: Int32
        /// Whether it is due in the load, and a subscriber waits for it.
        let fires: Bool
        var state = State.absent
        /// How often it was replaced, by calls that were acknowledged.
        var version: UInt8 = 0
        /// The version of a call without an answer, which may be the one that is pending.
        var otherVersion: UInt8?
        /// How often a subscriber was told that it was delivered.
        var firings: UInt8 = 0
    }

    private(set) var entries: [Entry] = []
    // The requests that are pending for sure and that no open call changes.
    private var settled: [Int] = []
    // How many acknowledged requests fire, and how many of these have fired.
    private(set) var expectedFirings = 0
    private(set) var seenFirings = 0
    private var generator: LoadRandom
    private let mix: LoadMix
    private let centers: Int
    private var nextCenter = 0

    init(seed: UInt64, mix: LoadMix, centers: Int) {
        generator = LoadRandom(seed: seed)
        self.mix = mix
        self.centers = centers
    }

    /// The call that a worker makes next.
    enum Call {
        /// Adds requests of one center; those that fire are due after the given times.
        case add(center: Int, requests: Range<Int>, due: [Duration])
        case replace(request: Int, version: UInt8)
        case remove(request: Int)
        case list(center: Int)

        var operation: LoadOperation {
            switch self {
            case .add(_, _, let due): due.isEmpty ? .add : .fire
            case .replace: .replace
            case .remove: .remove
            case .list: .list
            }
        }
    }

    /// Draws a call; where nothing is there to replace or remove, one that adds.
    mutating func draw(batch: Int) -> Call {
        let operation = mix.draw(using: &generator)
        switch operation {
        case .add: return add(batch, fires: false)
        case .fire: return add(batch, fires: true)
        case .list: return .list(center: takeCenter())
        case .replace, .remove:
            guard let request = takeSettled() else { return add(batch, fires: false) }
            guard operation == .replace, entries[request].version < .max else {
                return .remove(request: request)
            }
            return .replace(request: request, version: entries[request].version + 1)
        }
    }

    /// Makes requests of the next center that a call is about to add.
    mutating func add(_ count: Int, fires: Bool) -> Call {
        let center = takeCenter()
        let requests = entries.count..<(entries.count + count)
        entries += repeatElement(Entry(center: Int32(center), fires: fires), count: count)
        let due = (0..<(fires ? count : 0)).map { _ in
            Duration.milliseconds(Int.random(in: 1_000...3_000, using: &generator))
        }
        return .add(center: center, requests: requests, due: due)
    }

    mutating func added(_ request: Int, _ outcome: Outcome) {
        switch outcome {
        case .refused: break
        case .unknown: entries[request].state = .unknown
        case .acknowledged:
            entries[request].state = .present
            guard entries[request].fires else { return settled.append(request) }
            expectedFirings += 1
            // Count here, too: an answer can come after the event.
            if entries[request].firings > 0 { seenFirings += 1 }
        }
    }

    mutating func replaced(_ request: Int, by version: UInt8, _ outcome: Outcome) {
        switch outcome {
        case .refused: settled.append(request)
        case .unknown: entries[request].otherVersion = version
        case .acknowledged:
            entries[request].version = version
            settled.append(request)
        }
    }

    mutating func removed(_ request: Int, _ outcome: Outcome) {
        switch outcome {
        case .refused: settled.append(request)
        case .unknown: entries[request].state = .unknown
        case .acknowledged: entries[request].state = .absent
        }
    }

    mutating func fired(_ request: Int) {
        guard entries.indices.contains(request) else { return }
        if entries[request].firings < .max { entries[request].firings += 1 }
        if entries[request].firings == 1, entries[request].state == .present { seenFirings += 1 }
    }

    private mutating func takeCenter() -> Int {
        defer { nextCenter = (nextCenter + 1) % centers }
        return nextCenter
    }

    private mutating func takeSettled() -> Int? {
        guard !settled.isEmpty else { return nil }
        settled.swapAt(Int.random(in: settled.indices, using: &generator), settled.count - 1)
        return settled.removeLast()
    }
}

/// The pseudo-random numbers of a load: SplitMix64.
struct LoadRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    /// Maps numbers to numbers that look random, no two to the same.
    static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
