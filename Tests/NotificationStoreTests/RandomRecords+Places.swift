internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords

extension RandomRecords {
    mutating func place() -> RegionPlace {
        let level = UInt8.random(in: RegionGrid.levels, using: &generator)
        return choice([
            .family(number()),
            .cell(RegionCell(level: level, band: number(), column: number())),
        ])
    }

    mutating func region() throws -> Region {
        let identifier = "x" + String(text().prefix(50))
        let onEntry = Bool.random(using: &generator)
        guard Bool.random(using: &generator) else {
            return try .beacon(
                identifier,
                uuid: number(),
                major: number(),
                minor: maybe { $0.number() },
                onEntry: onEntry,
                onExit: true,
                onDisplay: Bool.random(using: &generator)
            )
        }
        return try .circle(
            identifier,
            choice([-90, 0, 0.1, 90]),
            choice([-180, -0.0, 12.5, 180]),
            radius: choice([.leastNonzeroMagnitude, 1, 1_000_000]),
            onEntry: onEntry,
            onExit: true
        )
    }

    mutating func regionRecord() throws -> RegionRecord {
        RegionRecord(
            center: number(),
            region: try region(),
            addedAt: ElapsedInstant(nanoseconds: number())
        )
    }

    mutating func regionState() -> RegionStateRecord {
        let state = RegionState(
            isInside: Bool.random(using: &generator),
            changesAt: maybe { ElapsedInstant(nanoseconds: $0.number()) }
        )
        return RegionStateRecord(state, number: number(), place: place())
    }

    private mutating func watchStart() -> WatchStart {
        WatchStart(number: number(), instant: ElapsedInstant(nanoseconds: number()))
    }

    mutating func locationAccess() -> LocationAccessRecord {
        var record = LocationAccessRecord()
        record.permission = choice(LocationPermission.allCases)
        record.since = maybe { $0.watchStart() }
        return record
    }

    mutating func sensors() -> SensorsRecord {
        var record = SensorsRecord()
        record.location.number = number()
        record.location.time = WallInstant(nanoseconds: number())
        record.beacons.number = number()
        record.beacons.time = WallInstant(nanoseconds: number())
        record.allowedSince = maybe { $0.watchStart() }
        record.finished = number()
        record.firedCount = number()
        return record
    }

    mutating func webPushes() -> WebPushRecord {
        let count = choice([1, 2, WebPushRecord.limit])
        return WebPushRecord(
            (0..<count).map { place in
                WebPushSubscription(
                    endpoint: "https://push.example.org/\(place)",
                    point: (0..<WebPushSubscription.pointByteCount).map { _ in number() },
                    secret: (0..<WebPushSubscription.secretByteCount).map { _ in number() },
                    token: maybe { random in
                        (0..<WebPushSubscription.tokenByteCount).map { _ in random.number() }
                    },
                    createdAt: WallInstant(nanoseconds: number())
                )
            }
        )
    }

    mutating func sensorWork() -> SensorWorkRecord {
        let time = maybe { WallInstant(nanoseconds: $0.number()) }
        let sighting = BeaconSighting(uuid: number(), major: number(), minor: number(), time: time)
        var record = SensorWorkRecord(
            choice([
                .fixes([.at(1, 2, accuracy: 3, time: time), .at(-90, 180)]),
                .sightings([sighting]), .sightings([]), .display,
            ])
        )
        record.number = maybe { $0.number() }
        record.previous = number()
        record.position = (0..<choice([0, 1, 40])).map { _ in number() }
        record.firedCount = number()
        return record
    }

    mutating func openCommand() throws -> OpenCommandRecord {
        let center = try CenterName(app: "org.example.app", device: "d")
        let once = OpenCommandRecord.Key(
            identifier: (0..<16).map { _ in number() },
            fingerprint: UInt128(number() as UInt64)
        )
        return OpenCommandRecord(
            choice([
                .removePending(center), .removeDelivered(center),
                .withdraw(identifiers: [text(), ""], expression: text(), app: text()),
                .dismissGroup(text(), device: text()), .dismissAll(device: text()),
            ]),
            key: choice([once, nil]),
            progress: (0..<choice([0, 1, 40])).map { _ in number() }
        )
    }
}
