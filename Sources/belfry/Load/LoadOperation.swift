internal import ArgumentParser

enum LoadOperation: String, CaseIterable {
    /// Adds a request that is due long after the load.
    case add
    /// Adds a request that is due in one to three seconds, which a subscriber waits for.
    case fire
    /// Adds a request under the identifier of a pending one.
    case replace
    /// Removes a pending request.
    case remove
    /// Lists a page of pending requests.
    case list
}

/// How often each operation is called, in proportion to the others.
struct LoadMix: ExpressibleByArgument, CustomStringConvertible, Equatable {
    private let weights: [(operation: LoadOperation, weight: Int)]
    private let total: Int

    static let adds = LoadMix([(.add, 1)])

    private init(_ weights: [(operation: LoadOperation, weight: Int)]) {
        self.weights = weights
        total = weights.reduce(0) { $0 + $1.weight }
    }

    /// Reads "add=80,fire=10,remove=10"; an operation without a weight has 1.
    ///
    /// Gives nil for another word, for a weight that is not 1 to 1,000,000, and for an operation
    /// that comes twice.
    init?(argument: String) {
        var weights: [(operation: LoadOperation, weight: Int)] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let operation = LoadOperation(rawValue: String(words[0])),
                let weight = words.count == 1 ? 1 : Int(words[1]),
                (1...1_000_000).contains(weight),
                !weights.contains(where: { $0.operation == operation })
            else { return nil }
            weights.append((operation, weight))
        }
        self.init(weights)
    }

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    var description: String {
        weights.count == 1
            ? weights[0].operation.rawValue
            : weights.map { "\($0.operation.rawValue)=\($0.weight)" }.joined(separator: ",")
    }

    var defaultValueDescription: String { description }

    func has(_ operation: LoadOperation) -> Bool {
        weights.contains { $0.operation == operation }
    }

    func draw(using generator: inout some RandomNumberGenerator) -> LoadOperation {
        var left = Int.random(in: 0..<total, using: &generator)
        for (operation, weight) in weights {
            left -= weight
            if left < 0 { return operation }
        }
        return weights[0].operation
    }
}
