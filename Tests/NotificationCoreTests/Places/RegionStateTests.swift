internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Which reports cross a border (LOC-1..3)")
struct RegionStateTests {
    private static let second = Int64.nanosecondsPerSecond
    private static func at(_ seconds: Int64) -> ElapsedInstant {
        ElapsedInstant(nanoseconds: seconds * second)
    }

    /// A fix at so many meters from the middle of a circle, and the state that follows.
    struct Fix: Sendable {
        let meters: Double
        let accuracy: Double
        let second: Int64
        let crossing: RegionCrossing?

        init(
            _ meters: Double,
            _ accuracy: Double = 0,
            at second: Int64,
            _ crossing: RegionCrossing?
        ) {
            self.meters = meters
            self.accuracy = accuracy
            self.second = second
            self.crossing = crossing
        }
    }

    /// A walk to and from a circle of 1,000 m.
    struct Walk: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let suppressesJitter: Bool
        let fixes: [Fix]

        init(_ description: String, suppressed: Bool = false, _ fixes: [Fix]) {
            testDescription = description
            suppressesJitter = suppressed
            self.fixes = fixes
        }

        static let all = [
            Walk("LOC-1 the first fix, inside", [Fix(10, at: 0, nil), Fix(20, at: 1, nil)]),
            Walk("LOC-1 the first fix, outside", [Fix(2_000, at: 0, nil), Fix(20, at: 1, .entry)]),
            Walk(
                "LOC-1 to and fro",
                [
                    Fix(10, at: 0, nil), Fix(1_001, at: 1, .exit), Fix(1_002, at: 2, nil),
                    Fix(999, at: 3, .entry), Fix(1_001, at: 4, .exit),
                ]
            ),
            Walk(
                "LOC-2 no dwell: back again",
                suppressed: true,
                [Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(900, at: 11, nil)]
            ),
            Walk(
                "LOC-2 a dwell of 20 s",
                suppressed: true,
                [
                    Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(1_100, at: 20, nil),
                    Fix(1_100, at: 21, .exit), Fix(900, at: 22, nil), Fix(900, at: 42, .entry),
                ]
            ),
            Walk(
                "LOC-2 a dwell that begins again",
                suppressed: true,
                [
                    Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(900, at: 15, nil),
                    Fix(1_100, at: 16, nil), Fix(1_100, at: 30, nil), Fix(1_100, at: 36, .exit),
                ]
            ),
            Walk(
                "LOC-2 a dwell that is over before the next fix",
                suppressed: true,
                [
                    Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(900, at: 30, .exit),
                    Fix(900, at: 50, .entry),
                ]
            ),
            Walk(
                "LOC-2 an uncertain fix does not contradict a dwell outside",
                suppressed: true,
                [
                    Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(950, 100, at: 11, nil),
                    Fix(1_100, at: 21, .exit),
                ]
            ),
            Walk(
                "LOC-2 an uncertain fix does not contradict a dwell inside",
                suppressed: true,
                [
                    Fix(2_000, at: 0, nil), Fix(900, at: 1, nil), Fix(1_050, 100, at: 11, nil),
                    Fix(900, at: 21, .entry),
                ]
            ),
            Walk(
                "LOC-2 a fix that is certain enough contradicts a dwell",
                suppressed: true,
                [
                    Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(950, 40, at: 11, nil),
                    Fix(1_100, at: 21, nil), Fix(1_100, at: 41, .exit),
                ]
            ),
            Walk(
                "LOC-2 a fix deep on its side contradicts a dwell, however uncertain",
                suppressed: true,
                [
                    Fix(10, at: 0, nil), Fix(1_100, at: 1, nil), Fix(790, 5_000, at: 11, nil),
                    Fix(1_100, at: 21, nil),
                ]
            ),
            Walk(
                "LOC-2 not beyond the accuracy",
                suppressed: true,
                [Fix(10, at: 0, nil), Fix(1_100, 150, at: 1, nil), Fix(1_100, 150, at: 99, nil)]
            ),
            Walk(
                "LOC-2 one fix far outside",
                suppressed: true,
                [Fix(10, at: 0, nil), Fix(1_201, 500, at: 1, .exit)]
            ),
            Walk(
                "LOC-2 one fix deep inside",
                suppressed: true,
                [Fix(2_000, at: 0, nil), Fix(799, at: 1, .entry)]
            ),
            Walk(
                "LOC-2 one fix not far enough",
                suppressed: true,
                [Fix(10, at: 0, nil), Fix(1_199, at: 1, nil)]
            ),
        ]
    }

    @Test("Fixes cross the border of a circle", arguments: Walk.all)
    func walk(walk: Walk) throws {
        let circle = try CircularRegion(latitude: 0, longitude: 179.999, radiusMeters: 1_000)
        var state: RegionState?
        for fix in walk.fixes {
            // North of the middle.
            let degrees = fix.meters / 6_371_008.8 * 180 / .pi
            let step = circle.step(
                to: .at(degrees, 179.999, accuracy: fix.accuracy),
                from: state,
                at: Self.at(fix.second),
                suppressesJitter: walk.suppressesJitter
            )
            state = step.state
            #expect(step.crossings == [fix.crossing].compactMap(\.self), "at \(fix.second) s")
        }
    }

    @Test("LOC-2: A dwell that nothing contradicts ends by itself")
    func dwellEnds() throws {
        let circle = try CircularRegion(latitude: 0, longitude: 0, radiusMeters: 1_000)
        let step = circle.step(
            to: .at(0.0099, 0),
            from: RegionState(isInside: true),
            at: Self.at(5),
            suppressesJitter: true
        )
        #expect(step.state == RegionState(isInside: true, changesAt: Self.at(25)))
        #expect(
            step.state.changed
                == RegionStep(state: RegionState(isInside: false), crossings: [.exit])
        )
    }

    @Test("LOC-3: A sighting enters, and 30 s without one leaves")
    func beacons() {
        let inside = RegionState(isInside: true, changesAt: Self.at(40))
        let cases: [(RegionState?, [RegionCrossing])] = [
            (nil, []), (RegionState(isInside: false), [.entry]),
            (RegionState(isInside: true, changesAt: Self.at(11)), []),
            (RegionState(isInside: true, changesAt: Self.at(10)), [.exit, .entry]),
        ]
        for (state, crossings) in cases {
            let step = BeaconRegion.step(from: state, at: Self.at(10))
            #expect(step == RegionStep(state: inside, crossings: crossings))
        }
        #expect(inside.changed.crossings == [.exit])
    }

    @Test("LOC-3: A UUID alone matches any beacon of the family, a major number any minor one")
    func families() throws {
        let sighting = BeaconSighting(uuid: 7, major: 1, minor: 2)
        func includes(
            _ uuid: UInt128,
            _ major: UInt16? = nil,
            _ minor: UInt16? = nil
        ) throws -> Bool {
            try BeaconRegion(uuid: uuid, major: major, minor: minor).includes(sighting)
        }
        #expect(try includes(7))
        #expect(try includes(7, 1))
        #expect(try includes(7, 1, 2))
        #expect(try !includes(8))
        #expect(try !includes(7, 2))
        #expect(try !includes(7, 1, 1))
    }

    @Test("LOC-1: A region is unknown until a report after it began to be watched")
    func unknown() {
        func state(lastReport: UInt64, after seconds: Int64, isBeacon: Bool) -> RegionState? {
            RegionState.unstored(
                since: WatchStart(number: 10, instant: Self.at(100)),
                lastReport: lastReport,
                at: Self.at(100 + seconds),
                isBeacon: isBeacon
            )
        }
        let outside = RegionState(isInside: false)
        #expect(state(lastReport: 9, after: 1_000, isBeacon: false) == nil)
        #expect(state(lastReport: 11, after: 0, isBeacon: false) == outside)
        #expect(state(lastReport: 9, after: 29, isBeacon: true) == nil)
        #expect(state(lastReport: 9, after: 30, isBeacon: true) == outside)
        #expect(state(lastReport: 11, after: 0, isBeacon: true) == outside)
    }

    @Test("Reports count in the order of their instants, and none from the future")
    func instants() {
        let (now, minute) = (WallInstant.newYear, Duration.seconds(60))
        #expect(ReportTime.isPossible(nil, at: now))
        #expect(ReportTime.isPossible(now + minute * 5, at: now))
        #expect(!ReportTime.isPossible(now + minute * 5 + .nanoseconds(1), at: now))
        #expect(ReportTime.instant(now + minute, at: now) == now)
        #expect(ReportTime.isNews(now, after: now, at: now))
        #expect(!ReportTime.isNews(now, after: now + .nanoseconds(1), at: now + minute))
        // The clock was set back.
        #expect(ReportTime.isNews(now, after: now + minute, at: now))
        // DT-4: A server whose clock was never set knows of no future.
        #expect(ReportTime.isPossible(now, at: WallInstant(nanoseconds: 0)))
    }

    @Test("LOC-5: The app's own permission counts before the device's")
    func permission() {
        for device in LocationPermission.allCases {
            #expect(LocationPermission.notDetermined.effective(on: device) == device)
            #expect(LocationPermission.denied.effective(on: device) == .denied)
        }
        #expect(
            LocationPermission.allCases.filter(\.allowsTriggers)
                == [.authorizedAlways, .authorizedWhenInUse]
        )
    }
}
