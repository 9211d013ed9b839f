internal import Faults
package import NotificationCore

/// An event as the `events` table keeps it: it refers to its request, and does not copy it.
package struct EventRecord: Equatable {
    package struct Fired: Equatable {
        /// The number of the fired request, its key in `records`.
        package var sequence: RequestNumber
        /// How late the occurrence fired.
        package var lateByNanoseconds: Int64
        /// When the occurrence was due by the clock of its firing, for one that waited; the clock
        /// may have been set since.
        package var due: WallInstant?
        /// How many earlier occurrences the occurrence stands for.
        package var collapsedCount: Int64
        /// The delivery that comes back from a snooze; nil for a due occurrence of the request.
        package var snoozed: DeliveryNumber?
        /// The bytes of the request's record; nil where another event may refer to the record.
        ///
        /// A notification that came back from a snooze has another event
        /// (``CenterState/newestReturn``).
        package var recordByteCount: Int?
        /// The outcome of the service extension; nil where none was asked.
        package var extensionOutcome: ExtensionOutcome?

        package init(
            sequence: RequestNumber,
            lateByNanoseconds: Int64,
            collapsedCount: Int64,
            snoozed: DeliveryNumber? = nil,
            extensionOutcome: ExtensionOutcome? = nil
        ) {
            self.sequence = sequence
            self.lateByNanoseconds = lateByNanoseconds
            self.collapsedCount = collapsedCount
            self.snoozed = snoozed
            self.extensionOutcome = extensionOutcome
        }

        /// The occurrence as it begins to wait.
        package func waiting(since now: WallInstant) -> Fired {
            var fired = self
            if Fault.waitFollowsTheClock.isPlanted { return fired }
            fired.due = due ?? now.advanced(byNanoseconds: -lateByNanoseconds)
            return fired
        }

        /// The occurrence with more lateness, after it waited for the app's answer.
        package func late(by nanoseconds: Int64) -> Fired {
            var fired = self
            fired.lateByNanoseconds += nanoseconds
            return fired
        }
    }

    package struct Delivered: Equatable {
        package var fired: Fired
        package var delivery: DeliveryNumber
        /// How the delivery is presented.
        package var presentation: Presentation
        /// The delivery that left the list for this delivery.
        package var replaced: DeliveryNumber?

        package init(
            fired: Fired,
            delivery: DeliveryNumber,
            presentation: Presentation,
            replaced: DeliveryNumber?
        ) {
            self.fired = fired
            self.delivery = delivery
            self.presentation = presentation
            self.replaced = replaced
        }
    }

    /// The kind of an event that refers to requests by their sequence numbers.
    package typealias Kind = EventKind<Fired, Delivered>

    /// When it happened.
    package var date: WallInstant
    /// About how many bytes a subscriber is told for the event, its request included.
    package var byteCount: Int
    package var kind: Kind

    package init(date: WallInstant, byteCount: Int, kind: Kind) {
        self.date = date
        self.byteCount = byteCount
        self.kind = kind
    }

    /// How many of the bytes tell of settings, which a person changes whatever the app does.
    package var settingsByteCount: Int {
        switch kind {
        case .settingsChanged, .openSettings: byteCount
        default: 0
        }
    }

    /// About how many bytes a subscriber is told for an event.
    package static func byteCount(of kind: Kind, _ request: RequestHead?) -> Int {
        var byteCount = 64
        if let request {
            byteCount += request.byteCount + request.identifier.utf8.count
        }
        switch kind {
        case .removed(let removed): byteCount += removed.identifier.utf8.count
        case .expired(let identifier): byteCount += identifier.utf8.count
        case .evicted(let identifier, let other):
            byteCount += identifier.utf8.count + other.utf8.count
        case .responseCompleted(let responded), .responseExpired(let responded):
            byteCount += responded.identifier.utf8.count + responded.actionIdentifier.utf8.count
            byteCount += responded.userText?.utf8.count ?? 0
        case .summaryPresented(let shown):
            byteCount += shown.reduce(0) { $0 + 32 + $1.identifier.utf8.count }
        case .openSettings(let shown): byteCount += shown?.identifier.utf8.count ?? 0
        case .snoozed(let snoozed): byteCount += snoozed.identifier.utf8.count
        case .backgroundPush(let push): byteCount += push.apnsID.utf8.count
        case .delivered, .suppressed, .missed, .settingsChanged, .badgeChanged, .tokenChanged:
            break
        }
        return byteCount
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(date.nanoseconds)
        writer.putVarint(UInt64(byteCount))
        switch kind {
        case .delivered(let delivered):
            writer.put(UInt8(1))
            delivered.write(to: &writer)
        case .suppressed(let fired, let reason, let replaced):
            writer.put(UInt8(2))
            fired.write(to: &writer)
            writer.put(reason.rawValue)
            writer.put(replaced) { $0.put($1) }
        case .missed(let fired):
            writer.put(UInt8(3))
            fired.write(to: &writer)
        case .removed(let removed):
            writer.put(UInt8(4))
            writer.put(removed.reason.rawValue)
            writer.put(removed.identifier)
            writer.put(removed.delivery) { $0.put($1) }
        case .settingsChanged(let settings):
            writer.put(UInt8(5))
            settings.write(to: &writer)
        case .badgeChanged(let badge):
            writer.put(UInt8(6))
            writer.put(badge)
        case .expired(let identifier):
            writer.put(UInt8(7))
            writer.put(identifier)
        case .responseCompleted(let responded):
            writer.put(UInt8(8))
            responded.write(to: &writer)
        case .responseExpired(let responded):
            writer.put(UInt8(9))
            responded.write(to: &writer)
        case .summaryPresented(let shown):
            writer.put(UInt8(10))
            writer.putVarint(UInt64(shown.count))
            for notification in shown {
                writer.put(notification.identifier)
                writer.put(notification.delivery)
            }
        case .openSettings(let shown):
            writer.put(UInt8(11))
            writer.put(shown) { writer, shown in
                writer.put(shown.identifier)
                writer.put(shown.delivery)
            }
        case .evicted(let identifier, let other):
            writer.put(UInt8(12))
            writer.put(identifier)
            writer.put(other)
        case .tokenChanged: writer.put(UInt8(13))
        case .snoozed(let snoozed):
            writer.put(UInt8(14))
            writer.put(snoozed.identifier)
            writer.put(snoozed.delivery)
            writer.put(snoozed.until.nanoseconds)
        case .backgroundPush(let push):
            writer.put(UInt8(16))
            writer.put(push.apnsID)
            writer.put(push.end.rawValue)
        }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        date = WallInstant(nanoseconds: try reader.number())
        byteCount = try reader.count()
        kind = try Self.kind(&reader)
    }

    private static func kind(_ reader: inout ByteReader) throws(RowProblem) -> Kind {
        switch try reader.number(UInt8.self) {
        case 1:
            return .delivered(try Delivered(&reader))
        case 2:
            return .suppressed(
                try Fired(&reader),
                try reader.choice(),
                replacedDelivery: try reader.optional { reader throws(RowProblem) in
                    try reader.serial()
                }
            )
        case 3: return .missed(try Fired(&reader))
        case 4:
            return .removed(
                Event.Removed(
                    reason: try reader.choice(),
                    identifier: try reader.text(),
                    delivery: try reader.optional { reader throws(RowProblem) in
                        try reader.serial()
                    }
                )
            )
        case 5: return .settingsChanged(try NotificationSettings(&reader))
        case 6: return .badgeChanged(try reader.number())
        case 7: return .expired(identifier: try reader.text())
        case 8: return .responseCompleted(try Event.Responded(&reader))
        case 9: return .responseExpired(try Event.Responded(&reader))
        case 10:
            var shown: [Event.Shown] = []
            for _ in 0..<(try reader.count()) {
                shown.append(
                    Event.Shown(identifier: try reader.text(), delivery: try reader.serial())
                )
            }
            return .summaryPresented(shown)
        case 11:
            return .openSettings(
                try reader.optional { reader throws(RowProblem) in
                    Event.Shown(identifier: try reader.text(), delivery: try reader.serial())
                }
            )
        case 12: return .evicted(identifier: try reader.text(), by: try reader.text())
        case 13: return .tokenChanged
        case 14:
            return .snoozed(
                Event.Snoozed(
                    identifier: try reader.text(),
                    delivery: try reader.serial(),
                    until: WallInstant(nanoseconds: try reader.number())
                )
            )
        case 16:
            return .backgroundPush(
                Event.BackgroundPush(apnsID: try reader.text(), end: try reader.choice())
            )
        default: throw .undecodable
        }
    }
}

