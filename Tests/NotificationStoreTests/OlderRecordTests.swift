internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Records as earlier versions wrote them")
struct OlderRecordTests {
    @Test("Records of version 1 are read as they were first written")
    func fixtures() throws {
        let center = try CenterRecord(bytes(Fixture.center)).center
        var known = CenterState(name: .local("x"))
        known.pendingBytes = nil
        known.categories = nil
        #expect(center == known)
        var content = NotificationContent()
        content.title = "T"
        content.badge = -2
        content.sound = Sound(kind: .ringtone, name: "n", isCritical: true, volume: 0.5)
        content.foregroundPresentation = [.list, .banner]
        let trigger = try TimeIntervalTrigger(intervalNanoseconds: 256, repeats: false)
        let request = RequestRecord(
            center: 3,
            request: NotificationRequest(
                identifier: "id",
                content: content,
                trigger: .timeInterval(trigger)
            ),
            base: ElapsedInstant(nanoseconds: 1),
            addedAt: WallInstant(nanoseconds: -1)
        )
        #expect(try RequestRecord(bytes(Fixture.request)) == request)
        let event = EventRecord(
            date: WallInstant(nanoseconds: 2),
            byteCount: 300,
            kind: .delivered(
                EventRecord.Delivered(
                    fired: .init(sequence: 4, lateByNanoseconds: 5, collapsedCount: 6),
                    delivery: 7,
                    presentation: Presentation([.list]),
                    replaced: 9
                )
            )
        )
        #expect(try EventRecord(bytes(Fixture.event)) == event)
        let pending = IdentifierRecord.Pending(
            sequence: 1,
            due: .elapsed(ElapsedInstant(nanoseconds: 2)),
            lastEvent: 4
        )
        let delivered = DeliveredRecord(
            sequence: 1,
            date: WallInstant(nanoseconds: 2),
            event: 3
        )
        #expect(try DeliveredRecord(bytes(Fixture.delivered)) == delivered)
        let identifier = IdentifierRecord(pending: pending, delivered: 3)
        #expect(try IdentifierRecord(bytes(Fixture.identifier)) == identifier)
    }

    @Test("Records of version 2 are read as they were written then")
    func secondFixtures() throws {
        var center = CenterState(name: .local("x"))
        center.arrivingCount = 2
        center.openPrompt = 5
        center.pendingBytes = nil
        center.categories = nil
        #expect(try CenterRecord(bytes(Fixture.secondCenter)).center == center)
        var content = NotificationContent()
        content.title = "T"
        content.communication = Communication(
            kind: .message,
            sender: "a",
            recipients: ["b"],
            conversationIdentifier: "c",
            groupName: "g"
        )
        var request = RequestRecord(
            center: 3,
            request: NotificationRequest(identifier: "id", content: content),
            base: ElapsedInstant(nanoseconds: 1),
            addedAt: WallInstant(nanoseconds: 2)
        )
        request.lastEvent = 9
        #expect(try RequestRecord(bytes(Fixture.secondRequest)) == request)
        let fired = EventRecord.Fired(sequence: 4, lateByNanoseconds: 5, collapsedCount: 6)
        let presentation = Presentation([.list], isQuiet: true)
        let event = EventRecord(
            date: WallInstant(nanoseconds: 2),
            byteCount: 300,
            kind: .delivered(
                EventRecord.Delivered(
                    fired: fired,
                    delivery: 7,
                    presentation: presentation,
                    replaced: 9
                )
            )
        )
        #expect(try EventRecord(bytes(Fixture.secondEvent)) == event)
    }

    @Test("Apps, callbacks and events from before extensions answered are read")
    func beforeExtensions() throws {
        var writer = ByteWriter(version: 1, capacity: 64)
        writer.put(Int64(5))
        writer.put(GroupingMode.automatic.rawValue)
        writer.putVarint(0)
        writer.putVarint(0)
        writer.put("")
        writer.put("en")
        writer.put(Entitlements.filtering.rawValue)
        writer.put(BackgroundModes.remoteNotification.rawValue)
        writer.putVarint(1)
        writer.put("x.service")
        writer.put(AppExtension.Kind.service.rawValue)
        writer.put(false)
        var app = AppRecord(registeredAt: WallInstant(nanoseconds: 5))
        app.registration.entitlements = .filtering
        app.registration.backgroundModes = .remoteNotification
        app.registration.extensions = [AppExtension(identifier: "x.service", kind: .service)]
        #expect(try AppRecord(writer.sealed()) == app)

        // Version 2, which did not have who registered the app.
        writer = ByteWriter(version: 2, capacity: 64)
        writer.put(Int64(5))
        writer.put(GroupingMode.automatic.rawValue)
        writer.putVarint(0)
        writer.putVarint(0)
        writer.put("")
        writer.put("en")
        writer.put(Entitlements.filtering.rawValue)
        writer.put(BackgroundModes.remoteNotification.rawValue)
        writer.putVarint(0)
        writer.put(false)
        app.registration.extensions = []
        #expect(try AppRecord(writer.sealed()) == app)

        let fired = EventRecord.Fired(sequence: 4, lateByNanoseconds: 5, collapsedCount: 6)
        writer = ByteWriter(version: 1, capacity: 64)
        writer.put(Int64(1))
        writer.put(Int64(2))
        writer.put(UInt8(1))
        for number in [4, 5, 6] as [UInt64] { writer.put(number) }
        let callback = CallbackRecord(
            openedAt: WallInstant(nanoseconds: 1),
            deadline: ElapsedInstant(nanoseconds: 2),
            question: .willPresent(fired)
        )
        #expect(try CallbackRecord(writer.sealed()) == callback)

        writer = ByteWriter(version: 4, capacity: 64)
        writer.put(Int64(2))
        writer.putVarint(300)
        writer.put(UInt8(3))
        for number in [4, 5, 6] as [UInt64] { writer.put(number) }
        let event = EventRecord(
            date: WallInstant(nanoseconds: 2),
            byteCount: 300,
            kind: .missed(fired)
        )
        #expect(try EventRecord(writer.sealed()) == event)
    }

