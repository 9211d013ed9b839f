internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Locations and beacons (§7.4)")
struct PlaceTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private static let home = (38.7, -9.1)
    private static let inside = LocationFix.at(38.7, -9.1)
    private static let outside = LocationFix.at(38.71, -9.1)
    private static let beacon = BeaconSighting(uuid: 7, major: 1, minor: 2)

    private func home(
        _ identifier: String = "home",
        onEntry: Bool = true,
        onExit: Bool = true
    ) throws -> Region {
        try .circle(
            identifier,
            Self.home.0,
            Self.home.1,
            radius: 200,
            onEntry: onEntry,
            onExit: onExit
        )
    }

    private func begin() async throws {
        try await test.authorize()
        try await test.allowLocation()
    }

    /// The identifiers of the notifications that were delivered, in their order.
    private func told(of center: CenterName? = nil) async throws -> [String] {
        try await test.events(of: center).compactMap { event in
            guard case .delivered(let delivered) = event.kind else { return nil }
            return delivered.notification.request.identifier
        }
    }

    private func pending() async throws -> [String] {
        try await test.pending().map(\.request.identifier)
    }

    private func expectSound() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        #expect(test.damagedRows.isEmpty)
    }

    private func reason<Reply>(_ body: () async throws -> Reply) async -> Reason? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? Refusal)?.reason
        }
    }

    @Test("LOC-1: The first fix fires nothing; then the first crossing fires once")
    func once() async throws {
        try await begin()
        let reply = try await test.add(.titled("a", at: home()))
        #expect(reply.state == .pending(nextFire: nil))
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([Self.outside]) == 1)
        #expect(try await test.report([Self.inside, Self.outside]) == 0)
        #expect(try await told() == ["a"])
        #expect(try await pending().isEmpty)
        try expectSound()
    }

    @Test("A crossing that does not notify leaves the request pending", arguments: [true, false])
    func directions(onEntry: Bool) async throws {
        try await begin()
        try await test.add(.titled("a", at: home(onEntry: onEntry, onExit: !onEntry)))
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([Self.outside]) == (onEntry ? 0 : 1))
        #expect(try await test.report([Self.inside]) == (onEntry ? 1 : 0))
        try expectSound()
    }

    @Test("One that repeats fires at every crossing, also after a crash")
    func repeating() async throws {
        try await begin()
        try await test.add(.titled("a", at: home(), repeats: true))
        let fixes = [Self.outside, Self.inside, Self.outside, Self.inside]
        #expect(try await test.report(fixes) == 3)
        try test.crash()
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([Self.outside]) == 1)
        #expect(try await told().count == 4)
        #expect(try await pending() == ["a"])
        #expect(try await test.removePending(["a"]) == ["a"])
        #expect(try await test.report([Self.inside]) == 0)
        try expectSound()
    }

    @Test("A request that is added later, or again, is unknown until the next fix")
    func unknown() async throws {
        try await begin()
        #expect(try await test.report([Self.outside]) == 0)
        try await test.add(.titled("a", at: home()))
        #expect(try await test.report([Self.inside]) == 0)
        try await test.add(.titled("a", at: home()))
        #expect(try await test.report([Self.outside]) == 0)
        #expect(try await test.report([Self.inside]) == 1)
        try expectSound()
    }

    @Test("Fixes count in the order of their instants; older ones are ignored")
    func order() async throws {
        try await begin()
        try await test.add(.titled("a", at: home(), repeats: true))
        func at(_ fix: LocationFix, _ second: Int) -> LocationFix {
            var fix = fix
            fix.time = .newYear + .seconds(second)
            return fix
        }
        try await test.advance(by: .seconds(100))
        #expect(try await test.report([at(Self.outside, 20), at(Self.inside, 10)]) == 1)
        #expect(try await test.report([at(Self.inside, 19)]) == 0)
        #expect(try await test.report([at(Self.inside, 20)]) == 1)
        let future = at(Self.outside, 100 + 301)
        #expect(await reason { try await test.report([future]) } == .locationInvalid)
        #expect(try await test.report([at(Self.outside, 100 + 300)]) == 1)
        #expect(try await test.report([Self.inside]) == 1)
        try expectSound()
    }

    @Test("LOC-2: With suppression a dwell of 20 s crosses, by a fix or by itself")
    func dwell() async throws {
        try test.reopen { $0.limits.suppressesJitter = true }
        try await begin()
        try await test.add(.titled("a", at: home(), repeats: true))
        let near = LocationFix.at(38.7 + 250 / 111_195.0, -9.1)
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([near]) == 0)
        try await test.advance(by: .seconds(19))
        #expect(try await told().isEmpty)
        #expect(try await test.report([Self.inside, near]) == 0)
        try await test.advance(by: .seconds(19))
        try test.crash()
        #expect(try await told().isEmpty)
        try await test.advance(by: .seconds(1))
        #expect(try await told() == ["a"])
        #expect(try await test.report([Self.outside]) == 0)
        try expectSound()
    }

    @Test("LOC-3: A beacon enters by its first sighting and leaves 30 s after the last one")
    func beacons() async throws {
        try await begin()
        try await test.add(.titled("a", at: .beacon(), repeats: true))
        try await test.add(.titled("b", at: .beacon("minor", major: 1, minor: 3), repeats: true))
        // No beacon is seen.
        #expect(try await test.report(sightings: []) == 0)
        #expect(try await test.report(sightings: [Self.beacon]) == 1)
        try await test.advance(by: .seconds(29))
        #expect(try await test.report(sightings: [Self.beacon]) == 0)
        try await test.advance(by: .seconds(29))
        #expect(try await told() == ["a"])
        try test.crash()
        try await test.advance(by: .seconds(1))
        #expect(try await told() == ["a", "a"])
        #expect(try await test.report(sightings: [Self.beacon]) == 1)
        try await test.suspend(by: .seconds(90))
        #expect(try await told().count == 4)
        guard case .delivered(let exit)? = try await test.events().last?.kind else { return }
        #expect(exit.lateByNanoseconds == 60 * .nanosecondsPerSecond)
        try expectSound()
    }

    @Test("LOC-3: A sighting within 30 s of the add, before any other report, is a presence")
    func presence() async throws {
        try await begin()
        try await test.add(.titled("a", at: .beacon()))
        try await test.advance(by: .seconds(29))
        #expect(try await test.report(sightings: [Self.beacon]) == 0)
        try await test.add(.titled("b", at: .beacon(onExit: false)))
        try await test.advance(by: .seconds(30))
        #expect(try await told() == ["a"])
        #expect(try await test.report(sightings: [Self.beacon]) == 1)
        #expect(try await told() == ["a", "b"])
        try expectSound()
    }

    @Test("A beacon that says so notifies when the display turns on inside, and not outside")
    func display() async throws {
        try await begin()
        try await test.add(.titled("a", at: .beacon("a", onDisplay: true), repeats: true))
        try await test.add(.titled("b", at: .beacon("b"), repeats: true))
        func turn(_ isOn: Bool) async throws {
            try await test.updateDevice { $0.isDisplayOn = isOn }
        }
        try await turn(false)
        try await turn(true)
        #expect(try await told().isEmpty)
        #expect(try await test.report(sightings: [Self.beacon]) == 0)
        try await turn(false)
        try await turn(true)
        #expect(try await told() == ["a"])
        try await turn(true)
        #expect(try await told() == ["a"])
        try expectSound()
    }

    @Test(
        "LOC-5: Without permission nothing is added; withdrawn, nothing fires, and all is unknown"
    )
    func permission() async throws {
        try await test.authorize()
        let request = try NotificationRequest.titled("a", at: home(), repeats: true)
        #expect(await reason { try await test.add(request) } == .locationNotAuthorized)
        try await test.updateDevice { $0.locationPermission = .authorizedAlways }
        try await test.add(request)
        #expect(try await test.report([Self.outside, Self.inside]) == 1)
        try await test.allowLocation(.denied)
        #expect(try await test.report([Self.outside]) == 0)
        #expect(await reason { try await test.add(request) } == .locationNotAuthorized)
        try await test.allowLocation(.notDetermined)
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([Self.outside]) == 1)
        try await test.updateDevice { $0.locationPermission = .denied }
        try await test.updateDevice { $0.locationPermission = .authorizedWhenInUse }
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([Self.outside]) == 1)
        try expectSound()
    }

    @Test("LOC-5: A beacon whose app lost the permission is not left")
    func withdrawnBeacon() async throws {
        try await begin()
        try await test.add(.titled("a", at: .beacon(), repeats: true))
        #expect(try await test.report(sightings: [Self.beacon]) == 0)
        try await test.allowLocation(.denied)
        try await test.advance(by: .seconds(60))
        #expect(try await told().isEmpty)
        try expectSound()
    }

    @Test("Two requests may share a region; another region of its identifier is refused")
    func identifiers() async throws {
        try await begin()
        try await test.add(.titled("a", at: home(onExit: false)))
        try await test.add(.titled("b", at: home(onEntry: false)))
        let other = try Region.circle("home", 0, 0, radius: 1)
        #expect(await reason { try await test.add(.titled("c", at: other)) } == .regionConflict)
        // A longer identifier is another one.
        try await test.add(.titled("d", at: .circle("home2", 0, 0, radius: 1)))
        // The request that gave the identifier may move its region, alone.
        #expect(await reason { try await test.add(.titled("a", at: other)) } == .regionConflict)
        try await test.removePending(["b"])
        try await test.add(.titled("a", at: other))
        try expectSound()
    }

    @Test("LIM-3: Under ios an app watches 20 regions, and their requests leave first")
    func limit() async throws {
        try test.reopen {
            $0.profile = .ios
            $0.limits.pendingPerCenter = 64
            $0.limits.pendingLimitPolicy = .keepSoonest
        }
        try await begin()
        for index in 0..<20 {
            try await test.add(.titled("\(index)", at: home("region \(index)")))
        }
        let more = try NotificationRequest.titled("more", at: home("more"))
        #expect(await reason { try await test.add(more) } == .regionLimit)
        // Add the same region again, and another one in place of one.
        try await test.add(.titled("again", at: home("region 7")))
        try await test.add(.titled("3", at: home("more")))
        for index in 0..<44 {
            let reply = try await test.add(.titled("timed \(index)", in: .seconds(60 + index)))
            #expect(reply.evicted == (index < 43 ? [] : ["0"]))
        }
        try expectSound()
    }

    @Test("LOC-6, D-18: Only under ios delivered ones are not fetched", arguments: Profile.allCases)
    func fetched(profile: Profile) async throws {
        try test.reopen { $0.profile = profile }
        try await begin()
        try await test.add(.titled("a", at: home()))
        try await test.add(.titled("now"))
        #expect(try await test.report([Self.outside, Self.inside]) == 1)
        let all = try await test.delivered().map(\.request.identifier)
        #expect(Set(all) == (profile == .ios ? ["now"] : ["a", "now"]))
        #expect(try await test.removeDelivered(["a"]) == ["a"])
        try expectSound()
    }

    @Test("An app that leaves takes its regions along, in slices")
    func departure() async throws {
        try await begin()
        for start in stride(from: 0, to: 600, by: 200) {
            try await test.addAll(
                (start..<start + 200).map { try .titled("\($0)", at: home(), repeats: true) }
            )
        }
        #expect(try await test.report([Self.inside]) == 0)
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        #expect(try await test.report([Self.outside]) == 0)
        try expectSound()
    }

    @Test("A fix that concerns many regions takes many batches, and a retry acts once")
    func slices() async throws {
        try await begin()
        for start in stride(from: 0, to: 1_000, by: 500) {
            try await test.addAll(
                (start..<start + 500).map { try .titled("\($0)", at: home(), repeats: true) }
            )
        }
        #expect(try await test.report([Self.outside]) == 0)
        let key = try OnceKey(
            "019b76da-a800-7000-8000-000000000001",
            method: "ReportLocation",
            request: []
        )
        let first = await test.result {
            $0.reportLocation([Self.inside], on: "local", once: key, completion: $1)
        }
        #expect(try first.get() == 1_000)
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await test.report([Self.outside, Self.inside]) == 2_000)
        let again = await test.result {
            $0.reportLocation([Self.inside], on: "local", once: key, completion: $1)
        }
        #expect(try again.get() == 1_000)
        try expectSound()
    }

    @Test("A report that a crash cut goes on at the start, and fires nothing twice")
    func resumed() async throws {
        try await begin()
        for start in stride(from: 0, to: 600, by: 200) {
            try await test.addAll(
                (start..<start + 200).map { try .titled("\($0)", at: home(), repeats: true) }
            )
        }
        #expect(try await test.report([Self.outside]) == 0)
        test.close()
        // The rest of a report, as the first slice would have left it.
        try StoreFile.change(in: test.directory.path) { file in
            var state = try file.state()
            var fix = Self.inside
            fix.time = .newYear
            let key = SensorWorkKey(state.takeNumber(), on: "local")
            let row = SensorWorkRecord(.fixes([fix]))
            try file.set(state)
            try file.put(row.bytes, forKey: key.bytes, in: .sensorWork)
        }
        try test.reopen()
        // Send another report, which would go on with the first, too. Each settling is a batch,
        // which has a slice.
        for _ in 0..<600 {
            if try await told().count == 600 { break }
            await test.settle()
        }
        #expect(try await told().count == 600)
        #expect(try await test.report([Self.inside]) == 0)
        #expect(try await told().count == 600)
        try expectSound()
    }

    @Test("Lists name a request that waits for a place, last by date and without one")
    func lists() async throws {
        try await begin()
        try await test.add(.titled("place", at: home()))
        try await test.add(.titled("later", in: .seconds(90)))
        try await test.add(.titled("soon", in: .seconds(60)))
        var query = ListQuery(center: test.center)
        query.order = .nextFireDate
        query.pageSize = 1
        var found: [String] = []
        var dates: [WallInstant?] = []
        repeat {
            let page = try await test.result { $0.listPending(query, completion: $1) }.get()
            found += page.entries.map(\.request.identifier)
            dates += page.entries.map(\.nextFire)
            query.token = page.nextToken
        } while query.token != nil
        #expect(found == ["soon", "later", "place"])
        #expect(dates.last == .some(nil))
    }
}
