public import NotificationCore
public import NotificationStore

/// Which part of what a device shows is read.
public struct DeviceListQuery: Hashable, Sendable {
    /// The device.
    public var device: String
    /// The apps that are shown; empty is all.
    ///
    /// Bounded: names of apps, which were validated.
    public var apps: Set<String> = []
    /// How many notifications a page has at most.
    public var pageSize = 100
    /// Where to go on; nil at the beginning.
    public var token: [UInt8]?

    /// Asks for the first page of all that `device` shows.
    public init(device: String) {
        self.device = device
    }
}

/// A notification as a device shows it now (LK-5).
public struct ShownNotification: Hashable, Sendable {
    /// Which notification.
    public var reference: NotificationReference
    /// The app's name in the person's language; its identifier where it has no name.
    public var appName: String
    /// The app's picture; empty is none.
    public var icon: String
    /// When it was delivered.
    public var date: WallInstant
    /// What shows, by lock, previews and category.
    public var rendered: RenderedNotification
    /// How much attention it may take, lowered to what the person allows.
    public var level: InterruptionLevel
    /// Whether it waits for the scheduled summary.
    public var isHeld: Bool
    /// The question whether its app may go on, which stands beside it; nil is none.
    public var prompt: UInt64?
}

/// A group as a device shows it, or a part of one that goes on in the next page.
public struct ShownGroup: Hashable, Sendable {
    /// Names it.
    public var name: GroupName
    /// Its thread; empty is the app's own group.
    public var thread: String
    /// How many notifications it has, in all pages.
    public var count: Int
    /// The line below the newest; nil for a group of one.
    public var summary: String?
    /// The newest notification's date.
    public var date: WallInstant
    /// The center's newest event when the list was read.
    public var asOfEvent: UInt64
    /// Its notifications, or a part of them, newest first.
    public var notifications: [ShownNotification]
}

/// A page of what a device shows.
public struct DeviceListPage: Hashable, Sendable {
    /// The groups, newest first.
    public var groups: [ShownGroup] = []
    /// Where to go on; nil at the end.
    public var nextToken: [UInt8]?
}

extension Feeds {
    /// Reads a page of what a device shows; `completion` runs on a reader thread.
    ///
    /// Groups are an order of the whole list, so each page looks at all of it: a device that shows
    /// more than ``StoreLimits/listedPerDevice`` is refused, and asked for fewer apps.
    ///
    /// - Parameters:
    ///   - query: Which part.
    ///   - caller: Who waits for it.
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
