internal import Faults
internal import NotificationCore
internal import NotificationStore

struct DeviceListReader {
    let reader: StoreReader
    private let query: DeviceListQuery
    /// The device's state, once it was read.
    private(set) var device = DeviceState()
    /// The apps that were read.
    ///
    /// Bounded: names of apps, which were validated.
    private(set) var apps: [String: DeviceApp] = [:]
    /// Their names, in order.
    private var names: [String] = []
    /// The categories that were looked up, by their app.
    ///
    /// Bounded: names of apps, which were validated. Categories are found by the bytes of their
    /// identifiers: identifiers that only look alike name different categories.
    private var categories: [String: [[UInt8]: NotificationCategory?]] = [:]
    /// About how many bytes were rendered so far.
    private(set) var byteCount = 0
    private var threadCounts: [ThreadKey: Int] = [:]
    /// Where the page begins, and which notifications the list had when the first page was read.
    private let start: DeviceListPlace?
    private var cut: DeviceListCut?
    private var reading = Reading()

    /// The list as far as it was read, and the place where to go on.
    private struct Reading {
        var hasDevice = false
        /// The last app that was read.
        var place: CenterName?
        var hasAllApps = false
        /// The apps whose lists are still to be read; the next one is the last element.
        // Bounded: names of apps, which were validated.
        var unread: [String] = []
        /// The last delivery that was read of the next app.
        var delivery: DeliveryNumber?
        var list: [ListedNotification] = []
        /// All groups, once the list is read.
        var groups: [NotificationGroup]?
    }

    /// The app and thread of notifications that are counted together (LK-2).
    private struct ThreadKey: Hashable {
        var app: String
        var thread: [UInt8]

        init(_ notification: ListedNotification) {
            app = notification.app
            thread = Array(notification.content.groupingThread.utf8)
        }
    }

    /// Makes a reader for a query; it reads nothing yet.
    init(reader: StoreReader, query: DeviceListQuery) {
        self.reader = reader
        self.query = query
        start = query.token.flatMap { DeviceListPlace($0) }
        cut = start?.cut
    }

    mutating func readDevice() throws(ReadError) {
        device = try reader.device(query.device)
        if query.isLocked && !Fault.pushAsUnlocked.isPlanted { device.isLocked = true }
    }

    /// Reads the next of the requested apps, in one transaction.
    ///
    /// `place` is the app after which to go on; nil at the beginning.
    ///
    /// - Returns: The place for the next call; nil at the end.
    mutating func readApps(after place: CenterName?) throws(ReadError) -> CenterName? {
        let next = try reader.apps(of: query.device, in: device, named: query.apps, after: place)
        for (name, app) in next.apps {
            apps[name] = app
            names.append(name)
        }
        return next.place
    }

    /// The page that the query asks for.
    mutating func page() throws(ReadError) -> Result<DeviceListPage, Refusal> {
        while true {
            if let page = try step() { return page }
        }
    }

    /// Does a step of the work for the page that the query asks for: it reads some apps, some rows
    /// of their lists, makes the groups of all, or the page of these.
    ///
    /// - Returns: The page; nil where there is more to do.
    mutating func step() throws(ReadError) -> Result<DeviceListPage, Refusal>? {
        if let groups = reading.groups { return .success(try page(of: groups)) }
        switch try stepToGroups() {
        case .success(let groups)?: reading.groups = groups
        case .failure(let refusal)?: return .failure(refusal)
        case nil: break
        }
        return nil
    }

    /// Reads the device and some of the requested apps.
    ///
    /// - Returns: Whether all are read.
    mutating func readSomeApps() throws(ReadError) -> Bool {
        if !reading.hasDevice { try readDevice() }
        reading.hasDevice = true
        if !reading.hasAllApps { reading.place = try readApps(after: reading.place) }
        reading.hasAllApps = reading.place == nil
        return reading.hasAllApps
    }

    /// Does a step of the work for the page of snoozed notifications that the query asks for.
    ///
    /// - Returns: The page; nil where there is more to do.
    mutating func snoozedStep(at now: Now) throws(ReadError) -> SnoozedPage? {
        guard try readSomeApps() else { return nil }
        let start = query.token.flatMap { SnoozedPlace($0) }
        var page = SnoozedPage()
        for (name, app) in apps.sorted(by: { $0.key < $1.key }) where app.center.snoozedCount > 0 {
            if let start, name < start.app { continue }
            let position = start.flatMap { $0.app == name ? $0.delivery : nil } ?? 0
            let limit = reader.limits.snoozedPerCenter
            for row in try reader.snoozed(of: app, after: position, atMost: limit) {
                guard page.entries.count < query.pageSize, byteCount < reader.limits.bytesPerPage
                else { return page }
                let member = row.notification
                page.nextToken = SnoozedPlace(app: name, delivery: member.delivery).token
                guard let shown = try show(member, member.content) else { continue }
                page.entries.append(.init(shown: shown, until: row.due.date(asOf: now)))
            }
        }
        page.nextToken = nil
        return page
    }

