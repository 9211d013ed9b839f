internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct RegionTextTests {
    @Test(
        "A circle has degrees and a radius with its unit",
        arguments: [
            ("38.7,-9.1,200m", 38.7, -9.1, 200), ("-33.9, 151.2, 1.5km", -33.9, 151.2, 1_500),
            ("90,180,1000km", 90, 180, 1_000_000), ("0,-180,1M", 0, -180, 1),
        ] as [(String, Double, Double, Double)]
    )
    func circle(text: String, north: Double, east: Double, radius: Double) throws {
        let region = try RegionText.circle(text)
        #expect(region.circular.latitude == north)
        #expect(region.circular.longitude == east)
        #expect(region.circular.radiusMeters == radius)
    }

    @Test("Two circles have two names, however they are written")
    func name() throws {
        #expect(try RegionText.circle("38.7, -9.1, 200M").identifier == "38.7,-9.1,200m")
    }

    @Test(
        "What is no circle tells what to write",
        arguments: [
            ("", "write degrees"), ("38.7,-9.1", "write degrees"), ("x,-9.1,200m", "write degrees"),
            ("nan,0,1m", "write degrees"), ("91,0,1m", "-90 to 90"), ("0,181,1m", "-180 to 180"),
            ("0,0,200", "needs its unit"), ("0,0,m", "needs its unit"), ("0,0,0m", "more than 0"),
            ("0,0,-5m", "more than 0"), ("0,0,1001km", "at most 1000km"),
            ("0,0,infm", "needs its unit"),
        ]
    )
    func refusedCircle(text: String, says: String) {
        #expect {
            try RegionText.circle(text)
        } throws: { error in
            (error as? TextProblem)?.description.contains(says) == true
        }
    }

    @Test(
        "A place has degrees, and how far they may be wrong",
        arguments: [
            ("38.7,-9.1", 38.7, -9.1, 0), ("-33.9, 151.2, 1.5km", -33.9, 151.2, 1_500),
            ("0,0,0m", 0, 0, 0),
        ] as [(String, Double, Double, Double)]
    )
    func fix(text: String, north: Double, east: Double, accuracy: Double) throws {
        let fix = try RegionText.fix(text)
        #expect(fix.latitude == north)
        #expect(fix.longitude == east)
        #expect(fix.accuracyMeters == accuracy)
    }

    @Test(
        "What is no place tells what to write",
        arguments: [
            ("", "write degrees"), ("38.7", "write degrees"), ("nan,0", "write degrees"),
            ("91,0", "-90 to 90"), ("0,-181", "-180 to 180"), ("0,0,10", "needs its unit"),
            ("0,0,-1m", "needs its unit"), ("0,0,1m,", "write degrees"),
        ]
    )
    func refusedFix(text: String, says: String) {
        #expect {
            try RegionText.fix(text)
        } throws: { error in
            (error as? TextProblem)?.description.contains(says) == true
        }
    }

    @Test("A beacon that is seen has all of its numbers")
    func sighting() throws {
        let uuid = "6c4f0a52-3c5e-4f63-9a2e-0d1b7a5c4e10"
        let sighting = try RegionText.sighting("\(uuid),1,65535")
        #expect(sighting.uuid == uuid)
        #expect(sighting.major == 1)
        #expect(sighting.minor == 65_535)
        #expect(throws: TextProblem.self) { try RegionText.sighting("\(uuid),1") }
        #expect(throws: TextProblem.self) { try RegionText.sighting("\(uuid),1,65536") }
    }

    @Test("A beacon is a family, a group of it or one of them")
    func beacon() throws {
        let uuid = "6c4f0a52-3c5e-4f63-9a2e-0d1b7a5c4e10"
        let family = try RegionText.beacon(uuid)
        #expect(family.beacon.uuid == uuid)
        #expect(!family.beacon.hasMajor)
        let one = try RegionText.beacon("\(uuid),7,65535")
        #expect(one.beacon.major == 7)
        #expect(one.beacon.minor == 65_535)
        for text in ["", "x", "\(uuid),", "\(uuid),65536", "\(uuid),1,2,3", "\(uuid),-1"] {
            #expect(throws: TextProblem.self) { try RegionText.beacon(text) }
        }
    }

    @Test("Crossings are words with commas")
    func crossings() throws {
        #expect(try Crossings.parse("enter") == Crossings(entry: true))
        #expect(try Crossings.parse("both") == Crossings(entry: true, exit: true))
        #expect(try Crossings.parse("Exit,enter") == Crossings(entry: true, exit: true))
        #expect(try Crossings.parse("display") == Crossings(entry: true, display: true))
        #expect(throws: TextProblem.self) { try Crossings.parse("enter,") }
        #expect(throws: TextProblem.self) { try Crossings.parse("always") }
    }
}
