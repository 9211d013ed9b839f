internal import NotificationCore
internal import NotificationRecords

/// The news of a center for the watchers of its device.
///
/// Nothing is noted for a device without watchers.
struct CenterNews: CenterPart {
    let center: CenterWork

    /// Notes a delivery as an entry of the list, with its alerts.
    func tellDelivery(
        _ presentation: Presentation,
        of sequence: RequestNumber,
        _ delivery: DeliveryNumber,
        _ replaced: DeliveredList.Replaced?
    ) throws(StoreFailure) {
        let name = center.name
        let replaced = replaced?.isListed == true ? replaced : nil
        guard batch.observer.isWatched(name.device) else { return }
        let request = try center.records.request(sequence).request
        func reference(_ delivery: DeliveryNumber) -> NotificationReference {
            center.reference(request.identifier, delivery)
        }
        let isListed = presentation.options.contains(.list)
        // The delivery replaces an older delivery of its own group; from another group the older
        // delivery is removed.
        let staysInGroup =
            isListed && replaced?.thread.isExactly(request.content.groupingThread) == true
        if let replaced, !staysInGroup {
            tellRemoved(replaced, of: request.identifier)
        }
        var delivered = DeviceNews.Delivered(
            reference: reference(delivery),
            isListed: isListed,
            replaced: staysInGroup ? replaced.map { reference($0.delivery) } : nil
        )
        let decision = Arrival(
            content: Boxed(request.content.head),
            app: name.app,
            settings: center.state.settings,
            device: try center.decisiveDevice()
        ).decision(afterAnswer: presentation.options)
        if let alert = decision.visualAlert {
            let banner = DeviceNews.Banner(
                reference: reference(delivery),
                alert: alert,
                wakesDisplay: decision.wakesScreen,
                date: batch.now.wall,
                content: isListed ? nil : request.content
            )
            delivered.alerts.append(.banner(banner))
        }
        if let sound = decision.sound {
            let installed = try batch.transaction.sound(sound.name, of: name.app, batch.tables)
            let played = sound.played(with: installed?.facts)
            let file = played.name.isEmpty ? "" : installed?.attachment ?? ""
            delivered.alerts.append(.sound(reference(delivery), played, file: file))
        }
        if presentation.vibrates { delivered.alerts.append(.vibrate(reference(delivery))) }
        if isListed || !delivered.alerts.isEmpty { center.tell(.delivered(delivered)) }
    }

    /// Notes that a newer occurrence of the identifier took a delivery out of the list.
    func tellRemoved(
        _ replaced: DeliveredList.Replaced,
        of identifier: String
    ) {
        guard replaced.isListed else { return }
        let reference = center.reference(identifier, replaced.delivery)
        center.tell(.removed(reference, thread: replaced.thread, snoozedUntil: nil))
    }

    /// Notes that a summary is presented, with its notifications; the first is featured.
    func tellSummary(_ shown: [ListedNotification]) throws(StoreFailure) {
        let name = center.name
        guard batch.observer.isWatched(name.device), let featured = shown.first else { return }
        func reference(_ notification: ListedNotification) -> NotificationReference {
            center.reference(notification.identifier, notification.delivery)
        }
        for notification in shown { center.tell(.presented(reference(notification))) }
        // Show nothing: once the permission was withdrawn, delivered notifications stay in the list
        // without alerts.
        guard center.state.settings.authorizationStatus.allowsNotifications else { return }
        let decision = Arrival(
            content: Boxed(featured.content.head),
            app: name.app,
            settings: center.state.settings,
            device: try center.decisiveDevice()
        ).decisionInSummary()
        guard let alert = decision.visualAlert else { return }
        let banner = DeviceNews.Banner(
            reference: reference(featured),
            alert: alert,
            wakesDisplay: decision.wakesScreen,
            date: featured.date,
            content: nil
        )
        center.tell(.banner(banner))
    }

    /// Notes the other news of an event that concern a device.
    func tell(_ kind: EventRecord.Kind) {
        switch kind {
        case .badgeChanged(let badge):
            center.tell(.badge(center.name, badge))
        case .settingsChanged: center.tell(.app(center.name))
        default: break
        }
    }
}
