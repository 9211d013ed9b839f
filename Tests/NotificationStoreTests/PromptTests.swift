internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Prompts (§4)", .timeLimit(.minutes(5)))
struct PromptTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    /// Asks for permission, and does not wait for the answer.
    private func ask(
        _ options: AuthorizationOptions = [.alert],
        wait: Duration = .seconds(60),
        for center: CenterName? = nil,
        once key: OnceKey? = nil
    ) async -> Pending<AuthorizationReply> {
        let pending = Pending<AuthorizationReply>()
        test.store.requestAuthorization(
            options,
            for: center ?? test.center,
            answer: .ask(waitNanoseconds: wait.nanoseconds),
            once: key,
            completion: pending.complete
        )
        await test.settle()
        return pending
    }

    @discardableResult
    private func answer(
        _ answer: PersonsAnswer,
        to prompt: PromptNumber? = nil,
        on device: String = "local"
    ) async throws -> NotificationSettings {
        let number = try prompt ?? open()
        return try await test.result {
            $0.answerPrompt(number, on: device, with: answer, completion: $1)
        }.get()
    }

    private func open() throws -> PromptNumber { try #require(try test.state().openPrompt) }

    private func key(_ last: Int) throws -> OnceKey {
        try OnceKey(
            "019b76da-a800-7000-8000-00000000000\(last)",
            method: "RequestAuthorization",
            request: []
        )
    }

    private func reason(_ body: () async throws -> Void) async -> Reason? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? Refusal)?.reason
        }
    }

    @Test("A-2: a first request asks the person and waits for the answer, which is stored")
    func first() async throws {
        let asked = await ask([.alert, .sound])
        #expect(!asked.isComplete)
        #expect(try test.state().settings.authorizationStatus == .notDetermined)
        let settings = try await answer(.allowAll)
        let told = try await asked.value.get()
        #expect(told == AuthorizationReply(settings: settings, prompt: nil))
        #expect(told.settings.authorizationStatus == .authorized)
        #expect(told.settings.sound == .enabled)
        #expect(try test.state().openPrompt == nil)
        #expect(try await test.events().map(\.kind) == [.settingsChanged(settings)])
        // Later calls report, and nobody is asked again.
        let later = await ask([.alert])
        #expect(try await later.value.get() == told)
    }

    @Test("A-3: a denial is told as one", arguments: [PersonsAnswer.answer(.deny)])
    func denied(says: PersonsAnswer) async throws {
        let asked = await ask()
        try await answer(says)
        let told = try await asked.value.get()
        #expect(told.settings.authorizationStatus == .denied)
        #expect(!told.settings.isGranted)
    }

    @Test("A wait of nothing is told at once that nobody has decided, and the prompt stays")
    func noWait() async throws {
        let told = try await ask(wait: .zero).value.get()
        #expect(told.settings.authorizationStatus == .notDetermined)
        #expect(try told.prompt == open())
        #expect(try await test.events() == [])
    }

    @Test("The wait is real time on a manual clock too: when it is over, the prompt stays open")
    func runsOut() async throws {
        let patient = await ask(wait: .seconds(600))
        try await test.advance(by: .seconds(1_000))
        #expect(!patient.isComplete)
        let asked = await ask(wait: .milliseconds(50))
        #expect(try await asked.value.get().prompt == open())
        #expect(!patient.isComplete)
        try await answer(.allowAll)
        #expect(try await patient.value.get().settings.isGranted)
    }

    @Test("On the system clock the writer wakes for the end of a wait")
    func systemClock() async throws {
        try test.reopen { $0.clock = .system }
        let asked = await ask(wait: .milliseconds(50))
        #expect(try await asked.value.get().prompt == open())
    }

    @Test("Calls join a prompt that is open, add their options, and are told the same")
    func joins() async throws {
        let first = await ask([.alert])
        let number = try open()
        let second = await ask([.badge])
        #expect(try open() == number)
        let settings = try await answer(.allowAll)
        #expect(settings.badge == .enabled)
        #expect(settings.alert == .enabled)
        for asked in [first, second] { #expect(try await asked.value.get().settings == settings) }
    }

    @Test("Who waits costs the writer nothing, a retry no more than the first call")
    func doesNotSpin() async throws {
        let first = await ask(once: try key(1))
        let retry = await ask(once: try key(1))
        let batches = test.store.counts.batches
        try await Task.sleep(for: .milliseconds(50))
        #expect(test.store.counts.batches == batches)
        try await answer(.allowAll)
        let told = try await first.value.get()
        #expect(try await retry.value.get() == told)
        #expect(told.settings.isGranted)
        #expect(try await ask(once: try key(1)).value.get() == told)
    }

    @Test("P5: a retry is told what the first call was told, whatever was answered since")
    func storedReply() async throws {
        let first = await ask(wait: .milliseconds(200), once: try key(1))
        let retry = await ask(wait: .milliseconds(200), once: try key(1))
        let told = try await first.value.get()
        #expect(try told.prompt == open())
        #expect(try await retry.value.get() == told)
        try await answer(.allowAll)
        #expect(try await ask(once: try key(1)).value.get() == told)
        #expect(try await ask(once: try key(2)).value.get().settings.isGranted)
        let other = try OnceKey(
            "019b76da-a800-7000-8000-000000000001",
            method: "RequestAuthorization",
            request: [1]
        )
        let refused = await reason { _ = try await ask(once: other).value.get() }
        #expect(refused == .idempotencyKeyReused)
    }

    @Test("A key that waits is refused to another request at once")
    func reusedWhileWaiting() async throws {
        let first = await ask(once: try key(1))
        let other = try OnceKey(
            "019b76da-a800-7000-8000-000000000001",
            method: "RequestAuthorization",
            request: [1]
        )
        let refused = await reason { _ = try await ask(once: other).value.get() }
        #expect(refused == .idempotencyKeyReused)
        #expect(!first.isComplete)
        try await answer(.allowAll)
        #expect(try await first.value.get().settings.isGranted)
    }

    @Test("A prompt outlives a restart and a crash; a retry goes on waiting for what was left")
    func restart() async throws {
        // Where the machine stalls for a while, longer waits tell the rest from a new wait.
        let waits: [Duration] = [.seconds(3), .seconds(15), .seconds(75)]
        for (index, wait) in waits.enumerated() {
            let began = ContinuousClock.now
            let first = await ask(wait: wait, once: try key(index))
            let number = try open()
            try test.reopen()
            #expect(await reason { _ = try await first.value.get() } == .stopping)
            #expect(try open() == number)
            let retry = await ask(wait: wait, once: try key(index))
            try test.crash()
            #expect(await reason { _ = try await retry.value.get() } == .stopping)
            try await Task.sleep(until: began + wait / 2)
            let resumed = ContinuousClock.now
            let last = await ask(wait: wait, once: try key(index))
            #expect(try await last.value.get().prompt == number)
            #expect(ContinuousClock.now - began >= wait)
            let isLeft = ContinuousClock.now - resumed < wait
            // Real time: the last wait is 25 times the first, which a quiet machine needs.
            #expect(isLeft || index < waits.count - 1)
            if isLeft { break }
        }
        try await answer(.allowAll)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Before a stop the waits are ended, and no new one begins")
    func endWaits() async throws {
        let asked = await ask()
        test.store.endWaits()
        #expect(await reason { _ = try await asked.value.get() } == .stopping)
        #expect(await reason { _ = try await ask().value.get() } == .stopping)
        // Other calls still work.
        #expect(try await answer(.allowAll).isGranted)
    }

    @Test("Beyond its share of the places an app is told at once what there is")
    func places() async throws {
        try test.reopen { $0.limits.queuedCommands = 8 }
        let waiting = [await ask(), await ask()]
        let third = await ask()
        #expect(try await third.value.get().prompt == open())
        let other = await ask(for: .local("org.example.other"))
        #expect(!other.isComplete)
        #expect(waiting.allSatisfy { !$0.isComplete })
    }

    @Test("A-7: a quiet grant is told at once, and can be kept or turned off")
    func quiet() async throws {
        let told = try await ask([.alert, .provisional]).value.get()
        #expect(told.settings.authorizationStatus == .provisional)
        #expect(told.prompt == nil)
        #expect(await reason { try await answer(.allowAll) } == .answerInvalid)
        let kept = try await answer(.answer(.keep(.immediately)))
        #expect(kept.authorizationStatus == .authorized)
        #expect(kept.alert == .disabled)
    }

    @Test("A-7: turned off is denied, and the scheduled summary has to be on")
    func turnOff() async throws {
        _ = try await ask([.alert, .provisional]).value.get()
        let inSummary = await reason { try await answer(.answer(.keep(.scheduledSummary))) }
        #expect(inSummary == .summaryOff)
        #expect(try await answer(.answer(.turnOff)).authorizationStatus == .denied)
    }

    @Test("D-3: who is quiet and asks for more asks the person once")
    func upgrade() async throws {
        _ = try await ask([.alert, .provisional]).value.get()
        let number = try open()
        let asked = await ask([.alert, .sound])
        #expect(!asked.isComplete)
        #expect(try open() == number)
        // Asked quietly again, it is told at once.
        let again = try await ask([.badge, .provisional]).value.get()
        #expect(again.settings.authorizationStatus == .provisional)
        let settings = try await answer(.allowAll)
        #expect(settings.badge == .enabled)
        #expect(try await asked.value.get().settings == settings)
    }

    @Test("A-4: what the person decides in the settings ends the prompt, and the waits for it")
    func settings() async throws {
        _ = try await ask([.alert, .provisional]).value.get()
        let number = try open()
        let asked = await ask([.alert])
        var change = SettingsChange()
        change.allowsNotifications = false
        let told = try await test.result { [change] in
            $0.updateSettings(change, of: test.center, completion: $1)
        }.get()
        #expect(told.settings.authorizationStatus == .denied)
        #expect(try told.lastEvent == test.state().lastEvent)
        #expect(try await asked.value.get().settings == told.settings)
        #expect(await reason { try await answer(.allowAll, to: number) } == .promptEnded)
    }

    @Test("A prompt that never was, is another device's, or has ended is told so")
    func unknown() async throws {
        let asked = await ask()
        let number = try open()
        for (prompt, device) in [(number + 1, "local"), (0, "local"), (number, "tablet")] {
            let refused = await reason { try await answer(.allowAll, to: prompt, on: device) }
            #expect(refused == .promptNotFound)
        }
        #expect(!asked.isComplete)
        try await answer(.answer(.deny))
        #expect(await reason { try await answer(.allowAll, to: number) } == .promptEnded)
    }

    @Test(
        "A server that grants or denies at once ends a prompt that was open",
        arguments: [true, false]
    )
    func decided(grants: Bool) async throws {
        let asked = await ask([.sound])
        let settings = try await test.authorize([.alert], answer: grants ? .grant : .deny)
        #expect(settings.isGranted == grants)
        #expect(settings.sound == (grants ? .enabled : .disabled))
        #expect(try await asked.value.get().settings == settings)
        #expect(try test.state().openPrompt == nil)
    }

    @Test("D-4: withdrawn with requests pending, they stay, and are suppressed when due")
    func withdrawal() async throws {
        try await test.authorize()
        try await test.add(.titled("later", in: .seconds(10)))
        try await test.add(.titled("now"))
        var change = SettingsChange()
        change.allowsNotifications = false
        _ = try await test.result { [change] in
            $0.updateSettings(change, of: test.center, completion: $1)
        }.get()
        #expect(await reason { try await test.add(.titled("new")) } == .notificationsNotAllowed)
        #expect(try test.state().pendingCount == 1)
        try await test.advance(by: .seconds(10))
        #expect(test.store.counts.suppressed == 1)
        #expect(try await test.delivered().map(\.request.identifier) == ["now"])
        guard case .suppressed(_, .notAuthorized, _)? = try await test.events().last?.kind else {
            Issue.record("it was not suppressed")
            return
        }
    }

    @Test("What a change of nothing says of the settings, and of the grouping alone")
    func grouping() async throws {
        try await test.authorize()
        let empty = await reason {
            _ = try await test.result {
                $0.updateSettings(SettingsChange(), of: test.center, completion: $1)
            }.get()
        }
        #expect(empty == .updateMaskEmpty)
        let told = try await test.result {
            $0.updateSettings(
                SettingsChange(),
                grouping: .byApp,
                of: test.center,
                completion: $1
            )
        }.get()
        #expect(told.grouping == .byApp)
        #expect(try await test.events().count == 1)
    }
}