    /// All groups, newest first, with those parts of the contents that decide about groups.
    mutating func groups() throws(ReadError) -> Result<[NotificationGroup], Refusal> {
        while true {
            if let groups = try stepToGroups() { return groups }
        }
    }

    /// Does a step of the work for the groups; nil where there is more to do.
    private mutating func stepToGroups() throws(ReadError) -> Result<
        [NotificationGroup], Refusal
    >? {
        if !reading.hasAllApps {
            if try readSomeApps() {
                reading.unread = apps.filter { $0.value.center.deliveredCount > 0 }.map(\.key)
            }
            return nil
        }
        var room = reader.limits.rowsPerRead
        while room > 0, let name = reading.unread.last, let app = apps[name] {
            let before = reading.list.count
            let next = try reader.readList(of: app, after: reading.delivery, into: &reading.list)
            guard reading.list.count <= reader.limits.listedPerDevice else {
                return .failure(.tooManyShown(reader.limits.listedPerDevice))
            }
            if next == nil { reading.unread.removeLast() }
            reading.delivery = next
            room -= max(1, reading.list.count - before)
        }
        guard reading.unread.isEmpty else { return nil }
        return .success(groupsOfList())
    }

    /// The groups of the list that was read, which is then released.
    private mutating func groupsOfList() -> [NotificationGroup] {
        var list: [ListedNotification] = []
        swap(&list, &reading.list)
        if let start { list.removeAll { !start.cut.has($0) } } else { cut = DeviceListCut(list) }
        for notification in list { threadCounts[ThreadKey(notification), default: 0] += 1 }
        let modes = apps.mapValues(\.grouping)
        return NotificationGroup.groups(of: list) { modes[$0] ?? .automatic }
    }

    private mutating func page(
        of groups: [NotificationGroup]
    ) throws(ReadError) -> DeviceListPage {
        var page = DeviceListPage()
        guard let cut else { return page }
        var count = 0
        for group in groups {
            // Find the group that goes on by its name, since its lead may be gone.
            let goesOn = start.map { isGroup(group, $0) } ?? false
            if let start, !goesOn, !start.lead.isAbove(group.lead) { continue }
            var shown: [ShownNotification] = []
            for member in group.members {
                if goesOn, let start, member.delivery >= start.memberDelivery { continue }
                guard count < query.pageSize, byteCount < reader.limits.bytesPerPage else {
                    try append(group, shown, to: &page)
                    return page
                }
                page.nextToken = DeviceListPlace(after: member, in: group, cut).token
                guard let notification = try show(member) else { continue }
                shown.append(notification)
                count += 1
            }
            try append(group, shown, to: &page)
            byteCount += page.groups.last?.summary?.utf8.count ?? 0
        }
        page.nextToken = nil
        return page
    }

    /// Whether a group is the one in which a page ended.
    private func isGroup(_ group: NotificationGroup, _ place: DeviceListPlace) -> Bool {
        guard group.app == place.app else { return false }
        return apps[group.app]?.grouping == .off
            ? group.lead.delivery == place.leadDelivery : place.isIn(thread: group.thread)
    }

    private mutating func append(
        _ group: NotificationGroup,
        _ shown: [ShownNotification],
        to page: inout DeviceListPage
    ) throws(ReadError) {
        guard !shown.isEmpty else { return }
        page.groups.append(try self.group(group, shown))
    }

    // MARK: Rendering

    /// The apps in the order of their names.
    var shownApps: [ShownApp] { names.compactMap(shownApp) }

    /// An app as the device shows it; nil where the app is not on the device.
    func shownApp(_ name: String) -> ShownApp? {
        guard let app = apps[name] else { return nil }
        return ShownApp(
            center: app.center,
            name: app.registration.name(for: device.languages) ?? name,
            icon: app.registration.icon,
            grouping: app.grouping,
            locationPermission: app.locationPermission,
            prompt: app.prompt.map {
                AuthorizationPrompt(
                    kind: $0.kind,
                    options: $0.offered(under: app.registration.entitlements)
                )
            }
        )
    }

