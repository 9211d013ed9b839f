internal import BelfryLMDB
internal import NotificationCore

// What a batch has to tell those who watch a device. Nothing is noted where nobody does.

extension Batch {
    /// Notes something for those who watch a device.
    func tell(_ news: @autoclosure () -> DeviceNews, on device: String) {
        guard observer.isWatched(device) else { return }
        self.news.devices[device, default: []].append(news())
    }

    /// Notes a delivery: the list, what the person sees and hears.
    func tellDelivery(
        _ presentation: Presentation,
        of request: NotificationRequest,
        _ delivery: UInt64,
        _ replaced: DeliveredList.Replaced?,
        _ center: CenterWork
    ) throws(LMDBError) {
        let name = center.name
        guard observer.isWatched(name.device) else { return }
        func reference(_ delivery: UInt64) -> NotificationReference {
            center.reference(request.identifier, delivery)
        }
        let isListed = presentation.options.contains(.list)
        // It takes the place of what is in its own group; from another group the older one leaves.
        let staysInGroup =
            isListed && replaced?.thread.isExactly(request.content.groupingThread) == true
        if let replaced, !staysInGroup {
            tellRemoved(replaced, of: request.identifier, center)
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
                date: now.wall,
                content: isListed ? nil : request.content
            )
            delivered.alerts.append(.banner(banner))
        }
        if let sound = decision.sound {
            let installed = try transaction.sound(sound.name, of: name.app, tables)
            let played = sound.played(with: installed?.facts)
            let file = played.name.isEmpty ? "" : installed?.attachment ?? ""
            delivered.alerts.append(.sound(reference(delivery), played, file: file))
        }
        if presentation.vibrates { delivered.alerts.append(.vibrate(reference(delivery))) }
        if isListed || !delivered.alerts.isEmpty { tell(.delivered(delivered), on: name.device) }
    }

    /// Notes that a delivery left the list because something newer came under its identifier.
    func tellRemoved(
        _ replaced: DeliveredList.Replaced,
        of identifier: String,
        _ center: CenterWork
    ) {
        let reference = center.reference(identifier, replaced.delivery)
        center.tell(.removed(reference, thread: replaced.thread))
    }

    /// Notes that a summary is presented: its notifications, of which the first is featured.
    func tellSummary(_ shown: [ListedNotification], _ center: CenterWork) throws(LMDBError) {
        let name = center.name
        guard observer.isWatched(name.device), let featured = shown.first else { return }
        func reference(_ notification: ListedNotification) -> NotificationReference {
            center.reference(notification.identifier, notification.delivery)
        }
        for notification in shown { tell(.presented(reference(notification)), on: name.device) }
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
        tell(.banner(banner), on: name.device)
    }

    /// Notes what else of an event concerns a device.
    func tell(_ kind: EventRecord.Kind, of center: CenterState) {
        switch kind {
        case .badgeChanged(let badge):
            tell(.badge(center.name, badge), on: center.name.device)
        case .settingsChanged: tell(.app(center.name), on: center.name.device)
        default: break
        }
    }
}
