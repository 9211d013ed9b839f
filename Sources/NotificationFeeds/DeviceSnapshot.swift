internal import Faults
internal import NotificationCore
internal import NotificationStore

/// The rest of a device's state that is still to be read for a new watcher, part by part: some
/// apps, then their groups, then the next apps, and last the open notifications.
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
    /// The open notifications that are still to be told; nil until all groups are.
    private var presentations: ArraySlice<OpenPresentation>?

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
        if unfinished.isEmpty && hasApps {
            place = try list.readApps(after: Fault.snapshotBeginsAgain.isPlanted ? nil : place)
            hasApps = place != nil
        }
        var part = DeviceSnapshotPart(state: list.device)
        part.apps = list.shownApps
        if unfinished.isEmpty && presentations == nil {
            unfinished = part.apps.reversed().filter { $0.center.deliveredCount > 0 }
                .map(\.center.name.app)
        }
        if let refusal = try addGroups(to: &part, reader) { return .failure(refusal) }
        if unfinished.isEmpty && !hasApps {
            part.isComplete = try addPresentations(to: &part, reader)
        }
        return .success(part)
    }

    /// Adds open notifications, as many as one message may hold, and gives whether these were the
    /// last.
    private mutating func addPresentations(
        to part: inout DeviceSnapshotPart,
        _ reader: StoreReader
    ) throws(ReadError) -> Bool {
        var rest =
            presentations
            ?? reader.presentations(on: query.device).filter { presentation in
                query.apps.isEmpty || query.apps.contains(presentation.notification.center.app)
            }[...]
        var byteCount = 0
        while let next = rest.first, byteCount < reader.limits.eventBytesPerMessage {
            rest.removeFirst()
            guard let shown = try DeviceListReader.shown(next, reader) else { continue }
            part.presentations.append(shown)
            byteCount += shown.byteCount
        }
        presentations = rest
        return rest.isEmpty
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