/// A row of the `events` table: events of a center that follow each other.
///
/// Its key has the number of the first. Events of one batch share rows, since a row costs the log,
/// the trees and their readers far more than an event in it.
package struct EventRun: TableRow, Equatable {
    /// One event or more.
    package var events: [EventRecord]

    package init(_ events: [EventRecord]) { self.events = events }

    package var bytes: [UInt8] {
        var writer = EventRunWriter()
        for event in events { writer.append(event) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        events = []
        for _ in 0..<(try reader.number(UInt32.self)) { events.append(try EventRecord(&reader)) }
        guard !events.isEmpty, reader.isAtEnd else { throw .undecodable }
    }
}

/// Writes an ``EventRun``, event by event.
package struct EventRunWriter {
    private var count: UInt32 = 0
    private var writer = ByteWriter(rowCapacity: byteLimit)

    /// A run takes no more events once it has so many bytes: four such rows fit on a page.
    private static let byteLimit = 900

    /// The count is behind the version.
    private static let countPlace = 1

    package init() { writer.put(count) }

    package var isFull: Bool { writer.count >= Self.byteLimit }

    package mutating func append(_ event: EventRecord) {
        event.write(to: &writer)
        count += 1
    }

    package consuming func sealed() -> [UInt8] {
        writer.replace(count, at: Self.countPlace)
        return writer.sealed()
    }
}

extension EventRecord.Delivered {
    fileprivate func write(to writer: inout ByteWriter) {
        fired.write(to: &writer)
        writer.put(delivery)
        writer.put(presentation.options.rawValue)
        writer.put(presentation.isQuiet)
        writer.put(presentation.hasTimedOut)
        writer.put(presentation.heldUntil) { $0.put($1.nanoseconds) }
        writer.put(presentation.silencingFocus) { $0.put($1) }
        writer.put(replaced) { $0.put($1) }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            fired: try EventRecord.Fired(&reader),
            delivery: try reader.serial(),
            presentation: try Presentation(&reader),
            replaced: try reader.optional { reader throws(RowProblem) in try reader.serial() }
        )
    }
}

