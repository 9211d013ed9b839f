internal import BelfryLocking
package import NotificationCore
package import NotificationStore

/// A page of the notifications that the person of a device snoozed.
package struct SnoozedPage: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var shown: ShownNotification
        /// When it comes back, unless the clock is set before that.
        package var until: WallInstant
    }

    /// The notifications by app, those of an app in the order of their deliveries.
    package var entries: [Entry] = []
    package var nextToken: [UInt8]?
}

extension Feeds {
    /// Reads a page of a device's snoozed notifications; `completion` runs on a reader thread.
    ///
    /// `completion` is told the page, or why there is none.
    package func listSnoozed(
        _ query: DeviceListQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<SnoozedPage>
    ) {
        let now = store.clock.now()
        let list = Guarded(DeviceListReader(reader: reader, query: query))
        store.lists.readInSteps(for: caller, completion) { [reader] () throws(Refusal) in
            do {
                return try list.withLock { list throws(ReadError) in
                    try list.snoozedStep(at: now)
                }
            } catch {
                throw reader.refusal(for: error)
            }
        }
    }
}

/// The place in a list of snoozed notifications after which a page begins.
struct SnoozedPlace {
    let app: String
    let delivery: DeliveryNumber

    init(app: String, delivery: DeliveryNumber) {
        self.app = app
        self.delivery = delivery
    }

    /// Reads a token, which the store signed.
    init?(_ token: [UInt8]) {
        guard token.count > 8 else { return nil }
        delivery = DeliveryNumber(rawValue: UInt64(bytes: token.prefix(8)))
        app = String(decoding: token.dropFirst(8), as: UTF8.self)
    }

    var token: [UInt8] { delivery.rawValue.bytes + Array(app.utf8) }
}
