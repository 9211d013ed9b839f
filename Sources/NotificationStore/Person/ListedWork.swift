internal import NotificationCore
internal import NotificationRecords

/// A notification that the person acts on: in a center's list, only on the screen, or snoozed
/// (§17).
///
/// In one transaction the response becomes a callback that waits for the app, and the notification
/// leaves the list.
struct ListedWork: CenterPart {
    /// The place where the notification is.
    enum Place {
        /// It has an entry in the list.
        case list
        /// It has no entry, and only its banner exists.
        case banner(ShownBanner)
        case snoozed
    }

    let center: CenterWork
    let delivery: DeliveryNumber
    let sequence: RequestNumber
    /// The date under which the notification is shown.
    let date: WallInstant
    let record: RequestRecord
    let place: Place

    var identifier: String { record.request.identifier }
    /// Whether the list has an entry of the notification.
    var hasEntry: Bool { if case .list = place { true } else { false } }
    var reference: NotificationReference { center.reference(identifier, delivery) }

    /// Decides the effect of an act on the notification now.
    ///
    /// `actions` are the buttons of the open notification; nil for its own or those of its
    /// category.
    ///
    /// - Returns: The decision; the command is refused where the act is.
    func decision(
        of act: PersonAct,
        offering actions: [NotificationAction]? = nil
    ) throws(StoreFailure) -> ActDecision {
        let isLocked = try center.device().isLocked
        let content = record.request.content
        let identifier = content.categoryIdentifier
        let registered = try batch.transaction.category(identifier, of: center.number, tables)
        var category = content.shown(by: registered)
        if let actions {
            category = (category ?? NotificationCategory(identifier: identifier)).offering(actions)
        }
        return try StoreFailure.ofRefusal { () throws(Refusal) in
            try act.decision(for: category, isLocked: isLocked)
        }
    }

    /// Carries out a decision: the app is told, and the notification leaves the list.
    ///
    /// The command is refused where the app has too many open responses or too many snoozed
    /// notifications; nothing happened then.
    @discardableResult
    func perform(_ decision: ActDecision) throws(StoreFailure) -> RespondOutcome {
        if let end = decision.snooze {
            _ = try snooze(until: end)
            return .snoozed
        }
        if let response = decision.response {
            let limit = batch.limits.responsesPerCenter
            guard center.state.openResponseCount < limit else {
                throw .refused(.responseLimit(limit))
            }
            try center.callbacks.respond(self.response(response))
            center.tellLaunch(decision.launch, for: self.response(response))
            try markRichPushRead(by: response)
        }
        switch place {
        // Remove the banner: every act on it does.
        case .banner:
            center.state.hideBanner(of: identifier)
            batch.presentationWork.close(center.number, delivery)
        case .list where decision.leavesList:
            try center.delivered.remove(delivery, reason: .person)
            batch.counts.removed += 1
        case .snoozed where decision.leavesList:
            try center.snoozed.remove(try center.identifier(identifier), reason: .person)
            batch.counts.removed += 1
        case .list, .snoozed: break
        }
        return .sent
    }

    /// Marks the rich push of the notification as read, if the person opened it or asked for more
    /// (AZ-10).
    private func markRichPushRead(by response: ActResponse) throws(StoreFailure) {
        guard !record.request.content.userInfoJSON.isEmpty,
            RichPush.isRead(by: response.actionIdentifier),
            let number = RichPush.numberNamed(in: record.request.content.userInfoJSON)
        else { return }
        _ = try batch.richPushes.markRead(number, on: center)
    }

    /// The response as its callback keeps it.
    func response(_ response: ActResponse) -> CallbackRecord.Response {
        CallbackRecord.Response(
            request: record,
            date: date,
            delivery: delivery,
            action: response.actionIdentifier,
            text: response.userText
        )
    }
}