extension EventRecord.Fired {
    package func write(to writer: inout ByteWriter) {
        writer.put(sequence)
        writer.put(lateByNanoseconds)
        writer.putVarint(UInt64(bitPattern: collapsedCount))
        writer.putVarint(UInt64(recordByteCount ?? 0))
        writer.put(snoozed) { $0.put($1) }
        writer.put((extensionOutcome?.rawValue ?? 0) | (due == nil ? 0 : Self.hasDue))
        if let due { writer.put(due.nanoseconds) }
    }

    /// The bit beside the outcome that says that the due instant follows.
    private static let hasDue: UInt8 = 0x80

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        sequence = try reader.serial()
        lateByNanoseconds = try reader.number()
        collapsedCount = Int64(bitPattern: try reader.varint())
        let byteCount = try reader.count()
        recordByteCount = byteCount == 0 ? nil : byteCount
        snoozed = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        let bits = try reader.number(UInt8.self)
        let outcome = bits & ~Self.hasDue
        extensionOutcome = ExtensionOutcome(rawValue: outcome)
        guard outcome == 0 || extensionOutcome != nil else { throw .undecodable }
        if bits != outcome { due = WallInstant(nanoseconds: try reader.number()) }
    }
}

extension Presentation {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(PresentationOptions(rawValue: try reader.number()))
        isQuiet = try reader.bool()
        hasTimedOut = try reader.bool()
        heldUntil = try reader.optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
        isHeld = heldUntil != nil
        silencingFocus = try reader.optional { reader throws(RowProblem) in try reader.text() }
    }
}

extension Event.Responded {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        writer.put(delivery)
        writer.put(actionIdentifier)
        writer.put(userText) { $0.put($1) }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            identifier: try reader.text(),
            delivery: try reader.serial(),
            actionIdentifier: try reader.text()
        )
        userText = try reader.optional { reader throws(RowProblem) in try reader.text() }
    }
}
