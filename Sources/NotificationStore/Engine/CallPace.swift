/// How many calls are likely to come together, as the last batches had them.
///
/// Those who keep many calls open send the next ones once the last ones are answered. They come one
/// by one, and a batch that began with the first of them would leave most to the next batch.
struct CallPace: Equatable {
    /// How often, and for how long, a batch waits for more calls at most: together about as long as
    /// a sync takes.
    static let naps = 2
    static let napMicroseconds: UInt32 = 20

    /// The calls of a batch from which on more are awaited.
    private static let several = 8
    private var last = 0
    private var lastButOne = 0

    /// Notes the calls of a batch.
    mutating func note(_ count: Int) {
        lastButOne = last
        last = count
    }

    /// The calls for which a batch waits a moment; 0 where none are likely.
    var awaited: Int {
        let most = max(last, lastButOne)
        return most < Self.several ? 0 : most / 2
    }
}
