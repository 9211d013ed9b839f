// Sine and cosine, since the core imports nothing: the series of both, for angles up to 45 degrees.

extension Double {
    /// Gives the sine and the cosine of an angle in degrees, each to about the last bit.
    ///
    /// The sources alone decide the result, so that every machine finds a region in the same cell.
    ///
    /// - Parameter degrees: The angle; finite, and at most some thousands.
    /// - Returns: The sine and the cosine.
    /// - Complexity: O(1), no allocation.
    static func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
        let quarters = (degrees / 90).rounded()
        let rest = (degrees - quarters * 90) * .pi / 180
        let (sine, cosine) = (rest * series(rest * rest, from: 17), series(rest * rest, from: 18))
        switch Int(quarters) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// The sum of `1 - x²/(k(k-1)) (...)` from the smallest term on: with an odd last term the sine
    /// divided by the angle, with an even one the cosine.
    private static func series(_ square: Double, from last: Int) -> Double {
        var sum = 1.0
        for term in stride(from: last, to: 1, by: -2) {
            sum = 1 - square / Double(term * (term - 1)) * sum
        }
        return sum
    }
}