    @Test("What was known of dates before the last scheduled one was kept")
    func dates() throws {
        let pending = IdentifierRecord.Pending(
            sequence: 1,
            due: .wall(WallInstant(nanoseconds: 2)),
            lastEvent: 4
        )
        let identifier = IdentifierRecord(
            pending: pending,
            arriving: .init(callback: 5, sequence: 6),
            delivered: 3
        )
        #expect(try IdentifierRecord(bytes(Fixture.secondIdentifier)) == identifier)
        var state = StoreState(
            now: Now(elapsed: .init(nanoseconds: 1), wall: .init(nanoseconds: 2)),
            bootNanoseconds: 3,
            bootIdentifier: "b"
        )
        state.nextSequence = 4
        state.nextCenter = 5
        state.idempotencyFloorMilliseconds = 6
        #expect(try StoreState(bytes(Fixture.secondState + "00")) == state)
        var recalculation = Recalculation(.all, since: state.now.wall)
        recalculation.position = [7, 8]
        state.recalculations = [recalculation]
        #expect(try StoreState(bytes(Fixture.secondState + "01020708")) == state)
    }

    @Test("Records of version 3 are read as they were written then")
    func thirdFixtures() throws {
        let event = EventRecord(
            date: WallInstant(nanoseconds: 2),
            byteCount: 300,
            kind: .suppressed(
                EventRecord.Fired(sequence: 4, lateByNanoseconds: 5, collapsedCount: 6),
                .notPresented,
                replacedDelivery: nil
            )
        )
        #expect(try EventRecord(bytes(Fixture.thirdEvent)) == event)
    }

    @Test("Records from before banners and elapsed retention are read as they were written then")
    func beforeBanners() throws {
        var center = CenterState(name: .local("x"))
        center.heldCount = 1
        center.summaryDue = WallInstant(nanoseconds: 7)
        center.arrivingCount = 2
        center.openPrompt = 5
        center.pendingBytes = nil
        center.categories = nil
        #expect(try CenterRecord(bytes(Fixture.thirdCenter)).center == center)
        var delivered = DeliveredRecord(sequence: 1, date: WallInstant(nanoseconds: 2), event: 3)
        delivered.isHeld = true
        #expect(try DeliveredRecord(bytes(Fixture.heldDelivered)) == delivered)
        let state = try StoreState(bytes(Fixture.uncountedState))
        #expect(state.nextSequence == 9)
        #expect(state.bootIdentifier == "b")
        #expect(state.totals == nil)
    }

    @Test("A level and a count that were kept without whether the app gave them are read as such")
    func beforeGivenLevels() throws {
        let plain = Fixture.fourthRequest(count: "00000001", level: "01")
        let content = try RequestRecord(bytes(plain)).request.content
        #expect(content.title == "T")
        #expect(content.givenInterruptionLevel == nil)
        #expect(content.givenSummaryArgumentCount == nil)
        let other = Fixture.fourthRequest(count: "00000005", level: "00")
        let given = try RequestRecord(bytes(other)).request.content
        #expect(given.givenInterruptionLevel == .passive)
        #expect(given.givenSummaryArgumentCount == 5)
    }

    @Test("Records from before limits and replacement keys are read as they were written then")
    func beforeLimits() throws {
        var components = CalendarComponents()
        components.hour = 8
        var request = RequestRecord(
            center: 1,
            request: NotificationRequest(
                identifier: "id",
                content: NotificationContent(),
                trigger: .calendar(
                    try CalendarTrigger(
                        dateComponents: components,
                        repeats: true,
                        shortMonthPolicy: .lastDay
                    )
                )
            ),
            base: ElapsedInstant(nanoseconds: 0),
            addedAt: .newYear
        )
        request.request.content.title = "T"
        #expect(try RequestRecord(bytes(Fixture.fifthRequest)) == request)
        let pending = IdentifierRecord.Pending(
            sequence: 1,
            due: .wall(WallInstant(nanoseconds: 2)),
            lastEvent: 4,
            lastScheduled: WallInstant(nanoseconds: 1)
        )
        let identifier = IdentifierRecord(pending: pending, delivered: 3)
        #expect(try IdentifierRecord(bytes(Fixture.thirdIdentifier)) == identifier)
    }

