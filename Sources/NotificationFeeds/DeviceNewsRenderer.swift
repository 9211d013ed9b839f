internal import Faults
internal import NotificationCore
internal import NotificationStore

/// Renders news of a device as they are now; each app's list is read once for a message.
struct DeviceNewsRenderer {
    private let reader: StoreReader
    private let device: String
    // Bounded: names of apps, which were validated.
    private var lists: [String: DeviceListReader] = [:]
    // Bounded: names of apps, which were validated.
    private var groups: [String: [NotificationGroup]] = [:]
    /// The deliveries that the watcher is not told because they left the list, of the messages
    /// until now.
    private(set) var untold: UntoldDeliveries
    /// About how many bytes the frames hold.
    private(set) var byteCount = 0

    /// Whether only the alerts of a locked device are rendered.
    private let isOfLockScreen: Bool

    init(
        reader: StoreReader,
        device: String,
        untold: UntoldDeliveries,
        isOfLockScreen: Bool = false
    ) {
        self.isOfLockScreen = isOfLockScreen
        self.reader = reader
        self.device = device
        self.untold = untold
    }

    /// Gives the frames of news; news of a notification that no longer exists are left out.
    mutating func frames(of news: DeviceNews) throws(ReadError) -> [DeviceFrame] {
        byteCount += news.byteCount
        if isOfLockScreen { return try lockScreenFrames(of: news) }
        guard case .delivered(let delivered) = news else {
            return try frame(of: news).map { [$0] } ?? []
        }
        guard delivered.isListed else { return try alerts(of: delivered) ?? [] }
        let place = delivered.replaced.flatMap { untold.take($0) }
        let listed = try withEntry(of: delivered.reference) {
            .listed($0, replaced: place, group: $1)
        }
        // Skip a notification that is just being removed: it is in the list that was read, and has
        // no alerts.
        guard let listed, let alerts = try alerts(of: delivered) else {
            untold.skip(delivered.reference, inPlaceOf: place)
            for case .sound(let reference, let sound, let file) in delivered.alerts
            where Fault.soundOfReplacedTold.isPlanted {
                return [.news(.sound(reference, sound, file: file))]
            }
            return []
        }
        return [listed] + alerts
    }

    /// The banners that the lock screen shows, and what left the list.
    private mutating func lockScreenFrames(
        of news: DeviceNews
    ) throws(ReadError) -> [DeviceFrame] {
        let alerts: [DeviceNews]
        switch news {
        case .delivered(let delivered): alerts = delivered.alerts
        case .banner: alerts = [news]
        case .removed: return [.news(news)]
        default: alerts = []
        }
        var frames: [DeviceFrame] = []
        for case .banner(let banner) in alerts {
            let app = banner.reference.center.app
            let frame = try withList(of: app) { list, groups throws(ReadError) in
                guard list.apps[app]?.center.settings.lockScreen == .enabled else { return nil }
                return try Self.frame(of: banner, &list, groups)
            }
            if let frame { frames.append(frame) }
        }
        return frames
    }

    /// The frames of a delivery's alerts; nil where the notification no longer exists.
    private mutating func alerts(
        of delivered: DeviceNews.Delivered
    ) throws(ReadError) -> [DeviceFrame]? {
        var frames: [DeviceFrame] = []
        for alert in delivered.alerts {
            guard let frame = try frame(of: alert) else { return nil }
            frames.append(frame)
        }
        return frames
    }

    private mutating func frame(of news: DeviceNews) throws(ReadError) -> DeviceFrame? {
        switch news {
        case .app(let center):
            return try withList(of: center.app) { list, _ throws(ReadError) in
                list.shownApp(center.app).map { .app($0) }
            }
        case .prompt(let center):
            return try withList(of: center.app) { list, _ throws(ReadError) in
                list.shownApp(center.app).flatMap(ShownPrompt.init).map { .prompt($0) }
            }
        case .presented(let reference):
            return try withEntry(of: reference) { .presented($0, group: $1) }
        case .removed(let gone, let thread, let end):
            guard let reference = untold.take(gone) else { return nil }
            return try withList(of: reference.center.app) { list, groups throws(ReadError) in
                let rest = try list.rest(of: reference, thread, in: groups)
                return .removed(reference, group: rest, snoozedUntil: end)
            }
        case .banner(let banner):
            return try withList(of: banner.reference.center.app) { list, groups throws(ReadError) in
                try Self.frame(of: banner, &list, groups)
            }
        case .appRemoved(let center):
            untold.forget(center)
            return .news(news)
        case .delivered: preconditionFailure("a delivery makes more than one frame")
        case .presentation(let identifier, let center, .actions(let actions)):
            let list = try DeviceListReader.ofApp(center, reader)
            let resolved = try list.resolved(actions, of: center.app)
            return .news(.presentation(identifier, center, .actions(resolved)))
        case .presentation: return .news(news)
        case .state, .promptClosed, .sound, .vibrate, .badge, .unlockRequested,
            .unlockEnded, .launch, .openSettings:
            return .news(news)
        }
    }

    private static func frame(
        of banner: DeviceNews.Banner,
        _ list: inout DeviceListReader,
        _ groups: [NotificationGroup]
    ) throws(ReadError) -> DeviceFrame? {
        let member = find(banner.reference, in: groups)?.1 ?? banner.listed
        let shown = try list.show(member, banner.content, isCompact: true)
        return shown.map { .banner(banner, $0) }
    }

    /// Renders a notification of the list and its group; nil where the notification no longer
    /// exists.
    private mutating func withEntry(
        of reference: NotificationReference,
        _ frame: (ShownNotification, ShownGroup) -> DeviceFrame
    ) throws(ReadError) -> DeviceFrame? {
        try withList(of: reference.center.app) { list, groups throws(ReadError) in
            guard let (group, member) = Self.find(reference, in: groups),
                let shown = try list.show(member)
            else { return nil }
            return frame(shown, try list.group(group, []))
        }
    }

    /// Reads an app's list, unless it was read for this message already.
    private mutating func withList(
        of app: String,
        _ body: (inout DeviceListReader, [NotificationGroup]) throws(ReadError) -> DeviceFrame?
    ) throws(ReadError) -> DeviceFrame? {
        var list: DeviceListReader
        if let known = lists[app] {
            list = known
        } else {
            var query = DeviceListQuery(device: device)
            query.apps = [app]
            query.isLocked = isOfLockScreen
            list = DeviceListReader(reader: reader, query: query)
            // A list of one app has a limit of its own.
            groups[app] = (try? list.groups().get()) ?? []
        }
        let before = list.byteCount
        let frame = try body(&list, groups[app] ?? [])
        byteCount += list.byteCount - before
        lists[app] = list
        return frame
    }

    private static func find(
        _ reference: NotificationReference,
        in groups: [NotificationGroup]
    ) -> (NotificationGroup, ListedNotification)? {
        for group in groups {
            if let member = group.members.first(where: { $0.delivery == reference.delivery }) {
                return (group, member)
            }
        }
        return nil
    }
}

extension DeviceNews.Banner {
    /// The entry that is used for a notification without an entry in the list.
    fileprivate var listed: ListedNotification {
        ListedNotification(
            app: reference.center.app,
            identifier: reference.identifier,
            delivery: reference.delivery,
            date: date,
            content: content ?? NotificationContent()
        )
    }
}
