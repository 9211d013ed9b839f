internal import Faults
package import NotificationCore
package import NotificationRecords

/// The state of the person's response; the numbers are stored and are the wire's.
package enum RespondOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// The response is durable and is told to the app.
    case sent = 1
    /// The act waits until the device is unlocked.
    case waitingForUnlock = 2
    /// The notification is snoozed, and the app is told nothing but its event.
    case snoozed = 4
    /// A content extension handles the act, and decides whether the app is told.
    case handledByExtension = 3
}

/// The notification on which the person acts.
package enum RespondTarget: Hashable, Sendable {
    /// A notification as it is shown.
    case notification(NotificationReference)
    case presentation(PresentationIdentifier, device: String)
}

/// The notifications that the person dismisses.
package enum DismissTarget: Hashable, Sendable {
    /// One notification, which leaves the list.
    case one(NotificationReference)
    /// One notification's banner alone; it stays in the list.
    case banner(NotificationReference)
    /// These, in one step: at most ``listLimit``; those that left the list, or were replaced, are
    /// passed over.
    case these([NotificationReference])
    case group(GroupName)
    case all(device: String)

    package static let listLimit = 256
}

package struct Dismissal: Hashable, Sendable {
    /// The first 1,000 of the dismissed notifications.
    package var dismissed: [NotificationReference] = []
    /// How many notifications were dismissed.
    package var count = 0

    /// How many notifications one reply names.
    static let namedCount = 1_000

    mutating func add(_ reference: NotificationReference) {
        count += 1
        if dismissed.count < Self.namedCount { dismissed.append(reference) }
    }
}

extension Store {
    /// Acts on a notification as the person (§17).
    ///
    /// `act` is ``PersonAct/open`` or ``PersonAct/action(identifier:text:)``. `target` is the
    /// notification as the person saw it, or as it is open. `completion` is told, once the act is
    /// durable, whether the app is told at once. The act is refused where the notification no
    /// longer exists or was replaced, where it offers no such action, and where the app already has
    /// ``StoreLimits/responsesPerCenter`` open responses.
    package func respond(
        _ act: PersonAct,
        to target: RespondTarget,
        once key: OnceKey? = nil,
        completion: @escaping Completion<RespondOutcome>
    ) {
        submit(RespondCommand(target: target, act: act), once: key, completion)
    }

    /// Presses the play button of an open notification, as the person who sees it.
    ///
    /// `command` says whether the media plays or pauses. `completion` is told once the extension is
    /// told. The command is refused where the presentation is closed, where its extension does not
    /// serve, and where it shows no play button.
    package func press(
        _ command: MediaCommand,
        in identifier: PresentationIdentifier,
        on device: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<RespondOutcome>
    ) {
        let press = PressCommand(identifier: identifier, device: device, command: command)
        submit(press, once: key, completion)
    }

    /// Dismisses notifications as the person, in slices between which other commands run (NC-2,
    /// NC-5).
    ///
    /// `target` names the notifications. For a group and for a device, notifications that are
    /// delivered after the call stay. `completion` is told, once all is durable, which
    /// notifications were dismissed. A notification whose app has too many open responses stays;
    /// dismissing it alone is refused.
    package func dismiss(
        _ target: DismissTarget,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Dismissal>
    ) {
        submit(DismissCommand(target: target), once: key, completion)
    }
}

struct RespondCommand: Command {
    let target: RespondTarget
    let act: PersonAct

    var owner: CenterName? {
        switch target {
        case .notification(let reference): reference.center
        case .presentation: nil
        }
    }

    var growth: Growth { act.growth }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<RespondOutcome> {
        switch target {
        case .notification(let reference): .done(.success(try respond(to: reference, batch)))
        case .presentation(let identifier, let device):
            .done(.success(try batch.presentationWork.respond(act, to: identifier, on: device)))
        }
    }

    private func respond(
        to reference: NotificationReference,
        _ batch: Batch
    ) throws(StoreFailure) -> RespondOutcome {
        let listed = try batch.listed(reference)
        let decision = try listed.decision(of: act)
        if decision.needsUnlock {
            let waits = UnlockWaits(batch: batch, device: reference.center.device)
            return try waits.wait(for: decision, on: listed)
        }
        return try listed.perform(decision)
    }
}

extension PersonAct {
    /// A text that was typed is kept until the app has completed the response.
    var growth: Growth {
        guard case .action(_, let text?) = self, !text.isEmpty else { return .act }
        return .bytes(512 + text.utf8.count)
    }
}

struct DismissCommand: Command {
    /// The center whose list is being dismissed.
    struct Place: Equatable {
        /// The center's name; nil where the place is the only one.
        var name: CenterName?
        var number: CenterNumber
        /// The last delivery to dismiss: later deliveries came after the call.
        var end: DeliveryNumber
        /// The deliveries up to this one are done.
        var position: DeliveryNumber = 0
    }

    let target: DismissTarget
    var place: Place?
    var dismissal = Dismissal()

    var growth: Growth { .nothing }
    var cost: Int { 256 }

