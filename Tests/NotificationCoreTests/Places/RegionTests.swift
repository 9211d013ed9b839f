internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Regions and their borders (§7.4)")
struct RegionTests {
    /// A region, and the field that is said to be wrong.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let make: @Sendable () throws(Refusal) -> Region

        init(
            _ description: String,
            _ field: String,
            _ make: @escaping @Sendable () throws(Refusal) -> Region
        ) {
            testDescription = description
            self.field = field
            self.make = make
        }

        static let all = [
            Wrong("no identifier", "identifier") { () throws(Refusal) in
                try .circle("", 0, 0, radius: 1)
            },
            Wrong("a long identifier", "identifier") { () throws(Refusal) in
                try .circle(String(repeating: "x", count: 257), 0, 0, radius: 1)
            },
            Wrong("LOC-4 neither entry nor exit", "notifyOnEntry") { () throws(Refusal) in
                try .circle(0, 0, radius: 1, onEntry: false, onExit: false)
            },
            Wrong("LOC-4 a radius of 0", "circular.radiusMeters") { () throws(Refusal) in
                try .circle(0, 0, radius: 0)
            },
            Wrong("a radius below 0", "circular.radiusMeters") { () throws(Refusal) in
                try .circle(0, 0, radius: -1)
            },
            Wrong("a radius beyond the cap", "circular.radiusMeters") { () throws(Refusal) in
                try .circle(0, 0, radius: 1_000_000.1)
            },
            Wrong("a radius that is no number", "circular.radiusMeters") { () throws(Refusal) in
                try .circle(0, 0, radius: .nan)
            },
            Wrong("an endless radius", "circular.radiusMeters") { () throws(Refusal) in
                try .circle(0, 0, radius: .infinity)
            },
            Wrong("beyond the pole", "circular.latitude") { () throws(Refusal) in
                try .circle(-90.1, 0, radius: 1)
            },
            Wrong("a latitude that is no number", "circular.latitude") { () throws(Refusal) in
                try .circle(.nan, 0, radius: 1)
            },
            Wrong("beyond the antimeridian", "circular.longitude") { () throws(Refusal) in
                try .circle(0, 180.1, radius: 1)
            },
            Wrong("a minor number alone", "beacon.minor") { () throws(Refusal) in
                try .beacon(minor: 1)
            },
        ]
    }

    @Test("LOC-4: What is out of range is refused by its field", arguments: Wrong.all)
    func refused(wrong: Wrong) throws {
        let refusal = #expect(throws: Refusal.self) { _ = try wrong.make() }
        #expect(refusal?.reason == .regionInvalid)
        #expect(refusal?.fields.map(\.path.text) == ["location.region." + wrong.field])
    }

    @Test("The largest and the smallest circles are accepted, at the poles too")
    func accepted() throws {
        _ = try Region.circle(90, 180, radius: 1_000_000)
        _ = try Region.circle(-90, -180, radius: .leastNonzeroMagnitude)
        _ = try Region.circle(String(repeating: "x", count: 256), 0, 0, radius: 1)
    }

    /// The distance over the ground by the formula of haversines, from another library's functions.
    private func meters(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
        let (south, north) = (a.0 * .pi / 180, b.0 * .pi / 180)
        let (height, width) = (north - south, (b.1 - a.1) * .pi / 180)
        let half =
            pow(sin(height / 2), 2) + cos(south) * cos(north) * pow(sin(width / 2), 2)
        return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }

    @Test("A circle contains what is as near as its radius, all over the earth")
    func distances() throws {
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let center = Place.random(&generator)
            let radius = pow(10, Double.random(in: 0...6, using: &generator))
            let point = Place.near(center, radius: 2 * radius, &generator)
            let distance = meters(center, point)
            guard abs(distance - radius) > 1e-6 * radius + 1e-3 else { continue }
            let circle = try CircularRegion(
                latitude: center.0,
                longitude: center.1,
                radiusMeters: radius
            )
            let place = try #require(Coordinate(latitude: point.0, longitude: point.1))
            #expect(
                circle.contains(place) == (distance < radius),
                "SEED=\(generator.seed) \(center) \(point) \(radius) \(distance)"
            )
        }
    }

    @Test("The cells around a point hold every circle that reaches it")
    func cells() throws {
        var generator = SeededGenerator()
        var found = 0
        for _ in 0..<50_000 {
            let center = Place.random(&generator)
            let radius = pow(10, Double.random(in: 0...6, using: &generator))
            let circle = try CircularRegion(
                latitude: center.0,
                longitude: center.1,
                radiusMeters: radius
            )
            let point = Place.near(center, radius: radius, &generator)
            let place = try #require(Coordinate(latitude: point.0, longitude: point.1))
            guard circle.contains(place) else { continue }
            found += 1
            let cell = RegionGrid.cell(of: circle)
            let cells = RegionGrid.cells(around: place, cell.level)
            #expect(
                cells.contains { $0.band == cell.band && $0.columns.contains(cell.column) },
                "SEED=\(generator.seed) \(center) \(point) \(radius)"
            )
            #expect(cells.reduce(0) { $0 + $1.columns.count } <= 9)
        }
        #expect(found > 10_000)
    }
}

/// Random places, more often near the poles and the antimeridian than chance has them.
private enum Place {
    static func random(_ generator: inout SeededGenerator) -> (Double, Double) {
        let latitude: Double =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: 90 - pow(10, Double.random(in: -5...1, using: &generator))
            case 1: -90 + pow(10, Double.random(in: -5...1, using: &generator))
            default: Double.random(in: -90...90, using: &generator)
            }
        let longitude: Double =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: 180 - pow(10, Double.random(in: -5...1, using: &generator))
            case 1: [-180, 180, 0, 90].randomElement(using: &generator) ?? 0
            default: Double.random(in: -180...180, using: &generator)
            }
        return (latitude, longitude)
    }

    /// A place up to about `radius` meters away.
    static func near(
        _ center: (Double, Double),
        radius: Double,
        _ generator: inout SeededGenerator
    ) -> (Double, Double) {
        let angle = Double.random(in: 0...1.02, using: &generator) * radius / 6_371_008.8
        let bearing = Double.random(in: 0..<(2 * .pi), using: &generator)
        let latitude = center.0 * .pi / 180
        let north = asin(
            max(-1, min(1, sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)))
        )
        let east = atan2(
            sin(bearing) * sin(angle) * cos(latitude),
            cos(angle) - sin(latitude) * sin(north)
        )
        var longitude = center.1 + east * 180 / .pi
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return (north * 180 / .pi, max(-180, min(180, longitude)))
    }
}
