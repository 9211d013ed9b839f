internal import NotificationCore
package import NotificationStore

/// A store with its feeds: subscriptions to the events of centers, watches of devices, and calls of
/// extensions.
///
/// The store hands each durable commit to the ``Pump``, and asks the ``AppSessions`` which apps are
/// connected and the ``ExtensionSessions`` which extensions serve. Methods may be called from any
/// thread.
package final class Feeds: Sendable {
    package let store: Store
    let reader: StoreReader
    let sessions: AppSessions
    let extensions: ExtensionSessions
    let pump: Pump
    let recentSlices = RecentSlices()
    /// Reads the store for a message that may not be large.
    let smallReader: StoreReader

    /// Opens a store, with its feeds.
    ///
    /// - Parameters:
    ///   - options: How to open it.
    ///   - onFailure: Called once, on the writer thread, if the store fails for good.
    ///   - onDamage: Told each damaged row once, on any thread.
    /// - Throws: Why the store cannot be opened.
    package init(
        opening options: Store.Options,
        onFailure: @escaping @Sendable (StoreError) -> Void,
        onDamage: @escaping @Sendable (DamagedRow) -> Void = { _ in }
    ) throws(StoreError) {
        sessions = AppSessions()
        extensions = ExtensionSessions()
        pump = Pump(limits: options.limits, sessions: sessions, extensions: extensions)
        do {
            store = try Store(
                options,
                observer: pump,
                apps: sessions,
                extensions: extensions,
                onFailure: onFailure,
                onDamage: onDamage
            )
        } catch {
            pump.stop()
            throw error
        }
        reader = store.reader
        smallReader = store.reader.limited(to: MessageRooms.smallByteCount)
        pump.start(store)
    }

    /// Reads the store for a message, large or not.
    func reader(mayBeLarge: Bool) -> StoreReader { mayBeLarge ? reader : smallReader }

    /// Stops the store, then ends all feeds with UNAVAILABLE.
    ///
    /// - Parameter end: As of ``Store/stop(by:)``.
    package func stop(by end: ContinuousClock.Instant? = nil) {
        store.stop(by: end)
        pump.stop()
    }

    /// Where unary calls take the room for their replies.
    package var replies: ReplyRooms { pump.replies }

    package var subscriptionCount: Int { pump.eventFeedCount }
}
