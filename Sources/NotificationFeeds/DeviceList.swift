internal import BelfryLocking
package import NotificationCore
package import NotificationStore

package struct DeviceListQuery: Hashable, Sendable {
    package var device: String
    /// The apps that are shown; empty is all.
    ///
    /// Bounded: names of apps, which were validated.
    package var apps: Set<String> = []
    package var pageSize = 100
    /// The ``DeviceListPage/nextToken`` of the page before; nil for the first page.
    package var token: [UInt8]?
    /// Whether what a locked device shows is read, also while the device is unlocked.
    var isLocked = false

    /// Asks for the first page of all that `device` shows.
    package init(device: String) {
        self.device = device
    }
}

/// A notification as a device shows it now (LK-5).
package struct ShownNotification: Hashable, Sendable {
    package var reference: NotificationReference
    package var appName: String
    package var icon: String
    /// When it was delivered.
    package var date: WallInstant
    /// The texts and effects that the screen shows, by the lock, the person's choice of previews
    /// and the category.
    package var rendered: RenderedNotification
    /// The interruption level, lowered to what the person allows.
    package var level: InterruptionLevel
    /// Whether the notification waits for the scheduled summary.
    package var isHeld: Bool
    /// The name of the Focus that kept it quiet when it was delivered; nil where none did.
    package var silencingFocus: String?
    /// The prompt whether the app's quiet grant is kept, shown beside the notification; nil is
    /// none.
    package var prompt: PromptNumber?
}

/// A group as a device shows it, or the part of a group on one page.
package struct ShownGroup: Hashable, Sendable {
    package var name: GroupName
    /// The group's thread; empty is the app's own group.
    package var thread: String
    /// How many notifications the group has, on all pages together.
    package var count: Int
    /// The summary below the newest notification; nil for a group of one.
    package var summary: String?
    /// The newest notification's date.
    package var date: WallInstant
    /// The center's newest event when the list was read.
    package var asOfEvent: EventNumber
    /// The group's notifications on this page, newest first.
    package var notifications: [ShownNotification]
}

package struct DeviceListPage: Hashable, Sendable {
    package var groups: [ShownGroup] = []
    package var nextToken: [UInt8]?
}

extension Feeds {
    /// Reads a page of a device's list; `completion` runs on a reader thread.
    ///
    /// The order of groups depends on the whole list, so each page reads all of it. A list of more
    /// than ``StoreLimits/listedPerDevice`` notifications is refused; a query for fewer apps helps.
    ///
    /// `completion` is told the page, or why there is none.
    package func listNotificationCenter(
        _ query: DeviceListQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<DeviceListPage>
    ) {
        let list = Guarded(DeviceListReader(reader: reader, query: query))
        store.lists.readInSteps(for: caller, completion) { [reader] () throws(Refusal) in
            let step: Result<DeviceListPage, Refusal>?
            do {
                step = try list.withLock { list throws(ReadError) in try list.step() }
            } catch {
                throw reader.refusal(for: error)
            }
            return try step?.get()
        }
    }
}
