internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static let cell = RegionPlace.cell(RegionCell(level: 0, band: 1, column: 1))
    private static let second = ElapsedInstant(nanoseconds: 1_000_000_000)
    private static let one = RequestNumber(rawValue: 1)

    /// Turns the pending request "a" into one that waits for a circle, without the rows of that.
    private static func wait(for region: Region, in file: StoreFile) throws {
        let minute = ElapsedInstant(nanoseconds: 60_000_000_000)
        try file.delete(DueKey(minute, one).bytes, in: .dueElapsed)
        let row = IdentifierRecord(pending: .init(sequence: one, due: nil))
        try file.put(row.bytes, forKey: IdentifierKey("a", of: 1).bytes, in: .identifiers)
        var record = try RequestRecord(try file.value(forKey: one.bytes, in: .records))
        var (number, center) = try file.center(.local("org.example.app"))
        center.uncountPending(record.request.storedByteCount)
        record.request.trigger = .location(LocationTrigger(region: region, repeats: false))
        center.countPending(record.request.storedByteCount)
        try file.set(center, number: number)
        try file.put(record.bytes, forKey: one.bytes, in: .records)
    }

    private static func watch(_ region: Region, in file: StoreFile) throws {
        let record = try RequestRecord(try file.value(forKey: one.bytes, in: .records))
        let row = RegionRecord(center: 1, region: region, addedAt: record.base)
        let key = RegionKey(one, at: RegionPlace(region.shape), on: "local")
        try file.put(row.bytes, forKey: key.bytes, in: .regions)
        let name = RegionNameKey(region.identifier, of: 1, one)
        try file.put([], forKey: name.bytes, in: .regionNames)
    }

    private static func set(
        _ state: RegionState,
        number: UInt64 = 1,
        at place: RegionPlace,
        in file: StoreFile
    ) throws {
        let row = RegionStateRecord(state, number: number, place: place)
        let key = RegionStateKey(one, of: place.sensor, on: "local")
        try file.put(row.bytes, forKey: key.bytes, in: .regionStates)
    }

    static let placeDamages = [
        Damage("a watched region, which is no damage", []) { file in
            let region = try Region.circle(0, 0, radius: 1)
            try wait(for: region, in: file)
            try watch(region, in: file)
            let due = DueKey(second, regionOf: one)
            try file.put([], forKey: due.bytes, in: .dueElapsed)
            let state = RegionState(isInside: false, changesAt: second)
            try set(state, at: RegionPlace(region.shape), in: file)
        },
        Damage(
            "a region that is not watched",
            [#"identifiers center 1, identifier "a": is pending and not watched"#]
        ) { file in try wait(for: .circle(0, 0, radius: 1), in: file) },
        Damage(
            "another region than the request's, under another identifier",
            [
                "regions device local, region of request 1: is not the region of its request",
                #"region_names center 1, region "other" of request 1: "#
                    + "is not the region of its request",
                #"identifiers center 1, identifier "a": is pending and not watched"#,
            ]
        ) { file in
            try wait(for: .circle(0, 0, radius: 1), in: file)
            try watch(.circle("other", 0, 0, radius: 2), in: file)
        },
        Damage(
            "a region of a request that does not wait for one",
            [
                "regions device local, region of request 1: "
                    + "its request does not wait for a region",
                #"region_names center 1, region "circle" of request 1: "#
                    + "its request does not wait for a region",
            ]
        ) { file in try watch(.circle(0, 0, radius: 1), in: file) },
        Damage(
            "regions of garbage",
            [
                "regions 0x00: does not decode",
                "regions device local, region of request 1: does not decode",
                "region_names 0x00: does not decode",
                "region_states device local, region of request 1: does not decode",
            ]
        ) { file in
            try file.put([9], forKey: RegionKey(one, at: cell, on: "local").bytes, in: .regions)
            try file.put([9], forKey: [0], in: .regions)
            try file.put([9], forKey: [0], in: .regionNames)
            let state = RegionStateKey(one, of: .location, on: "local").bytes
            try file.put([9], forKey: state, in: .regionStates)
        },
        Damage(
            "a state of no region, which says nothing, by a report to come",
            [
                "region_states device local, region of request 1: its report is still to come",
                "region_states device local, region of request 1: "
                    + "is of a region that is not watched",
                "region_states device local, region of request 1: says nothing",
            ]
        ) { file in try set(RegionState(isInside: false), number: 99, at: cell, in: file) },
        Damage(
            "a state that changes and is not due, and one that is due and does not change",
            [
                "region_states device local, region of request 1: "
                    + "changes and is not in the due index",
                "due_elapsed instant 2, region of request 1: its region does not change so",
            ]
        ) { file in
            let region = try Region.circle(0, 0, radius: 1)
            try wait(for: region, in: file)
            try watch(region, in: file)
            let state = RegionState(isInside: true, changesAt: second)
            try set(state, at: RegionPlace(region.shape), in: file)
            let due = DueKey(ElapsedInstant(nanoseconds: 2), regionOf: one)
            try file.put([], forKey: due.bytes, in: .dueElapsed)
        },
        Damage(
            "reports of garbage, and to come",
            [
                "sensors device a: its report is still to come",
                "sensors device local: does not decode",
                "sensor_work device local, report 1: does not decode",
                "sensor_work device local, report 99: its number is still to be given",
            ]
        ) { file in
            var sensors = SensorsRecord()
            sensors.beacons.number = 99
            try file.put(sensors.bytes, forKey: NameKey("a").bytes, in: .sensors)
            try file.put([9], forKey: NameKey("local").bytes, in: .sensors)
            try file.put([9], forKey: SensorWorkKey(1, on: "local").bytes, in: .sensorWork)
            let work = SensorWorkRecord(.display).bytes
            try file.put(work, forKey: SensorWorkKey(99, on: "local").bytes, in: .sensorWork)
        },
        Damage(
            "commands in slices of garbage, of nothing, and to come",
            [
                "open_commands command 1: does not decode",
                "open_commands command 2: does not decode",
                "open_commands command 99: its number is still to be given",
            ]
        ) { file in
            let progress = ByteWriter().bytes
            let nothing = OpenCommandRecord(
                .dismissGroup("no group", device: "local"),
                key: nil,
                progress: progress
            )
            try file.put([9], forKey: StoreOrderKey(1).bytes, in: .openCommands)
            try file.put(nothing.bytes, forKey: StoreOrderKey(2).bytes, in: .openCommands)
            var empty = ByteWriter()
            WithdrawByTagsCommand(app: "a", expression: .everything, identifiers: [])
                .writeProgress(to: &empty)
            let command = OpenCommandRecord(
                .withdraw(identifiers: [], expression: "", app: "a"),
                key: nil,
                progress: empty.bytes
            )
            try file.put(command.bytes, forKey: StoreOrderKey(99).bytes, in: .openCommands)
        },
        Damage(
            "permissions for the location of garbage, and of no center",
            [
                "location_access center 1: does not decode",
                "location_access center 9: is of center 9, which is not there",
            ]
        ) { file in
            let key = CenterNumber(rawValue: 1).bytes
            try file.put([9], forKey: key, in: .locationAccess)
            let row = LocationAccessRecord().bytes
            try file.put(row, forKey: CenterNumber(rawValue: 9).bytes, in: .locationAccess)
        },
    ]
}
