internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Notifications that wait for the scheduled summary.
///
/// The clock starts at new year's midnight, and the device's summary comes at eight and at six.
@Suite("The scheduled summary (§16.2)")
struct SummaryTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore()
        try await test.authorize()
        let app = test.center.app
        try await test.updateDevice {
            $0.summary.isEnabled = true
            $0.summary.times = [480, 1_080]
            $0.summary.apps = [app]
        }
    }

    private func hours(_ hours: Int) -> WallInstant { .newYear + .seconds(hours * 3600) }

    private func request(_ identifier: String, _ score: Double = 0) throws -> NotificationRequest {
        try .titled(identifier) { $0.relevanceScore = score }
    }

    /// The deliveries and summaries that the app is told of, in a few words.
    private func told() async throws -> [String] {
        try await test.events().compactMap { event in
            switch event.kind {
            case .delivered(let delivered):
                let identifier = delivered.notification.request.identifier
                guard let until = delivered.presentation.heldUntil else { return identifier }
                let hour = (until.nanoseconds - WallInstant.newYear.nanoseconds) / 3_600_000_000_000
                return "\(identifier) until \(hour)"
            case .summaryPresented(let shown):
                return "summary of \(shown.map(\.identifier).joined(separator: " "))"
            default: return nil
            }
        }
    }

    /// Stops the store, whose tables have to agree.
    private func audit() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("SSM-2, SSM-3, D-16: It is delivered and waits; the summary has the most relevant first")
    func presents() async throws {
        for (identifier, score) in [("a", 0.2), ("b", 0.9), ("c", 0.9), ("d", 0.5)] {
            try await test.add(request(identifier, score))
        }
        #expect(try await told() == ["a", "b", "c", "d"].map { "\($0) until 8" })
        let listed = try await test.delivered().map(\.request.identifier)
        #expect(listed.sorted() == ["a", "b", "c", "d"])
        #expect(try test.state().heldCount == 4)
        #expect(try test.state().summaryDue == hours(8))
        #expect(try await test.advance(.toNextDue).now.wall == hours(8))
        #expect(try await told().last == "summary of c b d a")
        #expect(try test.state().heldCount == 0)
        #expect(try await test.advance(.toNextDue).stop == .nothingDue)
        try await test.add(request("e"))
        #expect(try await told().last == "e until 18")
        try audit()
    }

    @Test("What is replaced or taken away waits no longer, and an empty summary is not shown")
    func withdrawn() async throws {
        try await test.add(request("a"))
        try await test.add(request("a"))
        #expect(try test.state().heldCount == 1)
        try await test.add(request("b"))
        _ = try await test.removeDelivered(["a"])
        #expect(try test.state().heldCount == 1)
        try await test.dismiss(.all(device: "local"))
        #expect(try test.state().summaryDue == nil)
        #expect(try await test.advance(.toNextDue).stop == .nothingDue)
        #expect(try await !told().contains { $0.hasPrefix("summary") })
        try audit()
    }

    @Test("Other times and another zone count at once; without a summary it is shown at once")
    func changed() async throws {
        try await test.add(request("a"))
        try await test.updateDevice { $0.summary.times = [600] }
        await test.settle()
        #expect(try test.state().summaryDue == hours(10))
        // Midnight is nine in the morning there.
        try await test.updateDevice { $0.timeZone = "Asia/Tokyo" }
        await test.settle()
        #expect(try test.state().summaryDue == hours(1))
        try await test.updateDevice { $0.summary.isEnabled = false }
        await test.settle()
        try await test.advance(by: .zero)
        #expect(try await told() == ["a until 8", "summary of a"])
        try audit()
    }

    private func setInSummary(_ isIn: Bool) async throws -> SettingsReply {
        var change = SettingsChange()
        change.scheduledDelivery = isIn
        return try await test.result {
            $0.updateSettings(change, of: test.center, completion: $1)
        }.get()
    }

    @Test("An app that its settings take out of the summary has shown what waited at the reply")
    func takenOut() async throws {
        try await test.add(request("a"))
        try await test.add(request("b"))
        let reply = try await setInSummary(false)
        #expect(try await told() == ["a until 8", "b until 8", "summary of b a"])
        #expect(reply.lastEvent == (try test.state().lastEvent))
        #expect(try test.state().heldCount == 0)
        #expect(try test.state().summaryDue == nil)
        try await test.add(request("c"))
        #expect(try await told().last == "c")
        try audit()
    }

    @Test("DT-4: What waits of an app that leaves the summary is shown without a clock too")
    func takenOutWithoutClock() async throws {
        try await test.add(request("a"))
        try await test.setClock(to: WallInstant(nanoseconds: 0))
        try await test.updateDevice { $0.summary.times = [600] }
        #expect(try test.state().summaryDue == hours(8))
        try await test.updateDevice { $0.summary.apps = [] }
        #expect(try await told() == ["a until 8", "summary of a"])
        try await test.setClock(to: .newYear)
        #expect(try await told() == ["a until 8", "summary of a"])
        try audit()
    }

    @Test("What fires late together with a late summary is in it, and waits until no past date")
    func lateTogether() async throws {
        try await test.add(request("a"))
        var components = CalendarComponents()
        components.minute = 0
        var hourly = try request("b")
        hourly.trigger = .calendar(
            try CalendarTrigger(dateComponents: components, repeats: true)
        )
        try await test.add(hourly)
        try await test.suspend(by: .seconds(12 * 3600))
        #expect(try await told() == ["a until 8", "b until 12", "summary of b a"])
        try await test.advance(by: .seconds(3600))
        #expect(try await told().last == "b until 18")
        try audit()
    }

    @Test("D-19: The oldest goes first, also where the summary was shown in the same batch")
    func oldestAfterSummary() async throws {
        try test.reopen { $0.limits.deliveredPerCenter = 12 }
        for index in 1...12 { try await test.add(request("\(index)")) }
        for (second, identifier) in [(-2, "13"), (-1, "14"), (1, "15")] {
            let interval = Duration.seconds(8 * 3_600 + second)
            try await test.add(.titled(identifier, in: interval))
        }
        try await test.advance(by: .seconds(8 * 3_600 + 1))
        #expect(try await told().contains { $0.hasPrefix("summary") })
        let listed = try await test.delivered().map(\.request.identifier)
        #expect(Set(listed) == Set((4...15).map { "\($0)" }))
        try audit()
    }

    @Test("A crash keeps what waits; a summary that was missed is shown late")
    func restart() async throws {
        try await test.add(request("a"))
        try test.crash()
        #expect(try test.state().heldCount == 1)
        try await test.suspend(by: .seconds(9 * 3600))
        #expect(try await told() == ["a until 8", "summary of a"])
        try audit()
    }

    @Test("A clock that was wrong finds the summary's time again")
    func wrongClock() async throws {
        try await test.setClock(to: hours(24 * 400))
        try await test.add(request("a"))
        _ = try await test.setClock(to: .newYear)
        await test.settle()
        #expect(try test.state().summaryDue == hours(8))
        try audit()
    }

    @Test("SSM-1: The device's summary and the app's setting say the same, whoever changes it")
    func oneTruth() async throws {
        func setting() throws -> NotificationSetting {
            try test.state().settings.scheduledDelivery
        }
        func isIn() throws -> Bool {
            try test.store.deviceState(of: "local").summary.apps.contains(test.center.app)
        }
        #expect(try setting() == .enabled)
        _ = try await setInSummary(false)
        #expect(try !isIn())
        #expect(try setting() == .disabled)
        _ = try await setInSummary(true)
        #expect(try isIn())
        try await test.updateDevice { $0.summary.apps = [] }
        #expect(try setting() == .disabled)
        try await test.updateDevice { $0.summary.isEnabled = false }
        #expect(try setting() == .notSupported)
    }

    @Test("A-7: An app that is kept for the summary waits for it")
    func kept() async throws {
        let center = CenterName.local("org.example.quiet")
        _ = try await test.result {
            $0.requestAuthorization(
                [.alert, .provisional],
                for: center,
                answer: .ask(waitNanoseconds: 0),
                completion: $1
            )
        }.get()
        let prompt = try #require(try test.state(of: center).openPrompt)
        let settings = try await test.result {
            $0.answerPrompt(
                prompt,
                on: "local",
                with: .answer(.keep(.scheduledSummary)),
                completion: $1
            )
        }.get()
        #expect(settings.scheduledDelivery == .enabled)
        try await test.add(request("a"), to: center)
        #expect(try test.state(of: center).heldCount == 1)
        try audit()
    }

    @Test("An app that is taken off the device leaves nothing that waits")
    func unregistered() async throws {
        try await test.add(request("a"))
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        #expect(try await test.advance(.toNextDue).stop == .nothingDue)
        try audit()
    }
}
