package import NotificationCore

/// One news for a watcher, as a batch notes it: small, and rendered when it is sent.
///
/// Indirect, since a banner's content would make each of them ten times as large.
package indirect enum DeviceNews: Sendable {
    /// A notification to show over whatever is on the screen.
    package struct Banner: Sendable {
        package var reference: NotificationReference
        /// Where the notification shows.
        package var alert: VisualAlert
        package var wakesDisplay: Bool
        /// When the shown notification was delivered.
        package var date: WallInstant
        /// The whole content of a notification without an entry in the list, so that it can be
        /// rendered.
        package var content: NotificationContent?
    }

    /// A delivery with its entry in the list, and its alerts.
    ///
    /// A delivery that left the list before a watcher could be told of it is not told.
    package struct Delivered: Sendable {
        package var reference: NotificationReference
        package var isListed: Bool
        /// The delivery of the same group that this delivery replaced.
        package var replaced: NotificationReference?
        /// At most a banner, a sound and a vibration, in this order.
        package var alerts: [DeviceNews] = []
    }

    /// An app to run.
    package struct Launch: Sendable {
        /// Whether the app runs in the background or in front.
        package var mode: AppLaunch
        package var center: CenterName
        /// The notification from which the app is launched; nil where a push wakes it.
        package var reference: NotificationReference?
        /// The picture to show meanwhile.
        package var launchImageName: String
        /// The part of the app that opens.
        package var targetContentIdentifier: String

        /// The launch for a notification.
        init(
            mode: AppLaunch,
            reference: NotificationReference,
            launchImageName: String,
            targetContentIdentifier: String
        ) {
            self.mode = mode
            self.reference = reference
            self.launchImageName = launchImageName
            self.targetContentIdentifier = targetContentIdentifier
            center = reference.center
        }

        /// The launch of an app that is to work on pushes (BG-2).
        init(inBackground center: CenterName) {
            self.center = center
            mode = .background
            launchImageName = ""
            targetContentIdentifier = ""
        }
    }

    package enum PresentationChange: Sendable {
        /// The buttons are others.
        case actions([NotificationAction])
        /// The extension shows another view.
        case view(ContentView)
        case closed
    }

    /// The device's state changed, or the Focus that is on.
    case state(DeviceState, ActiveFocus?)
    /// An app is new, or its settings or its categories changed.
    case app(CenterName)
    case appRemoved(CenterName)
    case prompt(CenterName)
    /// A prompt ended; the status is the app's status now.
    case promptClosed(PromptNumber, CenterName, AuthorizationStatus)
    case delivered(Delivered)
    /// A summary presented a notification of the list.
    case presented(NotificationReference)
    /// A notification left the list, for good or until its snooze ends; its thread names the group.
    case removed(NotificationReference, thread: String, snoozedUntil: WallInstant?)
    /// A notification is to be shown.
    case banner(Banner)
    case sound(NotificationReference, PlayedSound, file: String)
    case vibrate(NotificationReference)
    /// An app's badge changed.
    case badge(CenterName, Int32)
    /// An action waits for the unlock, until an instant.
    case unlockRequested(NotificationReference, action: String, deadline: WallInstant)
    /// An action no longer waits for the unlock: it was done, or refused for this reason.
    case unlockEnded(NotificationReference, action: String, Refusal?)
    /// An app is to run.
    case launch(Launch)
    /// An app's own notification settings are to be shown, perhaps from a notification.
    case openSettings(CenterName, NotificationReference?)
    case presentation(PresentationIdentifier, CenterName, PresentationChange)

    /// About how many bytes waiting news take.
    package var byteCount: Int {
        switch self {
        case .banner(let banner): 512 + (banner.content?.byteCount ?? 0)
        case .delivered(let delivered): delivered.alerts.reduce(256) { $0 + $1.byteCount }
        case .presentation(_, _, .actions(let actions)):
            actions.reduce(256) { $0 + $1.byteCount }
        case .presentation(_, _, .view(let view)): 256 + view.byteCount
        default: 256
        }
    }

    /// The app that the news are about; nil for the device itself.
    package var app: String? {
        switch self {
        case .state: nil
        case .app(let center), .appRemoved(let center), .prompt(let center),
            .promptClosed(_, let center, _), .badge(let center, _),
            .openSettings(let center, _), .presentation(_, let center, _):
            center.app
        case .presented(let reference), .removed(let reference, _, _),
            .sound(let reference, _, _), .vibrate(let reference),
            .unlockRequested(let reference, _, _), .unlockEnded(let reference, _, _):
            reference.center.app
        case .delivered(let delivered): delivered.reference.center.app
        case .banner(let banner): banner.reference.center.app
        case .launch(let launch): launch.center.app
        }
    }
}
