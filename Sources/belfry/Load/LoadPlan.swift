internal import ArgumentParser

/// The order of the identifiers of a load's requests.
enum LoadIdentifiers: String, CaseIterable, ExpressibleByArgument {
    /// Each identifier sorts after the one before.
    case sequential
    /// The identifiers come in no order, as version 4 UUIDs do.
    case random
}

struct LoadStage: Equatable {
    /// How many calls are open at most.
    var inFlight: Int
    /// How many calls begin in a second; nil begins one whenever another has ended.
    var rate: Double?

    /// The stage in a few words.
    var name: String {
        guard let rate else { return "\(inFlight) in flight" }
        return "\(LoadText.count(rate)) calls/s, at most \(inFlight) in flight"
    }
}

/// The value that changes from stage to stage of a sweep: "in-flight=1,16,64" or "rate=1000,2000".
struct LoadSweep: ExpressibleByArgument {
    /// The changed option.
    enum Axis: String {
        case inFlight = "in-flight"
        case rate
    }

    let axis: Axis
    let values: [Double]

    init?(argument: String) {
        let words = argument.split(separator: "=", maxSplits: 1)
        guard words.count == 2, let axis = Axis(rawValue: String(words[0])) else { return nil }
        let values = words[1].split(separator: ",", omittingEmptySubsequences: false).map {
            Double(String($0))
        }
        let known = values.compactMap(\.self).filter { $0.isFinite && $0 > 0 }
        guard known.count == values.count, !values.isEmpty else { return nil }
        guard axis == .rate || known.allSatisfy({ $0 == $0.rounded() }) else { return nil }
        self.axis = axis
        self.values = known
    }
}

struct LoadPlan {
    var stages: [LoadStage]
    var duration: Duration
    var warmUp: Duration
    /// The number of requests of one call that adds; 1 calls Add, more call AddBatch.
    var batch: Int
    /// Whether adds and removals go over one stream.
    var isStreamed: Bool
    var centers: Int
    var mix: LoadMix
    var identifiers: LoadIdentifiers
    var seed: UInt64
    /// How many requests are pending before the first stage.
    var fill: Int
}

/// Numbers as people read them.
enum LoadText {
    /// A count or a rate, whole from 100 on.
    static func count(_ value: Double) -> String {
        guard value < 100, value != value.rounded() else { return String(Int(value.rounded())) }
        return String((value * 10).rounded() / 10)
    }

    /// A duration in nanoseconds with three digits: 243us, 2.61ms, 1.20s.
    static func duration(_ nanoseconds: UInt64) -> String {
        let value = Double(nanoseconds)
        switch nanoseconds {
        case ..<1_000_000: return "\(digits(value / 1_000))us"
        case ..<1_000_000_000: return "\(digits(value / 1_000_000))ms"
        default: return "\(digits(value / 1_000_000_000))s"
        }
    }

    /// Three digits of a number, or all before the point.
    private static func digits(_ value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let scale: Double = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let scaled = Int((value * scale).rounded())
        guard decimals > 0 else { return String(scaled) }
        let whole = scaled / Int(scale)
        let fraction = String(scaled % Int(scale))
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(whole).\(zeros)\(fraction)"
    }
}