    @Test("Records from before localized texts are read as they were written then")
    func unlocalizedFixtures() throws {
        var content = NotificationContent()
        content.title = "T"
        content.communication = Communication(
            kind: .message,
            sender: "A",
            recipients: ["B"],
            conversationIdentifier: "c",
            groupName: "g"
        )
        let trigger = try TimeIntervalTrigger(
            intervalNanoseconds: 256 * .nanosecondsPerSecond,
            repeats: false
        )
        let request = RequestRecord(
            center: 1,
            request: NotificationRequest(
                identifier: "id",
                content: content,
                trigger: .timeInterval(trigger)
            ),
            base: ElapsedInstant(nanoseconds: 0),
            addedAt: .newYear
        )
        #expect(try RequestRecord(bytes(Fixture.unlocalizedRequest)) == request)
        let action = NotificationAction(
            identifier: "a",
            title: "A",
            options: .foreground,
            icon: .systemImage("i"),
            textInput: ActionTextInput(buttonTitle: "b", placeholder: "p")
        )
        let category = NotificationCategory(
            identifier: "c",
            actions: [action, NotificationAction(identifier: "z", title: "Z")],
            intentIdentifiers: ["I"],
            hiddenPreviewsBodyPlaceholder: "%u",
            summaryFormat: "%@",
            options: .customDismissAction
        )
        #expect(try CategoryRecord(bytes(Fixture.category)).category("c") == category)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(digits[index...index + 1]), radix: 16)
        }
    }

    private enum Fixture {
        static let center =
            "010178056c6f63616c0000000000000000000000000000000000000000000100000000000000"
            + "00000000000000000000000000000000000000000000"
        static let request =
            "01000000030000000000000001ffffffffffffffff0002696401010000000000000100000154"
            + "00000000000000000001fffffffe000101016e01013fe0000000000000000000010100000000"
            + "000000000100000018"
        static let event =
            "010000000000000002ac02010000000000000004000000000000000500000000000000060000"
            + "00000000000700000008010000000000000009"
        static let secondCenter =
            "020178056c6f63616c000000000000020000010000000000000005000000000000000000000000"
            + "000000010000000000000000000000000000000000000000000000000000000000"
        static let secondRequest =
            "0200000003000000000000000100000000000000020100000000000000090269640001540000"
            + "000000000000000000000000000101000000000000000000010101610101620163016700"
        static let secondEvent =
            "020000000000000002ac02010000000000000004000000000000000500000000000000060000"
            + "000000000007000000080100010000000000000009"
        static let thirdEvent =
            "030000000000000002ac020200000000000000040000000000000005000000000000000602"
        static let unlocalizedRequest =
            "0200000001000000000000000018867251edfa00000002696401010000003b9aca00000001540000"
            + "000000000000000000000000000101000000000000000000010101410101420163016700"
        static let thirdCenter =
            "030178056c6f63616c0000000000000101000000000000000702000001000000000000000500"
            + "0000000000000000000000000000010000000000000000000000000000000000000000000000"
            + "000000000000"
        static let heldDelivered = "0200000000000000010000000000000002000000000000000301"
        /// A state of version 2, in which what is held is not counted.
        static let uncountedState =
            "0200000000000000090000000200000000000000030000000000000004000000000000000500"
            + "00000000000006016200"
        /// A request of version 4 with a count and a level of eight and two digits.
        static func fourthRequest(count: String, level: String) -> String {
            "0400000001000000000000000018867251edfa00000002696401010000003b9aca0000"
                + "000154000000000000000000000000" + count + level
                + "00000000000000000001010141010142016301670000000000"
        }
        /// A request of version 5 that waits for 08:00.
        static let fifthRequest =
            "0500000001000000000000000018867251edfa00000002696401020000000000000000000000"
            + "0100000000000000080000000000000001030154000000000000000000000000000000000000"
            + "00000000000000000000"
        static let thirdIdentifier =
            "030100000000000000010200000000000000020000000000000004010000000000000001"
            + "00010000000000000003"
        static let category =
            "0100000001022575022540010149020161014100000004010201690101620170017a015a00000000"
            + "0000"
        static let delivered = "01000000000000000100000000000000020000000000000003"
        static let secondIdentifier =
            "020100000000000000010200000000000000020000000000000004010000000000000005000000000000"
            + "0006010000000000000003"
        static let secondState =
            "0200000000000000040000000500000000000000060000000000000001000000000000000200000000"
            + "000000030162"
        static let identifier =
            "0101000000000000000100000000000000020000000000000004010000000000000003"
    }
}
