internal import NotificationProtocol
internal import SwiftProtobuf

/// Writes the frames of a subscription as lines.
enum FrameText {
    /// Gives the lines of a frame; no lines for a heartbeat and for the end of the replay.
    static func lines(
        _ frame: Belfry_V1_SubscriptionFrame,
        _ style: Style,
        _ dates: DateText
    ) -> [String] {
        switch frame.kind {
        case .event(let event): [EventText.line(event, style, dates)]
        case .started(let started):
            [style.apply(.dim, to: "The newest event is \(started.lastEventNumber).")]
        case .snapshot(let snapshot): lines(snapshot, style, dates)
        case .callback(let callback):
            ["The app is asked \(callback.callbackID.printable)."]
        case .callbackEnded(let ended): ["The question \(ended.callbackID.printable) is closed."]
        case .demoted: ["Another subscriber speaks for the app now."]
        case .caughtUp, .heartbeat, nil: []
        }
    }

    private static func lines(
        _ snapshot: Belfry_V1_Snapshot,
        _ style: Style,
        _ dates: DateText
    ) -> [String] {
        var lines = snapshot.delivered.map { notification in
            let identifier = style.apply(.bold, to: notification.request.identifier.printable)
            let headline = notification.request.content.headline.printable
            return "  \(dates.absolute(notification.date.date))  \(identifier)  \(headline)"
        }
        if snapshot.complete {
            let status = SettingsText.status(snapshot.settings.authorizationStatus).text
            lines.append(
                style.apply(
                    .dim,
                    to: "As of event \(snapshot.asOfEvent): \(snapshot.pendingCount) pending, "
                        + "badge \(snapshot.badge), \(status)."
                )
            )
        }
        return lines
    }
}
