internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Random values of all persisted records, with their extremes more often than chance has them.
struct RandomRecords {
    var generator: SeededGenerator

    mutating func text() -> String {
        let alphabet: [Character] = ["a", "Z", "0", "\0", "\n", "\"", "é", "e\u{301}", "漢", "😀"]
        let count =
            Int.random(in: 0...3, using: &generator) == 0
            ? Int.random(in: 100...400, using: &generator)
            : Int.random(in: 0...12, using: &generator)
        return String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "x" })
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
        let extremes: [Number] = [.min, .max, 0, 1, .max - 1]
        return Bool.random(using: &generator)
            ? extremes.randomElement(using: &generator) ?? 0
            : Number.random(in: .min ... .max, using: &generator)
    }

    mutating func number<Number: SerialNumber>() -> Number { Number(rawValue: number()) }

    mutating func maybe<Value>(_ make: (inout RandomRecords) -> Value) -> Value? {
        Bool.random(using: &generator) ? make(&self) : nil
    }

    mutating func choice<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    mutating func double() -> Double {
        choice([0, -0.0, 1, 0.1, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    }

    mutating func localizedText() -> LocalizedText {
        LocalizedText(key: text(), arguments: (0..<choice([0, 1, 3])).map { _ in text() })
    }

    mutating func content() -> NotificationContent {
        var content = NotificationContent()
        content.title = text()
        content.subtitle = text()
        content.body = text()
        content.badge = maybe { $0.number() }
        content.badgeMode = choice([.set, .increment])
        content.sound = maybe { random in
            Sound(
                kind: random.choice([.standard, .ringtone]),
                name: random.text(),
                isCritical: Bool.random(using: &random.generator),
                volume: random.maybe { $0.double() }
            )
        }
        content.categoryIdentifier = text()
        content.threadIdentifier = text()
        content.userInfoJSON = text()
        content.launchImageName = text()
        content.summaryArgument = text()
        content.summaryArgumentCount = number()
        content.targetContentIdentifier = text()
        content.interruptionLevel = choice(InterruptionLevel.allCases)
        content.relevanceScore = double()
        content.filterCriteria = text()
        content.foregroundPresentation = maybe { PresentationOptions(rawValue: $0.number()) }
        content.communication = maybe { random in
            Communication(
                kind: random.choice([.message, .call]),
                sender: random.text(),
                recipients: [random.text(), random.text()],
                conversationIdentifier: random.text(),
                groupName: random.text(),
                avatarAttachment: random.text()
            )
        }
        content.localizedTitle = maybe { $0.localizedText() }
        content.localizedSubtitle = maybe { $0.localizedText() }
        content.localizedBody = maybe { $0.localizedText() }
        for _ in 0..<choice([0, 0, 1, 3]) { content.attachments.append(notificationAttachment()) }
        for _ in 0..<choice([0, 0, 1, 2]) { content.actions.append(action()) }
        content.progress = maybe { $0.double() }
        content.updatesQuietly = Bool.random(using: &generator)
        return content
    }

    mutating func request() throws -> RequestRecord {
        let isPending = Bool.random(using: &generator)
        var record = RequestRecord(
            center: number(),
            request: NotificationRequest(
                identifier: text(),
                content: content(),
                trigger: isPending ? try trigger() : nil
            ),
            base: ElapsedInstant(nanoseconds: number()),
            addedAt: WallInstant(nanoseconds: number())
        )
        record.request.replacementKey = choice(["", text()])
        record.request.expiresAfterNanoseconds = maybe { $0.number() }
        record.request.trace = trace()
        record.lastEvent = maybe { $0.number() }
        return record
    }

    mutating func trace() -> TraceContext? {
        TraceContext(trace: number(), span: number(), flags: number(), state: choice(["", text()]))
    }

    mutating func settings() -> NotificationSettings {
        var settings = NotificationSettings()
        settings.authorizationStatus = choice(AuthorizationStatus.allCases)
        let paths: [WritableKeyPath<NotificationSettings, NotificationSetting>] = [
            \.sound, \.badge, \.alert, \.notificationCenter, \.lockScreen, \.carPlay,
            \.criticalAlert, \.announcement, \.timeSensitive, \.scheduledDelivery,
            \.directMessages,
        ]
        for path in paths {
            settings[keyPath: path] = choice(NotificationSetting.allCases)
        }
        settings.alertStyle = choice(AlertStyle.allCases)
        settings.showPreviews = choice(ShowPreviews.allCases)
        settings.providesAppNotificationSettings = Bool.random(using: &generator)
        settings.requestedOptions = AuthorizationOptions(rawValue: number())
        return settings
    }

    mutating func center() throws -> CenterState {
        var center = CenterState(
            name: try CenterName(
                app: choice(["org.example", "x", String(repeating: "a", count: 155)]),
                device: choice(["", "phone:1", String(repeating: "d", count: 128)])
            )
        )
        center.settings = settings()
        center.badge = number()
        center.newestReturn = number()
        center.hasUsedKeys = Bool.random(using: &generator)
        center.pendingCount = choice([0, 1, 127, 128, 16_777_216, .max])
        center.pendingBytes = choice([0, 1, 127, 128, 1 << 40])
        center.countedBytes = choice([0, 1, 127, 128, 1 << 40])
        center.rowBytes = choice([0, 1, 127, 128, 1 << 40])
        center.settingsBytes = choice([0, 1, 127, 128, 1 << 40])
        center.deliveredCount = choice([0, 1, 127, 128, 1_000, .max])
        center.snoozedCount = choice([0, 1, 127, 128, 256])
        center.categories.count = choice([0, 1, 127, 128, 4_096])
        center.categories.byteCount = choice([0, 1, 1_048_576])
        center.categories.comparedActions = choice([0, 1, 128, 4_096])
        center.heldCount = choice([0, 1, 127, 128, 1_000])
        center.summaryDue = maybe { WallInstant(nanoseconds: $0.number()) }
        center.arrivingCount = choice([0, 1, 127, 128, 1_024])
        center.openResponseCount = choice([0, 1, 127, 128, 10_000])
        center.endedCallbackCount = choice([0, 1, 127, 128, 256])
        center.openPrompt = maybe { $0.number() }
        center.lastEvent = number()
        center.firstEvent = number()
        center.eventBytes = choice([0, 1, 127, 128, 67_108_864, .max])
        center.lastDelivery = number()
        center.expiry = maybe { ElapsedInstant(nanoseconds: $0.number()) }
        center.banners = (0..<choice([0, 1, 3])).map { _ in banner() }
        return center
    }

    private mutating func banner() -> ShownBanner {
        var banner = ShownBanner(
            identifier: text(),
            delivery: number(),
            sequence: number(),
            event: number(),
            date: WallInstant(nanoseconds: number()),
            end: ElapsedInstant(nanoseconds: number()),
            ownReplacementKey: text()
        )
        banner.isActedOn = choice([true, false])
        return banner
    }

    mutating func identifier() -> IdentifierRecord {
        var record = IdentifierRecord(
            pending: maybe { random in
                var pending = IdentifierRecord.Pending(
                    sequence: random.number(),
                    due: random.choice([
                        nil, .elapsed(ElapsedInstant(nanoseconds: random.number())),
                        .wall(WallInstant(nanoseconds: random.number())),
                    ]),
                    lastEvent: random.number(),
                    lastScheduled: random.maybe { WallInstant(nanoseconds: $0.number()) }
                )
                pending.occurrenceCount = random.choice([0, 1, 127, 128, .max])
                pending.skipped = random.maybe {
                    SkippedDate(
                        date: WallInstant(nanoseconds: $0.number()),
                        offsetSeconds: $0.number()
                    )
                }
                return pending
            },
            arriving: maybe { random in
                IdentifierRecord.Arriving(callback: random.number(), sequence: random.number())
            },
            delivered: maybe { $0.number() },
            snoozed: maybe { $0.number() }
        )
        record.keys.ofDelivered = choice(["", text()])
        record.keys.ofArriving = choice(["", text()])
        record.keys.delivered = choice(["", text()])
        record.keys.arriving = choice(["", text()])
        return record
    }

    mutating func callback() throws -> CallbackRecord {
        let questions: [CallbackRecord.Question] = [
            .willPresent(fired()),
            .didReceive(try response()),
            .service(.init(arrival: number(), isExpiring: choice([true, false]))),
            .content(
                CallbackRecord.ContentAct(
                    presentation: PresentationIdentifier(high: number(), low: number()),
                    contentExtension: text(),
                    launch: choice(AppLaunch.allCases),
                    response: try response()
                )
            ),
        ]
        return CallbackRecord(
            openedAt: WallInstant(nanoseconds: number()),
            deadline: ElapsedInstant(nanoseconds: number()),
            question: choice(questions)
        )
    }

    private mutating func response() throws -> CallbackRecord.Response {
        CallbackRecord.Response(
            request: try request(),
            date: WallInstant(nanoseconds: number()),
            delivery: number(),
            action: text(),
            text: maybe { $0.text() }
        )
    }

    mutating func endedCallback() -> EndedCallbackRecord {
        EndedCallbackRecord(
            outcome: choice(CallbackOutcome.allCases),
            answer: choice([
                nil, .taken, .present(PresentationOptions(rawValue: number())),
                .content(number(), choice(ExtensionOutcome.allCases)),
                .option(choice(ContentAnswer.allCases)),
            ])
        )
    }

    mutating func delivered() -> DeliveredRecord {
        var record = DeliveredRecord(
            sequence: number(),
            identifier: text(),
            at: now(),
            event: number()
        )
        record.isHeld = choice([true, false])
        record.silencingFocus = maybe { $0.text() }
        return record
    }

    mutating func now() -> Now {
        Now(
            elapsed: ElapsedInstant(nanoseconds: number()),
            wall: WallInstant(nanoseconds: number())
        )
    }

    mutating func state() -> StoreState {
        var state = StoreState(
            now: now(),
            bootNanoseconds: number(),
            bootIdentifier: text(),
            localZone: text()
        )
        state.nextSequence = number()
        state.datesAsOf = WallInstant(nanoseconds: number())
        state.totals.pending = Int(number() as Int64)
        state.totals.events = Int(number() as Int64)
        state.recalculations = (0..<choice([0, 1, 3])).map { _ in recalculation() }
        state.nextCenter = number()
        state.idempotencyFloorMilliseconds = number()
        state.idempotencyBytes = choice([0, 1, 1 << 40])
        return state
    }

    mutating func recalculation() -> Recalculation {
        let scope = choice([
            Recalculation.Scope.all, .zones([text(), text()]), .device(text()), .summary(text()),
        ])
        var recalculation = Recalculation(scope, since: WallInstant(nanoseconds: number()))
        recalculation.center = Array(text().utf8)
        recalculation.position = Array(text().utf8)
        return recalculation
    }

    mutating func fired() -> EventRecord.Fired {
        var fired = EventRecord.Fired(
            sequence: number(),
            lateByNanoseconds: number(),
            collapsedCount: number(),
            snoozed: maybe { $0.number() },
            extensionOutcome: maybe { $0.choice(ExtensionOutcome.allCases) }
        )
        fired.due = maybe { WallInstant(nanoseconds: $0.number()) }
        fired.recordByteCount = maybe { $0.choice([1, 127, 128, 1 << 40]) }
        return fired
    }

    mutating func responded() -> Event.Responded {
        Event.Responded(identifier: text(), delivery: number(), actionIdentifier: text())
    }

    private mutating func shown() -> Event.Shown {
        Event.Shown(identifier: text(), delivery: number())
    }

    private mutating func presentation() -> Presentation {
        var presentation = Presentation(
            PresentationOptions(rawValue: number()),
            isQuiet: Bool.random(using: &generator),
            hasTimedOut: Bool.random(using: &generator)
        )
        presentation.heldUntil = maybe { WallInstant(nanoseconds: $0.number()) }
        presentation.isHeld = presentation.heldUntil != nil
        presentation.silencingFocus = maybe { $0.text() }
        return presentation
    }

    mutating func events() -> EventRun {
        EventRun((0..<choice([1, 2, 3])).map { _ in event() })
    }

    private mutating func event() -> EventRecord {
        let fired = fired()
        let kinds: [EventRecord.Kind] = [
            .delivered(
                EventRecord.Delivered(
                    fired: fired,
                    delivery: number(),
                    presentation: presentation(),
                    replaced: maybe { $0.number() }
                )
            ),
            .suppressed(
                fired,
                choice(SuppressionReason.allCases),
                replacedDelivery: maybe { $0.number() }
            ),
            .missed(fired),
            .removed(
                Event.Removed(
                    reason: choice([.app, .retention, .replaced]),
                    identifier: text(),
                    delivery: maybe { $0.number() }
                )
            ),
            .settingsChanged(settings()),
            .badgeChanged(number()),
            .expired(identifier: text()),
            .evicted(identifier: text(), by: text()),
            .responseCompleted(responded()),
            .responseExpired(responded()),
            .summaryPresented((0..<choice([0, 1, 3])).map { _ in shown() }),
            .openSettings(maybe { $0.shown() }),
            .tokenChanged,
            .snoozed(
                Event.Snoozed(
                    identifier: text(),
                    delivery: number(),
                    until: WallInstant(nanoseconds: number())
                )
            ),
            .backgroundPush(.init(apnsID: text(), end: choice(BackgroundPushEnd.allCases))),
        ]
        return EventRecord(
            date: WallInstant(nanoseconds: number()),
            byteCount: choice([0, 1, 127, 128, 65_536, .max]),
            kind: choice(kinds)
        )
    }
}
