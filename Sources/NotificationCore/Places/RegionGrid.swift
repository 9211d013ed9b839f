internal import Faults

/// The cell of the grid in which a circle is stored, by its center.
package struct RegionCell: Hashable, Sendable {
    /// The level, by the circle's radius.
    package var level: UInt8
    /// The band between two latitudes, counted from the south pole.
    package var band: UInt32
    /// The cell within the band, counted from the antimeridian eastward.
    package var column: UInt32

    package init(level: UInt8, band: UInt32, column: UInt32) {
        self.level = level
        self.band = band
        self.column = column
    }
}

/// Neighbouring cells of one band.
package struct RegionCells: Hashable, Sendable {
    package var level: UInt8
    package var band: UInt32
    /// The cells within the band.
    package var columns: ClosedRange<UInt32>
}

/// A grid over the earth for each size of circles, so that a fix finds the circles around it.
///
/// A circle lies in one cell: that of its center, in the level of its radius. A cell is at least as
/// high and as wide as the largest circle's radius of its level, so each circle that reaches a
/// point has its center in one of the nine cells at the point. Bands near a pole have fewer cells,
/// and the bands at the pole have one. The cells are stored: they follow from the numbers alone.
package enum RegionGrid {
    /// The radius of the largest circles of the first level, in meters; each level doubles it.
    private static let firstRadius = 128.0
    /// The levels: the last one holds circles of 1,000 km.
    package static let levels: ClosedRange<UInt8> = 0...13
    /// By how much cells are larger than they need be: more than all errors of rounding.
    private static let slack = 1.01

    package static func cell(of circle: CircularRegion) -> RegionCell {
        var level = levels.lowerBound
        while level < levels.upperBound, radius(of: level) < circle.radiusMeters { level += 1 }
        let band = band(at: circle.center.latitude, level)
        let count = columnCount(of: band, level)
        return RegionCell(
            level: level,
            band: UInt32(band),
            column: UInt32(column(at: circle.center.longitude, of: count))
        )
    }

    /// The cells of a level that may hold circles which reach a point, from south to north and from
    /// west to east.
    package static func cells(around point: Coordinate, _ level: UInt8) -> [RegionCells] {
        let middle = band(at: point.latitude, level)
        let bands = max(0, middle - 1)...min(bandCount(level) - 1, middle + 1)
        return bands.flatMap { band in
            let count = columnCount(of: band, level)
            return ranges(around: column(at: point.longitude, of: count), of: count).map {
                RegionCells(
                    level: level,
                    band: UInt32(band),
                    columns: UInt32($0.lowerBound)...UInt32($0.upperBound)
                )
            }
        }
    }

    /// A column and its neighbours, which continue behind the antimeridian.
    private static func ranges(around column: Int, of count: Int) -> [ClosedRange<Int>] {
        let last = count - 1
        guard count > 3 else { return [0...last] }
        if Fault.antimeridianEndsTheWorld.isPlanted {
            return [max(0, column - 1)...min(last, column + 1)]
        }
        switch column {
        case 0: return [0...1, last...last]
        case last: return [0...0, last - 1...last]
        default: return [column - 1...column + 1]
        }
    }

    private static func radius(of level: UInt8) -> Double { firstRadius * Double(1 << Int(level)) }

    /// The least height and width of a cell, as an angle at the middle of the earth, in degrees.
    private static func size(of level: UInt8) -> Double {
        radius(of: level) * slack / Coordinate.earthRadius * 180 / .pi
    }

    private static func bandCount(_ level: UInt8) -> Int { Int(180 / size(of: level)) }

    private static func band(at latitude: Double, _ level: UInt8) -> Int {
        let count = bandCount(level)
        return min(count - 1, Int((latitude + 90) / 180 * Double(count)))
    }

    private static func columnCount(of band: Int, _ level: UInt8) -> Int {
        let height = 180 / Double(bandCount(level))
        let south = Double(band) * height - 90
        // Use the border towards the pole, where the band is narrowest.
        let narrowest = min(
            Double.sineAndCosine(ofDegrees: south).cosine,
            Double.sineAndCosine(ofDegrees: min(90, south + height)).cosine
        )
        let sine = Double.sineAndCosine(ofDegrees: size(of: level)).sine
        guard narrowest > sine else { return 1 }
        // A circle of this radius reaches so far to the east: its angle is at most this bound of
        // the arc sine, which is exact at 0 and at 1.
        let ratio = sine / narrowest
        let reach = ratio + (.pi / 2 - 1) * ratio * ratio * ratio
        return max(1, Int(2 * .pi / reach))
    }

    private static func column(at longitude: Double, of count: Int) -> Int {
        min(count - 1, Int((longitude + 180) / 360 * Double(count)))
    }
}
