internal import Foundation

/// Random numbers that a seed repeats: SplitMix64.
///
/// A test prints its ``seed``; `SEED=... swift test` runs it again with the same numbers.
package struct SeededGenerator: RandomNumberGenerator {
    /// The seed from which the numbers follow.
    package let seed: UInt64
    private var state: UInt64

    /// Begins with `seed`, or with the environment's `SEED`, or with a random seed.
    package init(seed: UInt64? = nil) {
        let asked = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
        self.seed = seed ?? asked ?? UInt64.random(in: 0 ... .max)
        state = self.seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
