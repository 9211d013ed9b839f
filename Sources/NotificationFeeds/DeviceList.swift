public import NotificationCore
public import NotificationStore

/// A query for a page of a device's list.
public struct DeviceListQuery: Hashable, Sendable {
    /// The device.
    public var device: String
    /// The apps that are shown; empty is all.
    ///
    /// Bounded: names of apps, which were validated.
    public var apps: Set<String> = []
    /// How many notifications a page has at most.
    public var pageSize = 100
    /// The ``DeviceListPage/nextToken`` of the page before; nil for the first page.
    public var token: [UInt8]?

    /// Asks for the first page of all that `device` shows.
    public init(device: String) {
        self.device = device
    }
}

/// A notification as a device shows it now (LK-5).
public struct ShownNotification: Hashable, Sendable {
    /// The reference of the notification.
    public var reference: NotificationReference
    /// The app's name in the person's language; its identifier where it has no name.
    public var appName: String
    /// The app's picture; empty is none.
    public var icon: String
    /// When it was delivered.
    public var date: WallInstant
    /// What is shown, which depends on lock, previews and category.
    public var rendered: RenderedNotification
    /// The interruption level, lowered to what the person allows.
    public var level: InterruptionLevel
    /// Whether the notification waits for the scheduled summary.
    public var isHeld: Bool
    /// The prompt whether the app's quiet grant is kept, shown beside the notification; nil is
    /// none.
    public var prompt: PromptNumber?
}

/// A group as a device shows it, or the part of a group on one page.
public struct ShownGroup: Hashable, Sendable {
    /// The group's name.
    public var name: GroupName
    /// The group's thread; empty is the app's own group.
    public var thread: String
    /// How many notifications the group has, on all pages together.
    public var count: Int
    /// The summary below the newest notification; nil for a group of one.
    public var summary: String?
    /// The newest notification's date.
    public var date: WallInstant
    /// The center's newest event when the list was read.
    public var asOfEvent: EventNumber
    /// The group's notifications on this page, newest first.
    public var notifications: [ShownNotification]
}

/// A page of a device's list.
public struct DeviceListPage: Hashable, Sendable {
    /// The groups, newest first.
    public var groups: [ShownGroup] = []
    /// The token of the next page; nil at the end.
    public var nextToken: [UInt8]?
}

extension Feeds {
    /// Reads a page of a device's list; `completion` runs on a reader thread.
    ///
    /// The order of groups depends on the whole list, so each page reads all of it. A list of more
    /// than ``StoreLimits/listedPerDevice`` notifications is refused; a query for fewer apps helps.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - caller: The caller that waits for the page.
    ///   - completion: Told the page, or why there is none.
    public func listNotificationCenter(
        _ query: DeviceListQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<DeviceListPage>
    ) {
        store.lists.read(for: caller, completion) { [reader] () throws(Refusal) in
            try Self.page(query, caller, reader)
        }
    }

    private static func page(
        _ query: DeviceListQuery,
        _ caller: ReadCaller,
        _ reader: StoreReader
    ) throws(Refusal) -> DeviceListPage {
        let found: Result<DeviceListPage, Refusal>
        do {
            var list = DeviceListReader(reader: reader, query: query, for: caller)
            found = try list.page()
        } catch {
            throw reader.refusal(for: error)
        }
        return try found.get()
    }
}
