internal import NotificationProtocol
internal import SwiftProtobuf

/// Writes an event as one line.
enum EventText {
    /// Gives for example "12  08:00:00  delivered  tea  Tea is ready  (list, banner; 1.2ms late)".
    static func line(_ event: Belfry_V1_Event, _ style: Style, _ dates: DateText) -> String {
        let told = describe(event, dates)
        return [
            style.apply(.dim, to: "\(event.number)"),
            style.apply(.dim, to: dates.absolute(event.recordedAt.date)),
            style.apply(told.emphasis, to: told.kind),
            style.apply(.bold, to: told.identifier.printable),
            told.text.printable,
        ].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The kind of the event, such as "delivered".
    static func kind(of event: Belfry_V1_Event) -> String { describe(event, .current()).kind }

    /// The request that the event is about; empty where it is about none.
    static func identifier(of event: Belfry_V1_Event) -> String {
        describe(event, .current()).identifier
    }

    private typealias Told = (
        kind: String, emphasis: Style.Emphasis?, identifier: String, text: String
    )

    private static func describe(_ event: Belfry_V1_Event, _ dates: DateText) -> Told {
        switch event.kind {
        case .delivered(let event): delivered(event)
        case .suppressed(let event):
            ("suppressed", .yellow, event.identifier, suppression(event.reason))
        case .held(let event): ("held", .yellow, event.notification.request.identifier, "")
        case .summaryPresented(let event):
            ("summary", nil, "", "\(event.notifications.count) notifications")
        case .missed(let event):
            ("missed", .red, event.identifier, late(Duration(event.lateBy)))
        case .expired(let event): ("expired", nil, event.identifier, "")
        case .evicted(let event):
            ("evicted", .red, event.identifier, "by \(event.evictedBy)")
        case .removed(let event):
            ("removed", nil, event.identifier, removal(event.cause))
        case .responseCompleted(let event):
            ("response completed", nil, event.notification.identifier, event.actionIdentifier)
        case .responseExpired(let event):
            ("response expired", .red, event.notification.identifier, event.actionIdentifier)
        case .settingsChanged(let event):
            (
                "settings", .yellow, "",
                SettingsText.status(event.settings.authorizationStatus).text
            )
        case .badgeChanged(let event): ("badge", nil, "", "\(event.badge)")
        case .backgroundPush(let event):
            ("background push", nil, "", "\(event.apnsID) \(backgroundPush(event.end))")
        case .tokenChanged: ("token changed", .yellow, "", "")
        case .openSettings(let event):
            ("open settings", nil, event.notification.identifier, "")
        case .snoozed(let event):
            ("snoozed", .yellow, event.identifier, "until \(dates.absolute(event.until.date))")
        case nil: ("unknown", .dim, "", "")
        }
    }

    private static func delivered(_ event: Belfry_V1_DeliveredEvent) -> Told {
        let request = event.notification.request
        var notes = [presentation(event.presentation)]
        if event.hasLateBy { notes.append(late(Duration(event.lateBy))) }
        if event.hasSnoozedDelivery { notes.append("after a snooze") }
        if event.collapsedCount > 0 { notes.append("for \(event.collapsedCount) earlier ones too") }
        if let note = changed(event.extensionOutcome) { notes.append(note) }
        let text = "\(request.content.headline)  (\(notes.joined(separator: "; ")))"
        return ("delivered", .green, request.identifier, text)
    }

    private static func presentation(_ presentation: Belfry_V1_Presentation) -> String {
        let names = presentation.options.map { option in
            switch option {
            case .badge: "badge"
            case .sound: "sound"
            case .alert: "alert"
            case .list: "list"
            case .banner: "banner"
            case .unspecified, .UNRECOGNIZED: "?"
            }
        }
        let shown = names.isEmpty ? "not shown" : names.joined(separator: ", ")
        guard !presentation.hasSilencedByFocus else {
            let name = presentation.silencedByFocus
            return shown + ", silenced by the Focus" + (name.isEmpty ? "" : " " + name)
        }
        return presentation.quiet ? shown + ", quiet" : shown
    }

    private static func changed(_ outcome: Belfry_V1_ExtensionOutcome) -> String? {
        switch outcome {
        case .modified: "changed by the extension"
        case .bestAttempt: "best attempt of the extension"
        case .ignoredNoText: "the extension gave no text"
        case .fallback: "no answer of the extension"
        case .unspecified, .filtered, .UNRECOGNIZED: nil
        }
    }

    private static func late(_ duration: Duration) -> String {
        DurationText.format(duration) + " late"
    }

    private static func suppression(_ reason: Belfry_V1_SuppressionReason) -> String {
        switch reason {
        case .notAuthorized: "the app is not authorized"
        case .notPresented: "the app chose to present nothing"
        case .filtered: "the app's extension dropped it"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }

    private static func backgroundPush(_ end: Belfry_V1_BackgroundPushEnd) -> String {
        switch end {
        case .newData: "brought something new"
        case .noData: "brought nothing new"
        case .failed: "failed"
        case .timedOut: "was not answered in time"
        case .expired: "expired"
        case .replaced: "was replaced by a newer one"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }

    private static func removal(_ cause: Belfry_V1_RemovalCause) -> String {
        switch cause {
        case .app: "by the app"
        case .person: "by the person"
        case .provider: "by a provider"
        case .retention: "by retention"
        case .replaced: "by one with its replacement key"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }
}
