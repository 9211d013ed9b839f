internal import BelfryLMDB
package import NotificationCore

/// Reads what a device shows: all of it for the order, of which what is on the page is rendered.
package struct DeviceListReader {
    /// An app of the device, as far as its notifications show.
    struct App {
        var number: UInt32
        var center: CenterState
        var record: AppRecord?
        var prompt: AuthorizationPrompt?
        // By their bytes: identifiers that only look alike name two.
        var categories: [[UInt8]: NotificationCategory?] = [:]
        /// What its texts come to in the person's languages.
        let strings: AppStrings
    }

    let reader: StoreReader
    let query: DeviceListQuery
    private let caller: ReadCaller
    /// What the device is doing, once it was read.
    package internal(set) var device = DeviceState()
    /// The apps that were read.
    ///
    /// Bounded: names of apps, which were validated.
    var apps: [String: App] = [:]
    /// About how many bytes was shown so far.
    package private(set) var byteCount = 0
    private var threadCounts: [ThreadKey: Int] = [:]
    /// Where the page begins, and what was there when the first one was read.
    private let start: Position?
    private var cut: Cut?

    /// What the notifications that are counted together have in common (LK-2).
    private struct ThreadKey: Hashable {
        var app: String
        var thread: [UInt8]

        init(_ notification: ListedNotification) {
            app = notification.app
            thread = Array(notification.content.groupingThread.utf8)
        }
    }

    /// Makes a reader of what a query asks for, which reads nothing yet.
    package init(
        reader: StoreReader,
        query: DeviceListQuery,
        for caller: ReadCaller = ReadCaller()
    ) {
        self.reader = reader
        self.query = query
        self.caller = caller
        start = query.token.flatMap(Self.position)
        cut = start?.cut
    }

    /// The page that the query asks for.
    package mutating func page() throws(ReadError) -> Result<DeviceListPage, Refusal> {
        switch try groups() {
        case .success(let groups): return .success(try page(of: groups))
        case .failure(let refusal): return .failure(refusal)
        }
    }

    /// All groups, newest first, with as much of the contents as decides about them.
    package mutating func groups() throws(ReadError) -> Result<[NotificationGroup], Refusal> {
        try readDevice()
        var place: [UInt8]?
        repeat {
            guard !caller.isGone() else { return .failure(.callerGone) }
            place = try readApps(after: place)
        } while place != nil
        var list: [ListedNotification] = []
        for app in apps.values where app.center.deliveredCount > 0 {
            guard !caller.isGone() else { return .failure(.callerGone) }
            try readList(of: app, into: &list)
            guard list.count <= reader.limits.listedPerDevice else {
                return .failure(.tooManyShown(reader.limits.listedPerDevice))
            }
        }
        if let start { list.removeAll { !start.cut.has($0) } } else { cut = Cut(list) }
        for notification in list { threadCounts[ThreadKey(notification), default: 0] += 1 }
        let modes = apps.mapValues { $0.record?.grouping ?? .automatic }
        return .success(NotificationGroup.groups(of: list) { modes[$0] ?? .automatic })
    }

    private mutating func page(
        of groups: [NotificationGroup]
    ) throws(LMDBError) -> DeviceListPage {
        var page = DeviceListPage()
        guard let cut else { return page }
        var count = 0
        for group in groups {
            // Its lead may be gone, so the group that goes on is known by its name.
            let goesOn = start.map { isGroup(group, $0) } ?? false
            if let start, !goesOn, !start.lead.isAbove(group.lead) { continue }
            var shown: [ShownNotification] = []
            for member in group.members {
                if goesOn, let start, member.delivery >= start.memberDelivery { continue }
                guard count < query.pageSize, byteCount < reader.limits.bytesPerPage else {
                    try append(group, shown, to: &page)
                    return page
                }
                page.nextToken = Self.token(group, member, cut)
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
    private func isGroup(_ group: NotificationGroup, _ position: Position) -> Bool {
        guard group.app == position.app else { return false }
        return apps[group.app]?.record?.grouping == .off
            ? group.lead.delivery == position.leadDelivery
            : Self.threadDigest(of: group.thread) == position.threadDigest
    }

    private mutating func append(
        _ group: NotificationGroup,
        _ shown: [ShownNotification],
        to page: inout DeviceListPage
    ) throws(LMDBError) {
        guard !shown.isEmpty else { return }
        page.groups.append(try self.group(group, shown))
    }

    // MARK: How it shows

    /// The apps in the order of their names.
    package var shownApps: [ShownApp] {
        apps.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap(shownApp)
    }

    /// An app as the device shows it; nil where it is not there.
    package func shownApp(_ name: String) -> ShownApp? {
        guard let app = apps[name] else { return nil }
        let registration = app.record?.registration ?? AppRegistration()
        return ShownApp(
            center: app.center,
            name: registration.name(for: device.languages) ?? name,
            icon: registration.icon,
            grouping: app.record?.grouping ?? .automatic,
            prompt: app.prompt.map {
                AuthorizationPrompt(
                    kind: $0.kind,
                    options: $0.offered(under: registration.entitlements)
                )
            }
        )
    }

    /// What is left of the group that a notification was in.
    package mutating func rest(
        of reference: NotificationReference,
        _ thread: String,
        in groups: [NotificationGroup]
    ) throws(ReadError) -> ShownGroup {
        let app = apps[reference.center.app]
        let mode = app?.record?.grouping ?? .automatic
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

    /// A group, with those of its notifications that are told.
    package mutating func group(
        _ group: NotificationGroup,
        _ shown: [ShownNotification]
    ) throws(ReadError) -> ShownGroup {
        guard let app = apps[group.app] else { throw ByteReader.corrupted }
        let category = try category(group.lead.content.categoryIdentifier, of: group.app)
        let mode = app.record?.grouping ?? .automatic
        let kind: GroupName.Kind =
            switch mode {
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
                strings: app.strings.strings
            ),
            date: group.lead.date,
            asOfEvent: app.center.lastEvent,
            notifications: shown
        )
    }

    /// Renders a notification; nil where it is gone by now.
    ///
    /// - Parameters:
    ///   - member: The notification.
    ///   - content: Its content, of one that has no entry in the list.
    ///   - isCompact: Whether there is little room, as on a banner.
    /// - Returns: How it shows.
    /// - Throws: What the store reports.
    package mutating func show(
        _ member: ListedNotification,
        _ content: NotificationContent? = nil,
        isCompact: Bool = false
    ) throws(ReadError) -> ShownNotification? {
        // An app that was unregistered meanwhile shows nothing.
        guard let app = apps[member.app] else { return nil }
        // One that has no entry in the list is not counted with those that have.
        let threadCount = threadCounts[ThreadKey(member), default: 0] + (content == nil ? 0 : 1)
        guard let (content, isHeld) = try self.content(content, of: member, app) else {
            return nil
        }
        let category = try category(content.categoryIdentifier, of: member.app)
        let registration = app.record?.registration ?? AppRegistration()
        let shown = ShownNotification(
            reference: NotificationReference(
                center: app.center.name,
                identifier: member.identifier,
                delivery: member.delivery
            ),
            appName: registration.name(for: device.languages) ?? member.app,
            icon: registration.icon,
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
                strings: app.strings.strings
            ),
            level: content.interruptionLevel.lowered(to: app.center.settings),
            isHeld: isHeld,
            prompt: app.prompt.flatMap { $0.kind == .initial ? nil : app.center.openPrompt }
        )
        // A text that was looked up may be longer than what names it.
        byteCount += max(content.byteCount, shown.rendered.byteCount)
        return shown
    }

    /// The content of a notification, with its texts looked up, and whether it waits for the
    /// summary; nil where it is gone.
    private func content(
        _ known: NotificationContent?,
        of member: ListedNotification,
        _ app: App
    ) throws(LMDBError) -> (NotificationContent, isHeld: Bool)? {
        try reader.environment.read { transaction throws(LMDBError) in
            var isHeld = false
            var content = known
            if content == nil {
                let key = Key.numbered(member.delivery, center: app.number)
                guard let bytes = try transaction.value(forKey: key, in: reader.tables.delivered)
                else { return nil }
                let row = try DeliveredRecord(bytes)
                isHeld = row.isHeld
                content = try transaction.record(row.sequence, reader.tables).request.content
            }
            guard let content else { return nil }
            try app.strings.lookUp(content.localizationKeys, reader.tables, in: transaction)
            return (content, isHeld)
        }
    }

    /// A category of an app, read once, with its texts looked up.
    private mutating func category(
        _ identifier: String,
        of app: String
    ) throws(LMDBError) -> NotificationCategory? {
        guard let number = apps[app]?.number else { throw ByteReader.corrupted }
        let bytes = Array(identifier.utf8)
        if let known = apps[app]?.categories[bytes] { return known }
        let strings = apps[app]?.strings
        let category = try reader.environment.read { transaction throws(LMDBError) in
            let category = try transaction.category(identifier, center: number, reader.tables)
            let keys = category?.localizationKeys ?? []
            try strings?.lookUp(keys, reader.tables, in: transaction)
            return category
        }
        apps[app]?.categories[bytes] = .some(category)
        return category
    }
}