    /// The rest of the group that a notification was in.
    mutating func rest(
        of reference: NotificationReference,
        _ thread: String,
        in groups: [NotificationGroup]
    ) throws(ReadError) -> ShownGroup {
        let app = apps[reference.center.app]
        let mode = app?.grouping ?? .automatic
        let rest = groups.first { group in
            switch mode {
            case .automatic: group.thread.utf8.elementsEqual(thread.utf8)
            case .byApp: true
            case .off: false
            }
        }
        if let rest { return try group(rest, []) }
        let kind: GroupName.Kind =
            switch mode {
            case .automatic: .thread(thread)
            case .byApp: .app
            case .off: .single(reference.delivery)
            }
        return ShownGroup(
            name: GroupName(center: reference.center, kind: kind),
            thread: mode == .automatic ? thread : "",
            count: 0,
            summary: nil,
            date: WallInstant(nanoseconds: 0),
            asOfEvent: app?.center.lastEvent ?? 0,
            notifications: []
        )
    }

    /// Renders a group with some of its notifications.
    mutating func group(
        _ group: NotificationGroup,
        _ shown: [ShownNotification]
    ) throws(ReadError) -> ShownGroup {
        guard let app = apps[group.app] else { throw StoreReader.contradiction }
        let category = try category(group.lead.content.categoryIdentifier, of: group.app)
        let kind: GroupName.Kind =
            switch app.grouping {
            case .automatic: .thread(group.thread)
            case .byApp: .app
            case .off: .single(group.lead.delivery)
            }
        return ShownGroup(
            name: GroupName(center: app.center.name, kind: kind),
            thread: group.thread,
            count: group.hidden.count + 1,
            summary: group.summary(
                category: category,
                arePreviewsHidden: app.center.settings.showPreviews.hidesText(
                    whileLocked: device.isLocked
                ),
                rules: reader.profile.summaryRules,
                strings: app.strings
            ),
            date: group.lead.date,
            asOfEvent: app.center.lastEvent,
            notifications: shown
        )
    }

    /// Renders a notification; nil where it no longer exists.
    ///
    /// `content` is the content of a notification that has no entry in the list. `actions` are the
    /// buttons of an open notification; nil for its own or those of its category. `isCompact` says
    /// whether there is little room, for example on a banner.
    ///
    /// - Returns: The notification as it is shown.
    mutating func show(
        _ member: ListedNotification,
        _ content: NotificationContent? = nil,
        offering actions: [NotificationAction]? = nil,
        isCompact: Bool = false
    ) throws(ReadError) -> ShownNotification? {
        // Show nothing of an app that was unregistered meanwhile.
        guard let app = apps[member.app] else { return nil }
        // Count a notification without an entry in the list on top: it is not among the counted
        // entries.
        let threadCount = threadCounts[ThreadKey(member), default: 0] + (content == nil ? 0 : 1)
        let found = try reader.content(of: member.delivery, in: app, known: content)
        guard let (content, how) = found else { return nil }
        var category = content.shown(
            by: try category(content.categoryIdentifier, of: member.app)
        )
        if let actions {
            try reader.lookUp(actions, of: app)
            category = (category ?? NotificationCategory(identifier: "")).offering(actions)
        }
        let shown = ShownNotification(
            reference: NotificationReference(
                center: app.center.name,
                identifier: member.identifier,
                delivery: member.delivery
            ),
            appName: app.registration.name(for: device.languages) ?? member.app,
            icon: app.registration.icon,
            date: member.date,
            rendered: RenderedNotification(
                of: content,
                category: category,
                on: Screen(
                    isLocked: device.isLocked,
                    isCompact: isCompact,
                    profile: reader.profile
                ),
                showPreviews: app.center.settings.showPreviews,
                threadCount: max(1, threadCount),
                strings: app.strings
            ),
            level: content.interruptionLevel.lowered(to: app.center.settings),
            isHeld: how.isHeld,
            silencingFocus: how.silencingFocus,
            prompt: app.prompt.flatMap { $0.kind == .initial ? nil : app.center.openPrompt }
        )
        // Count the rendered text where it is longer: a localized text may be longer than its key
        // and arguments.
        byteCount += max(content.byteCount, shown.rendered.byteCount)
        return shown
    }

    /// Gives buttons of an app with the titles that the person reads.
    func resolved(
        _ actions: [NotificationAction],
        of app: String
    ) throws(ReadError) -> [NotificationAction] {
        guard let app = apps[app] else { return actions }
        try reader.lookUp(actions, of: app)
        return actions.map { $0.resolved(with: app.strings) }
    }

    /// A category of an app, read once, with its texts looked up.
    private mutating func category(
        _ identifier: String,
        of app: String
    ) throws(ReadError) -> NotificationCategory? {
        guard let owner = apps[app] else { throw StoreReader.contradiction }
        let bytes = Array(identifier.utf8)
        if let known = categories[app]?[bytes] { return known }
        let category = try reader.category(identifier, of: owner)
        categories[app, default: [:]][bytes] = .some(category)
        return category
    }
}
