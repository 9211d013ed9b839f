/// A point on the earth, which counts as a ball.
package struct Coordinate: Hashable, Sendable {
    /// Degrees north, -90 to 90.
    package let latitude: Double
    /// Degrees east, -180 to 180.
    package let longitude: Double

    /// The radius of the earth in meters: the mean radius of the WGS 84 ellipsoid.
    static let earthRadius = 6_371_008.8

    /// Makes a point; nil where a number is out of its range or is no number.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Gives the squared length of the straight line through the ball to another point, of a ball
    /// with radius 1.
    ///
    /// It grows with the distance over the ground, also across the antimeridian and at the poles,
    /// and is exact for near points.
    func squaredChord(to other: Coordinate) -> Double {
        let (a, b) = (direction, other.direction)
        let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
        return x * x + y * y + z * z
    }

    /// Gives the squared chord of two points that are `meters` apart; points at the two ends of the
    /// earth are the farthest.
    static func squaredChord(ofMeters meters: Double) -> Double {
        let half = meters / (2 * earthRadius)
        guard half < .pi / 2 else { return .infinity }
        let sine = Double.sineAndCosine(ofDegrees: half * 180 / .pi).sine
        return 4 * sine * sine
    }

    private var direction: (x: Double, y: Double, z: Double) {
        let (north, level) = Double.sineAndCosine(ofDegrees: latitude)
        let (east, front) = Double.sineAndCosine(ofDegrees: longitude)
        return (level * front, level * east, north)
    }
}
