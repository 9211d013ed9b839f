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
        delivery: UInt64,
        replaced: Replaced?,
        center: CenterState
    ) throws(LMDBError) {
        let name = center.name
        guard observer.isWatched(name.device) else { return }
        func reference(_ delivery: UInt64) -> NotificationReference {
            NotificationReference(center: name, identifier: request.identifier, delivery: delivery)
        }
        let isListed = presentation.options.contains(.list)
        // It takes the place of what is in its own group; from another group the older one leaves.
        let staysInGroup =
            isListed && replaced?.thread.isExactly(request.content.groupingThread) == true
        if let replaced, !staysInGroup {
            tellRemoved(replaced, of: request.identifier, center: center)
        }
        var delivered = DeviceNews.Delivered(
            reference: reference(delivery),
            isListed: isListed,
            replaced: staysInGroup ? replaced.map { reference($0.delivery) } : nil
        )
        let decision = Arrival(
            content: request.content,
            app: name.app,
            settings: center.settings,
            device: try device(of: center)
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
    func tellRemoved(_ replaced: Replaced, of identifier: String, center: CenterState) {
        let reference = NotificationReference(
            center: center.name,
            identifier: identifier,
            delivery: replaced.delivery
        )
        tell(.removed(reference, thread: replaced.thread), on: center.name.device)
    }

    /// Notes that a summary is presented: its notifications, of which the first is featured.
    func tellSummary(_ shown: [ListedNotification], of center: CenterState) throws(LMDBError) {
        let name = center.name
        guard observer.isWatched(name.device), let featured = shown.first else { return }
        func reference(_ notification: ListedNotification) -> NotificationReference {
            NotificationReference(
                center: name,
                identifier: notification.identifier,
                delivery: notification.delivery
            )
        }
        for notification in shown { tell(.presented(reference(notification)), on: name.device) }
        // What was delivered stays in the list when permission is withdrawn, and alerts no more.
        guard center.settings.authorizationStatus.allowsNotifications else { return }
        let decision = Arrival(
            content: featured.content,
            app: name.app,
            settings: center.settings,
            device: try device(of: center)
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

    /// Notes that an app has to run for a response.
    func tellLaunch(_ launch: AppLaunch, for listed: Listed, of center: CenterState) {
        guard launch != .none else { return }
        let content = listed.record.request.content
        let news = DeviceNews.Launch(
            mode: launch,
            reference: NotificationReference(
                center: center.name,
                identifier: listed.identifier,
                delivery: listed.delivery
            ),
            launchImageName: content.launchImageName,
            targetContentIdentifier: content.targetContentIdentifier
        )
        tell(.launch(news), on: center.name.device)
    }
}
