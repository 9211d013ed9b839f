internal import NotificationCore
internal import NotificationRecords

/// A notification that the person acts on: in a center's list, or only on the screen (§17).
///
/// In one transaction the response becomes a callback that waits for the app, and the notification
/// leaves the list.
struct ListedWork {
    let center: CenterWork
    let delivery: DeliveryNumber
    /// The date that the person sees.
    let date: WallInstant
    let record: RequestRecord
    /// Whether the notification has an entry in the list; if not, only its banner exists.
    let hasEntry: Bool

    var identifier: String { record.request.identifier }
    var reference: NotificationReference { center.reference(identifier, delivery) }

    /// Decides what an act on the notification leads to now.
    func decision(of act: PersonAct) throws(StoreFailure) -> Result<ActDecision, Refusal> {
        let isLocked = try center.device().isLocked
        let category = try center.batch.transaction.category(
            record.request.content.categoryIdentifier,
            of: center.number,
            center.batch.tables
        )
        return Result { () throws(Refusal) in
            try act.decision(for: category, isLocked: isLocked)
        }
    }

    /// Carries out a decision: the app is told, and the notification leaves the list.
    ///
    /// - Returns: A refusal where the app has too many open responses; nothing happened then.
    /// - Throws: What the store reports.
    func perform(_ decision: ActDecision) throws(StoreFailure) -> Refusal? {
        if let response = decision.response {
            let limit = center.batch.limits.responsesPerCenter
            guard center.state.openResponseCount < limit else { return .responseLimit(limit) }
            try center.callbacks.respond(
                CallbackRecord.Response(
                    request: record,
                    date: date,
                    delivery: delivery,
                    action: response.actionIdentifier,
                    text: response.userText
                )
            )
            tellLaunch(decision.launch)
        }
        if !hasEntry {
            // Every act on a banner removes the banner.
            center.state.hideBanner(of: identifier)
        } else if decision.leavesList {
            try center.delivered.remove(delivery, reason: .person)
            center.batch.counts.removed += 1
        }
        return nil
    }

    /// Notes, for watchers, that the app has to run for a response.
    private func tellLaunch(_ launch: AppLaunch) {
        guard launch != .none else { return }
        let content = record.request.content
        center.tell(
            .launch(
                DeviceNews.Launch(
                    mode: launch,
                    reference: reference,
                    launchImageName: content.launchImageName,
                    targetContentIdentifier: content.targetContentIdentifier
                )
            )
        )
    }
}

extension CenterWork {
    /// Reads a notification that is in the list.
    func listed(_ delivery: DeliveryNumber) throws(StoreFailure) -> ListedWork {
        let row = try delivered.row(delivery)
        return ListedWork(
            center: self,
            delivery: delivery,
            date: row.date,
            record: try records.request(row.sequence),
            hasEntry: true
        )
    }

    /// Reads a notification that has only a banner; nil where its event was trimmed, since its
    /// content is then deleted.
    fileprivate func listed(_ banner: ShownBanner) throws(StoreFailure) -> ListedWork? {
        let record = try batch.transaction.rowIfAny(banner.sequence, in: batch.tables.records)
        guard let record else { return nil }
        return ListedWork(
            center: self,
            delivery: banner.delivery,
            date: banner.date,
            record: record,
            hasEntry: false
        )
    }
}

extension Batch {
    /// Finds the notification that the person saw, or refuses where it was replaced or no longer
    /// exists.
    func listed(
        _ reference: NotificationReference
    ) throws(StoreFailure) -> Result<ListedWork, Refusal> {
        guard let center = try center(reference.center) else {
            return .failure(.notRegistered(reference.center))
        }
        let entry = try center.identifier(reference.identifier).record.delivered
        if entry == reference.delivery { return .success(try center.listed(reference.delivery)) }
        let banner = center.state.banner(of: reference.identifier, at: now.elapsed)
        if let banner, banner.delivery == reference.delivery,
            let shown = try center.listed(banner)
        {
            return .success(shown)
        }
        let newest = max(entry ?? 0, banner?.delivery ?? 0)
        return .failure(newest > reference.delivery ? .notificationReplaced : .notificationNotFound)
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
        Refusal(
            .resourceExhausted,
            reason: .responseLimit,
            message: "\(limit) responses wait already, the limit",
            facts: [.limit: "\(limit)"]
        )
    }
}
