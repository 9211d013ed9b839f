package import BelfryGRPC
package import NotificationCore
package import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import StandardServices

/// The services of `belfry.v1` over one store: requests become commands of the store, and the
/// store's results become responses.
///
/// Handlers run on gRPC's polling threads, or on that of ``LargeMessages``, and never block. A call
/// that changes the store is answered on a thread of the store, once the change is durable.
package struct NotificationService: Sendable {
    package struct Options: Sendable {
        package var prompts: EmbeddedServer.Prompts
        /// The largest message that the server receives, in bytes.
        package var maximumReceiveBytes: Int
        /// Counts the calls that were refused because of who made them, by their reasons.
        ///
        /// Bounded: the reasons are the server's own names.
        package var refusedCalls: @Sendable () -> [String: UInt64] = { [:] }
        /// Tells the account for the apps that a caller registers; nil for a caller without a
        /// limit.
        package var registrant: @Sendable (Caller) -> Registrant? = { _ in nil }
        /// Tells the token that a caller shows; nil where it shows none.
        var token: @Sendable (Caller) -> AccessToken? = { _ in nil }
        /// Keeps the tokens; nil where the server has none to keep.
        package var tokens: (any TokenKeeper)?
        /// Lets the tokens count that the keeper has now.
        package var tokensChanged: @Sendable () -> Void = {}
        /// Tells browsers of alerts; nil where the server tells none.
        var webPushes: WebPushes?

        package init(
            prompts: EmbeddedServer.Prompts = .ask,
            maximumReceiveBytes: Int = 1 << 20
        ) {
            self.prompts = prompts
            self.maximumReceiveBytes = maximumReceiveBytes
        }
    }

    /// The version of the server, as `GetServerInfo` reports it.
    package static let version = "0.1.0"

    /// The names of the services, for health and reflection.
    package static let serviceNames = [
        "belfry.v1.ServerService", "belfry.v1.InstallationService",
        "belfry.v1.NotificationCenterService", "belfry.v1.DelegateService",
        "belfry.v1.DeviceService", "belfry.v1.PushService", "belfry.v1.RichPushService",
        "belfry.v1.AttachmentService", "belfry.v1.ExtensionService", "belfry.v1.AdminService",
    ]

    /// The name of the wall clock in health, which is SERVING once the clock is set (DT-4).
    package static let clockName = "belfry.v1.clock"

    /// The name of the store's space in health, which is SERVING while the store may grow (ST-2).
    package static let storeName = "belfry.v1.store"

    /// How many messages of the largest size may wait to be read.
    private static let waitingMessages = 128

    /// The feeds of subscribers and of watched devices.
    let feeds: Feeds
    var store: Store { feeds.store }
    let options: Options
    /// The places in the writer's queue, of which each connection may have an eighth.
    let connectionShares: Shares<ConnectionIdentifier>
    /// The places for uploads and downloads of attachments.
    let transferShares: StreamShares
    /// The places for streams of adds and removals.
    let scheduleShares: StreamShares
    /// The places for subscriptions to a center, and the places for watches of a device.
    let subscriptionShares: StreamShares
    let watchShares: StreamShares
    /// The places for extensions that serve.
    let servingShares: StreamShares
    let tokenReplies = TokenReplies()

    package init(feeds: Feeds, options: Options) {
        self.feeds = feeds
        self.options = options
        let limits = feeds.store.limits
        connectionShares = Shares(limit: limits.queuedCommands / 8)
        transferShares = StreamShares(places: limits.transfers) { .transferShare($0, $1) }
        scheduleShares = StreamShares(places: limits.transfers) { .scheduleShare($0, $1) }
        subscriptionShares = StreamShares(places: limits.subscriptions) {
            .subscriptionShare($0, $1)
        }
        watchShares = StreamShares(places: limits.subscriptions) { .subscriptionShare($0, $1) }
        servingShares = StreamShares(places: limits.subscriptions) { .subscriptionShare($0, $1) }
    }

    /// Registers every rpc that this version implements, and reflection for the whole contract.
    ///
    /// The router answers an rpc that is not registered with UNIMPLEMENTED.
    package func register(in router: inout Router) {
        let largeMessages = LargeMessages(
            byteLimit: options.maximumReceiveBytes * Self.waitingMessages,
            registrant: options.registrant
        )
        router.readLargeMessages(by: largeMessages)
        registerServer(in: &router)
        registerInstallation(in: &router)
        registerSounds(in: &router)
        registerAppLists(in: &router)
        registerSettings(in: &router)
        registerCategories(in: &router)
        registerAdd(in: &router)
        registerSchedule(in: &router, largeMessages)
        registerLists(in: &router)
        registerRemovals(in: &router)
        registerSkipNext(in: &router)
        registerSubscribe(in: &router)
        registerDeviceSettings(in: &router)
        registerDelegate(in: &router)
        registerAwaitAnswer(in: &router)
        registerDevices(in: &router)
        registerSensors(in: &router)
        registerPerson(in: &router)
        registerSnoozes(in: &router)
        registerHistory(in: &router)
        registerPresentations(in: &router)
        registerContentExtensions(in: &router)
        registerNotificationCenterList(in: &router)
        registerWatchDevice(in: &router)
        registerServe(in: &router)
        registerServiceExtension(in: &router)
        registerAttachments(in: &router)
        registerUploadAttachment(in: &router)
        registerDownloadAttachment(in: &router)
        registerRemoteNotifications(in: &router)
        registerRegistrations(in: &router)
        registerPush(in: &router)
        registerPushToTags(in: &router)
        registerRichPushes(in: &router)
        registerAdmin(in: &router)
        registerBackup(in: &router)
        registerOperatorLists(in: &router)
        registerTokens(in: &router)
        registerWebPush(in: &router)
        router.addReflection { DescriptorSet.bytes }
    }
}
