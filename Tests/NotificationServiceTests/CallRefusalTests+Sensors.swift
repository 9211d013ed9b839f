internal import BelfryGRPC

// The refusals of the reports of sensors.

extension CallRefusalTests {
    private static let fix = #"{"latitude":1,"longitude":2}"#
    private static let uuid = #""uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0""#

    static let sensors: [Case] = [
        Case(.reportLocation, "{}", invalid("LOCATION_INVALID", "fixes")),
        Case(
            .reportLocation,
            #"{"fixes":[\#(fix),{"latitude":-90.5}]}"#,
            invalid("LOCATION_INVALID", "fixes[1].latitude")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[{"latitude":"NaN"}]}"#,
            invalid("LOCATION_INVALID", "fixes[0].latitude")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[{"longitude":"Infinity"}]}"#,
            invalid("LOCATION_INVALID", "fixes[0].longitude")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[{"accuracyMeters":-1}]}"#,
            invalid("LOCATION_INVALID", "fixes[0].accuracy_meters")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[{"accuracyMeters":"Infinity"}]}"#,
            invalid("LOCATION_INVALID", "fixes[0].accuracy_meters")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[\#(fix),{"time":"9999-12-31T00:00:00Z"}]}"#,
            invalid("LOCATION_INVALID", "fixes[1].time")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[{"time":"2200-01-01T00:00:00Z"}]}"#,
            invalid("LOCATION_INVALID", "fixes[0].time")
        ),
        Case(
            .reportLocation,
            #"{"fixes":[\#([String](repeating: fix, count: 1_001).joined(separator: ","))]}"#,
            invalid("BATCH_TOO_LARGE", "fixes")
        ),
        Case(
            .reportBeacons,
            #"{"sightings":[{\#(uuid)},{"uuid":"x"}]}"#,
            invalid("BEACON_INVALID", "sightings[1].uuid")
        ),
        Case(
            .reportBeacons,
            #"{"sightings":[{\#(uuid),"major":65536}]}"#,
            invalid("BEACON_INVALID", "sightings[0].major")
        ),
        Case(
            .reportBeacons,
            #"{"sightings":[{\#(uuid),"minor":65536}]}"#,
            invalid("BEACON_INVALID", "sightings[0].minor")
        ),
        Case(
            .reportBeacons,
            #"{"sightings":[{\#(uuid),"proximity":4}]}"#,
            .invalid("sightings[0].proximity")
        ),
        Case(
            .reportBeacons,
            #"{"sightings":[{\#(uuid),"time":"2200-01-01T00:00:00Z"}]}"#,
            invalid("BEACON_INVALID", "sightings[0].time")
        ),
    ]
}
