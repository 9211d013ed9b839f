internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Random walks over random circles, against a second evaluation that was written from the rules
/// alone: it looks at every circle for every fix, with another formula for the distance.
@Suite("Walks over many circles, against the rules (LOC-1, LOC-2)")
struct PlaceWalkTests {
    /// A circle with the facts that the rules need.
    private struct Circle {
        var identifier: String
        var center: (Double, Double)
        var radius: Double
        var onEntry: Bool
        var onExit: Bool
        var repeats: Bool
        var isInside: Bool?
    }

    private static let earth = 6_371_008.8

    /// The distance over the ground by haversines, for the second evaluation.
    private static func meters(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
        let (south, north) = (a.0 * .pi / 180, b.0 * .pi / 180)
        let half =
            pow(sin((north - south) / 2), 2)
            + cos(south) * cos(north) * pow(sin((b.1 - a.1) * .pi / 360), 2)
        return 2 * earth * asin(min(1, half.squareRoot()))
    }

    /// The place that is so many meters away from another one.
    private static func place(
        _ from: (Double, Double),
        _ meters: Double,
        _ bearing: Double
    ) -> (Double, Double) {
        let (angle, latitude) = (meters / earth, from.0 * .pi / 180)
        let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
        let north = asin(max(-1, min(1, sine)))
        let east = atan2(
            sin(bearing) * sin(angle) * cos(latitude),
            cos(angle) - sin(latitude) * sin(north)
        )
        var longitude = from.1 + east * 180 / .pi
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return (north * 180 / .pi, max(-180, min(180, longitude)))
    }

    /// Where walks begin: in a city, at a pole, at the antimeridian, and where both are near.
    static let places: [(Double, Double)] = [
        (38.7, -9.1), (90, 0), (-89.999, 77), (0, 180), (-17, -179.999), (89.99, 180),
    ]

    @Test("Each fix fires what the rules say", arguments: places.indices)
    func walk(index: Int) async throws {
        let begin = Self.places[index]
        var generator = SeededGenerator()
        let hint: Comment = "SEED=\(generator.seed)"
        let test = try TestStore()
        try await test.authorize()
        try await test.allowLocation()
        var circles: [Circle] = []
        for number in 0..<150 {
            let radius = pow(10, Double.random(in: 1...5.9, using: &generator))
            let center = Self.place(
                begin,
                Double.random(in: 0...3, using: &generator) * radius,
                Double.random(in: 0..<6.28, using: &generator)
            )
            let onEntry = Bool.random(using: &generator)
            circles.append(
                Circle(
                    identifier: "\(number)",
                    center: center,
                    radius: radius,
                    onEntry: onEntry,
                    onExit: !onEntry || Bool.random(using: &generator),
                    repeats: Int.random(in: 0..<4, using: &generator) > 0
                )
            )
        }
        // Add some circles on the way: their states are unknown then.
        var watched: [Circle] = []
        var position = begin
        for step in 0..<120 {
            let count = step == 0 ? 100 : Int.random(in: 0...1, using: &generator)
            let added = Array(circles.prefix(count))
            circles.removeFirst(added.count)
            watched += added
            try await test.addAll(try added.map(request))
            position = Self.place(
                Int.random(in: 0..<10, using: &generator) == 0 ? begin : position,
                pow(10, Double.random(in: 0...5.5, using: &generator)),
                Double.random(in: 0..<6.28, using: &generator)
            )
            // Skip a place so close to a border that it may count as either side.
            guard
                watched.allSatisfy({ circle in
                    abs(Self.meters(circle.center, position) - circle.radius) > 0.01
                })
            else { continue }
            let expected = Self.cross(&watched, at: position)
            let last = try await test.events().count
            let fired = try await test.report([.at(position.0, position.1)])
            let told = try await test.events().dropFirst(last).compactMap { event -> String? in
                guard case .delivered(let delivered) = event.kind else { return nil }
                return delivered.notification.request.identifier
            }
            #expect(told.sorted() == expected.sorted(), hint)
            #expect(fired == UInt64(expected.count), hint)
        }
        #expect(
            try await Set(test.pending().map(\.request.identifier))
                == Set(watched.map(\.identifier)),
            hint
        )
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [], hint)
    }

    private func request(_ circle: Circle) throws -> NotificationRequest {
        let region = try Region.circle(
            circle.identifier,
            circle.center.0,
            circle.center.1,
            radius: circle.radius,
            onEntry: circle.onEntry,
            onExit: circle.onExit
        )
        return try .titled(circle.identifier, at: region, repeats: circle.repeats)
    }

    /// The circles that a fix fires, by the rules; circles that fired and do not repeat are gone.
    private static func cross(
        _ circles: inout [Circle],
        at position: (Double, Double)
    ) -> [String] {
        var fired: [String] = []
        for index in circles.indices.reversed() {
            let isInside = meters(circles[index].center, position) <= circles[index].radius
            let before = circles[index].isInside
            circles[index].isInside = isInside
            guard let before, before != isInside,
                isInside ? circles[index].onEntry : circles[index].onExit
            else { continue }
            fired.append(circles[index].identifier)
            if !circles[index].repeats { circles.remove(at: index) }
        }
        return fired
    }
}
