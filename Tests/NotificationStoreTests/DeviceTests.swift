internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What devices are doing (W-1, §10, §16)")
struct DeviceTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func presentation(of identifier: String) async throws -> Presentation? {
        try await test.events().reversed().lazy.compactMap { event in
            guard case .delivered(let delivered) = event.kind else { return nil }
            let isAsked = delivered.notification.request.identifier == identifier
            return isAsked ? delivered.presentation : nil
        }.first
    }

    /// A state in which every field says something.
    static let full: DeviceState = {
        var state = DeviceState()
        state.isLocked = true
        state.isDisplayOn = false
        state.isMuted = true
        state.timeZone = "Europe/Lisbon"
        state.languages = ["pt-PT", "en"]
        var focus = Focus()
        focus.name = "Work"
        focus.allowedApps = ["org.example.a", "org.example.b"]
        focus.allowedPeople = ["Ann", "Bob"]
        focus.allowsTimeSensitive = true
        focus.filters = ["org.example.a": .only(["x"]), "org.example.b": .except(["y", "z"])]
        state.focus = focus
        state.summary.isEnabled = true
        state.summary.times = [0, 1439, 480]
        state.summary.apps = ["org.example.c"]
        state.locationPermission = .authorizedWhenInUse
        return state
    }()

    @Test("A record holds all of a state, and a cut or longer one is corrupted")
    func record() throws {
        for state in [DeviceState(), Self.full] {
            let bytes = DeviceRecord(state).bytes
            #expect(try DeviceRecord(bytes).device == state)
            #expect(throws: RowProblem.self) { _ = try DeviceRecord(bytes + [0]) }
            for count in bytes.indices {
                #expect(throws: RowProblem.self) {
                    _ = try DeviceRecord(Array(bytes.prefix(count)))
                }
            }
        }
    }

    @Test("One that was never named has the defaults; a change is durable and of it alone")
    func durable() async throws {
        #expect(try test.store.deviceState(of: "tablet") == DeviceState())
        let full = Self.full
        #expect(try await test.updateDevice("tablet") { $0 = full } == full)
        try test.crash()
        #expect(try test.store.deviceState(of: "tablet") == full)
        #expect(try test.store.deviceState(of: CenterName.localDevice) == DeviceState())
        try await test.updateDevice("tablet") { $0.isLocked = false }
        #expect(try test.store.deviceState(of: "tablet").isMuted)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("A state that no device has is refused, and nothing changes")
    func refused() async throws {
        try await test.updateDevice { $0.isLocked = true }
        for change: @Sendable (inout DeviceState) -> Void in [
            { $0.timeZone = "Mars/Olympus" }, { $0.languages = ["?"] },
            { $0.summary.isEnabled = true },
        ] {
            await #expect(throws: Refusal.self) {
                try await test.updateDevice {
                    $0.isLocked = false
                    change(&$0)
                }
            }
        }
        #expect(try test.store.deviceState(of: CenterName.localDevice).isLocked)
    }

    @Test("Within one batch later commands see what earlier ones changed")
    func sameBatch() async throws {
        try await test.authorize()
        let first = Pending<DeviceState>()
        let second = Pending<AddReply>()
        let request = try NotificationRequest.titled("a") { $0.sound = Sound() }
        await test.whileWriterRests {
            test.store.updateDeviceState(
                of: CenterName.localDevice,
                { $0.isMuted = true },
                completion: first.complete
            )
            test.store.add(request, to: test.center, completion: second.complete)
        }
        _ = try await first.value.get()
        _ = try await second.value.get()
        #expect(try await presentation(of: "a")?.options == [.banner, .list])
    }

    @Test("FOC-1: A Focus silences what it does not allow, and the event says so")
    func focus() async throws {
        try await test.authorize()
        try await test.updateDevice { $0.focus = Focus() }
        try await test.add(.titled("a") { $0.sound = Sound() })
        var silenced = Presentation([.list], isQuiet: true)
        silenced.silencingFocus = ""
        #expect(try await presentation(of: "a") == silenced)
        try await test.add(.titled("b", in: .seconds(1)))
        try await test.advance(by: .seconds(1))
        #expect(try await presentation(of: "b")?.isQuiet == true)
        let app = test.center.app
        try await test.updateDevice { $0.focus?.allowedApps = [app] }
        try await test.add(.titled("c"))
        #expect(try await presentation(of: "c") == Presentation([.banner, .list]))
    }

    @Test("Another device's Focus silences nothing here")
    func otherDevice() async throws {
        try await test.authorize()
        try await test.updateDevice("tablet") { $0.focus = Focus() }
        try await test.add(.titled("a"))
        #expect(try await presentation(of: "a")?.isQuiet == false)
    }

    @Test("What an app in front answers is cut by the Focus too, as it is at the answer")
    func answered() async throws {
        try await test.authorize()
        let role = DelegateRole(capabilities: .willPresent)
        let app = try test.subscribe(as: role, .foreground, named: "app")
        try await test.add(.titled("a"))
        try await test.add(.titled("b"))
        let asked = try await app.callbacks(2).map(\.number)
        try await test.updateDevice { $0.focus = Focus() }
        try await test.complete([asked[0]], with: .present([.banner, .list]), through: app)
        var silenced = Presentation([.list], isQuiet: true)
        silenced.silencingFocus = ""
        #expect(try await presentation(of: "a") == silenced)
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        var late = Presentation([.list], isQuiet: true, hasTimedOut: true)
        late.silencingFocus = ""
        #expect(try await presentation(of: "b") == late)
    }
}
