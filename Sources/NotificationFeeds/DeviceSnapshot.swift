internal import NotificationCore
internal import NotificationStore

/// The rest of a device's state that is still to be read for a new watcher, part by part: some
/// apps, then their groups, then the next apps.
///
/// Each part begins where the part before it ended, so that all parts together read each row once,
/// and a long list of one app a few times. Changes between two parts are told as news after the
/// snapshot.
struct DeviceSnapshot: Sendable {
    private let query: DeviceListQuery
    /// The last app that was told.
    private var place: CenterName?
    private var hasApps = true
    /// The apps whose groups are still to be told; the next app is the last element.
    private var unfinished: [String] = []
    /// The page token of the next app's groups.
    private var token: [UInt8]?

    // Bounded: names of apps, which were validated.
    init(device: String, apps: Set<String>) {
        var query = DeviceListQuery(device: device)
        query.apps = apps
        self.query = query
    }

    /// Gives the next part; the last one says so.
    mutating func nextPart(
        _ reader: StoreReader
    ) throws(ReadError) -> Result<DeviceSnapshotPart, Refusal> {
        var list = DeviceListReader(reader: reader, query: query)
        try list.readDevice()
        if unfinished.isEmpty {
            place = try list.readApps(after: place)
            hasApps = place != nil
        }
        var part = DeviceSnapshotPart(state: list.device)
        part.apps = list.shownApps
        if unfinished.isEmpty {
            unfinished = part.apps.reversed().filter { $0.center.deliveredCount > 0 }
                .map(\.center.name.app)
        }
        if let refusal = try addGroups(to: &part, reader) { return .failure(refusal) }
        part.isComplete = unfinished.isEmpty && !hasApps
        return .success(part)
    }

    /// Adds groups of the unfinished apps, as many as one message may hold.
    private mutating func addGroups(
        to part: inout DeviceSnapshotPart,
        _ reader: StoreReader
    ) throws(ReadError) -> Refusal? {
        var room = reader.limits.eventsPerMessage
        var byteCount = 0
        while let app = unfinished.last, room > 0, byteCount < reader.limits.eventBytesPerMessage {
            var query = DeviceListQuery(device: query.device)
            query.apps = [app]
            query.pageSize = room
            query.token = token
            var list = DeviceListReader(reader: reader, query: query)
            switch try list.page() {
            case .success(let page):
                part.groups += page.groups
                room -= page.groups.reduce(0) { $0 + $1.notifications.count }
                byteCount += list.byteCount
                token = page.nextToken
                if token == nil { unfinished.removeLast() }
            case .failure(let refusal): return refusal
            }
        }
        return nil
    }
}