extension CenterWork {
    /// Notes, for watchers, that the app has to run for a response.
    func tellLaunch(_ launch: AppLaunch, for response: CallbackRecord.Response) {
        guard launch != .none else { return }
        let request = response.request.request
        tell(
            .launch(
                DeviceNews.Launch(
                    mode: launch,
                    reference: reference(request.identifier, response.delivery),
                    launchImageName: request.content.launchImageName,
                    targetContentIdentifier: request.content.targetContentIdentifier
                )
            )
        )
    }

    func listed(_ delivery: DeliveryNumber) throws(StoreFailure) -> ListedWork {
        let row = try delivered.row(delivery)
        let record = try records.request(row.sequence)
        return work(delivery, row.sequence, row.date, record, .list)
    }

    fileprivate func snoozed(_ delivery: DeliveryNumber) throws(StoreFailure) -> ListedWork {
        let row = try snoozed.row(delivery)
        let record = try records.request(row.sequence)
        return work(delivery, row.sequence, row.date, record, .snoozed)
    }

    /// The work on a notification with a known record.
    fileprivate func work(
        _ delivery: DeliveryNumber,
        _ sequence: RequestNumber,
        _ date: WallInstant,
        _ record: RequestRecord,
        _ place: ListedWork.Place
    ) -> ListedWork {
        ListedWork(
            center: self,
            delivery: delivery,
            sequence: sequence,
            date: date,
            record: record,
            place: place
        )
    }
}

extension Batch {
    /// Finds the notification that the person saw; the command is refused where it was replaced or
    /// no longer exists.
    func listed(_ reference: NotificationReference) throws(StoreFailure) -> ListedWork {
        let center = try registered(reference.center)
        let identifier = try center.identifier(reference.identifier).record
        let entry = identifier.delivered ?? identifier.snoozed
        if identifier.snoozed == reference.delivery {
            return try center.snoozed(reference.delivery)
        }
        if entry == reference.delivery { return try center.listed(reference.delivery) }
        let banner = center.state.banner(of: reference.identifier, at: now.elapsed)
        // The content of a banner whose event was trimmed is deleted.
        if let banner, banner.delivery == reference.delivery,
            let record = try keptRecord(banner.sequence)
        {
            let place = ListedWork.Place.banner(banner)
            return center.work(banner.delivery, banner.sequence, banner.date, record, place)
        }
        let newest = max(entry ?? 0, banner?.delivery ?? 0)
        let isReplaced = newest > reference.delivery
        throw .refused(isReplaced ? .notificationReplaced : .notificationNotFound)
    }
}

extension Batch {
    /// Finds an open notification; nil where it no longer exists.
    func listed(_ presentation: OpenPresentation) throws(StoreFailure) -> ListedWork? {
        let source = presentation.source
        guard let center = try knownCenter(source.center) else { return nil }
        let delivery = presentation.notification.delivery
        guard source.hasEntry else {
            let record = try keptRecord(source.sequence)
            guard let record else { return nil }
            let identifier = record.request.identifier
            if try center.identifier(identifier).record.snoozed == delivery {
                return try center.snoozed(delivery)
            }
            // Take the banner of the presentation: one that has left the screen meanwhile is still
            // open.
            let banner =
                center.state.banner(of: identifier, at: now.elapsed)
                ?? ShownBanner(
                    identifier: identifier,
                    delivery: delivery,
                    sequence: source.sequence,
                    event: 0,
                    date: source.date,
                    end: now.elapsed,
                    ownReplacementKey: record.request.head.ownReplacementKey
                )
            return center.work(delivery, source.sequence, source.date, record, .banner(banner))
        }
        guard try center.delivered.contains(delivery) else { return nil }
        return try center.listed(delivery)
    }
}

extension Refusal {
    static let notificationNotFound = Refusal(
        .notFound,
        reason: .notificationNotFound,
        message: "notification: is not in the list: it was removed, or never was there"
    )

    static let notificationReplaced = Refusal(
        .failedPrecondition,
        reason: .notificationReplaced,
        message: "notification: was replaced by a newer one: look at that one first"
    )

    static func responseLimit(_ limit: Int) -> Refusal {
        limitReached(.responseLimit, limit, "\(limit) responses wait already, the limit")
    }
}
