internal import BelfryLMDB
internal import NotificationCore

/// What those who watch a device are told of a center.
///
/// Nothing is noted where nobody does.
struct CenterNews {
    let center: CenterWork
    private var batch: Batch { center.batch }

    /// Notes a delivery: the list, what the person sees and hears.
    func tellDelivery(
        _ presentation: Presentation,
        of request: NotificationRequest,
        _ delivery: UInt64,
        _ replaced: DeliveredList.Replaced?
    ) throws(LMDBError) {
        let name = center.name
        guard batch.observer.isWatched(name.device) else { return }
        func reference(_ delivery: UInt64) -> NotificationReference {
            center.reference(request.identifier, delivery)
        }
        let isListed = presentation.options.contains(.list)
        // It takes the place of what is in its own group; from another group the older one leaves.
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
            content: request.content,
            app: name.app,
            settings: center.state.settings,
            device: try center.device()
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

    /// Notes that a delivery left the list because something newer came under its identifier.
    func tellRemoved(
        _ replaced: DeliveredList.Replaced,
        of identifier: String
    ) {
        let reference = center.reference(identifier, replaced.delivery)
        center.tell(.removed(reference, thread: replaced.thread))
    }

    /// Notes that a summary is presented: its notifications, of which the first is featured.
    func tellSummary(_ shown: [ListedNotification]) throws(LMDBError) {
        let name = center.name
        guard batch.observer.isWatched(name.device), let featured = shown.first else { return }
        func reference(_ notification: ListedNotification) -> NotificationReference {
            center.reference(notification.identifier, notification.delivery)
        }
        for notification in shown { center.tell(.presented(reference(notification))) }
        // What was delivered stays in the list when permission is withdrawn, and alerts no more.
        guard center.state.settings.authorizationStatus.allowsNotifications else { return }
        let decision = Arrival(
            content: featured.content,
            app: name.app,
            settings: center.state.settings,
            device: try center.device()
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

    /// Notes what else of an event concerns a device.
    func tell(_ kind: EventRecord.Kind) {
        switch kind {
        case .badgeChanged(let badge):
            center.tell(.badge(center.name, badge))
        case .settingsChanged: center.tell(.app(center.name))
        default: break
        }
    }
}