    var owner: CenterName? {
        switch target {
        case .one(let reference), .banner(let reference): reference.center
        case .group(let group): group.center
        case .these, .all: nil
        }
    }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<Dismissal> {
        switch target {
        case .one(let reference):
            return .done(.success(try dismiss(reference, .dismiss, batch)))
        case .banner(let reference):
            return .done(.success(try dismiss(reference, .swipeAway, batch)))
        case .these(let references):
            for reference in references {
                _ = try StoreFailure.refusal { () throws(StoreFailure) in
                    try dismiss(batch.listed(reference))
                }
            }
            return .done(.success(dismissal))
        case .group(let group):
            if place == nil {
                let center = try batch.registered(group.center)
                place = Place(name: nil, number: center.number, end: center.state.lastDelivery)
            }
            // The app may have been unregistered since the last slice.
            guard try exists(group.center, batch) else {
                let isDone = dismissal.count > 0
                return .done(isDone ? .success(dismissal) : .failure(.notRegistered(group.center)))
            }
            guard try dismissSlice(batch, atMost: cost) < cost else {
                return .more(.task(.dismissGroup(group.text, device: group.center.device)))
            }
            return .done(dismissal.count > 0 ? .success(dismissal) : .failure(.groupNotFound))
        case .all(let device):
            var rows = 0
            while rows < cost {
                if place == nil {
                    place = try firstPlace(of: device, after: nil, batch)
                }
                guard let current = place else { return .done(.success(dismissal)) }
                let left = cost - rows
                let done =
                    try exists(current.name, batch) ? try dismissSlice(batch, atMost: left) : 0
                rows += done + 1
                guard done < left else { break }
                place = try firstPlace(of: device, after: current.name, batch)
                if place == nil { return .done(.success(dismissal)) }
            }
            return .more(.task(.dismissAll(device: device)))
        }
    }

    private func dismiss(
        _ reference: NotificationReference,
        _ act: PersonAct,
        _ batch: Batch
    ) throws(StoreFailure) -> Dismissal {
        let listed = try batch.listed(reference)
        let decision = try listed.decision(of: act)
        if act == .dismiss || !listed.hasEntry { try listed.perform(decision) }
        return Dismissal(dismissed: [reference], count: 1)
    }

    /// Whether the center of the place, which has this name, is still registered.
    private func exists(_ name: CenterName?, _ batch: Batch) throws(StoreFailure) -> Bool {
        guard let name, let place else { return false }
        if Fault.dismissalMeetsAnUnregisteredApp.isPlanted { return true }
        return try batch.number(of: name) == place.number
    }

    /// Dismisses up to `limit` notifications of the place, and gives how many it read.
    private mutating func dismissSlice(
        _ batch: Batch,
        atMost limit: Int
    ) throws(StoreFailure) -> Int {
        guard let place else { return 0 }
        let center = try batch.center(place.number)
        let deliveries = try center.delivered.deliveries(
            after: place.position,
            upTo: place.end,
            atMost: limit
        )
        for delivery in deliveries {
            let listed = try center.listed(delivery)
            self.place?.position = delivery
            if case .group(let group) = target, !group.contains(listed) { continue }
            try dismiss(listed)
        }
        return deliveries.count
    }

    /// Dismisses one of several, which stays where its app has too many open responses.
    private mutating func dismiss(_ listed: ListedWork) throws(StoreFailure) {
        let refusal = try StoreFailure.refusal { () throws(StoreFailure) in
            try listed.perform(listed.decision(of: .dismiss))
        }
        if refusal == nil { dismissal.add(listed.reference) }
    }

    /// The first center of a device whose name comes after `name`.
    private func firstPlace(
        of device: String,
        after name: CenterName?,
        _ batch: Batch
    ) throws(StoreFailure) -> Place? {
        let table = batch.tables.centerNumbers
        let rows = try batch.transaction.rows(in: table, .device(device), after: name, atMost: 1)
        guard let (name, number) = rows.first else { return nil }
        let end = try batch.center(number).state.lastDelivery
        return Place(name: name, number: number, end: end)
    }

    // MARK: Progress

    func writeProgress(to writer: inout ByteWriter) {
        dismissal.write(to: &writer)
        writer.put(place) { writer, place in
            writer.put(place.number)
            writer.put(place.end)
            writer.put(place.position)
            writer.put(String(decoding: place.name?.bytes ?? [], as: UTF8.self))
        }
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        dismissal = try reader.value()
        place = try reader.optional { reader throws(RowProblem) in
            var place = Place(name: nil, number: try reader.serial(), end: try reader.serial())
            place.position = try reader.serial()
            let name = try reader.text()
            place.name = name.isEmpty ? nil : try CenterName(Array(name.utf8))
            return place
        }
    }
}

extension Refusal {
    static let groupNotFound = Refusal(
        .notFound,
        reason: .groupNotFound,
        message: "no notification of this group is in the list",
        fields: [WrongField([.group], "no notification of it is in the list")]
    )
}

extension RespondOutcome: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(rawValue) }
    package init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.choice() }
}

extension Dismissal: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(count)
        dismissed.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        count = try reader.number()
        dismissed = try reader.value()
    }
}

extension NotificationReference: Coded {
    package func write(to writer: inout ByteWriter) {
        center.write(to: &writer)
        writer.put(identifier)
        writer.put(delivery)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            center: try reader.value(),
            identifier: try reader.text(),
            delivery: try reader.serial()
        )
    }
}
