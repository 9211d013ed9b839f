public import BelfryGRPC
internal import NotificationCore
public import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import StandardServices

/// The services of `belfry.v1` over one store: the wire becomes commands, replies become the wire.
///
/// Handlers run on gRPC's polling threads and never block; what changes the store is answered on
/// the writer's thread, once it is durable.
public struct NotificationService: Sendable {
    /// Who answers a permission prompt.
    public enum Prompts: String, Sendable, CaseIterable {
        /// The person, on the device side.
        case ask
        /// Every prompt is granted at once.
        case grant
        /// Every prompt is denied at once.
        case deny
    }

    /// What the services are told at the start.
    public struct Options: Sendable {
        /// The server's version, as `GetServerInfo` tells it.
        public var version: String
        /// Who answers a permission prompt.
        public var prompts: Prompts
        /// The largest message that the server receives, in bytes.
        public var maximumReceiveBytes: Int

        /// Makes options.
        public init(version: String, prompts: Prompts = .ask, maximumReceiveBytes: Int = 1 << 20) {
            self.version = version
            self.prompts = prompts
            self.maximumReceiveBytes = maximumReceiveBytes
        }
    }

    /// The services' names, as health and reflection know them.
    public static let serviceNames = [
        "belfry.v1.ServerService", "belfry.v1.InstallationService",
        "belfry.v1.NotificationCenterService", "belfry.v1.DelegateService",
        "belfry.v1.DeviceService", "belfry.v1.AttachmentService", "belfry.v1.AdminService",
    ]

    /// What health calls the wall clock, which serves once it is set (DT-4).
    public static let clockName = "belfry.v1.clock"

    /// Who follows the store.
    let feeds: Feeds
    var store: Store { feeds.store }
    let options: Options
    /// The commands that each connection has waiting: an eighth of the line at the most.
    let connectionShares: Shares<ConnectionIdentifier>
    /// The files on their way.
    let transferShares: StreamShares
    /// Those who follow a center, and those who watch a device.
    let subscriptionShares: StreamShares
    let watchShares: StreamShares

    /// Makes the services of a store and of those who follow it.
    public init(feeds: Feeds, options: Options) {
        self.feeds = feeds
        self.options = options
        let limits = feeds.store.limits
        connectionShares = Shares(limit: limits.queuedCommands / 8)
        transferShares = StreamShares(places: limits.transfers) { .transferShare($0, $1) }
        subscriptionShares = StreamShares(places: limits.subscriptions) {
            .subscriptionShare($0, $1)
        }
        watchShares = StreamShares(places: limits.subscriptions) { .subscriptionShare($0, $1) }
    }

    /// Registers every rpc that this version does, and reflection on all of the contract.
    ///
    /// What is not registered answers UNIMPLEMENTED, in the router.
    public func register(in router: inout Router) {
        registerServer(in: &router)
        registerInstallation(in: &router)
        registerSounds(in: &router)
        registerSettings(in: &router)
        registerCategories(in: &router)
        registerAdd(in: &router)
        registerLists(in: &router)
        registerRemovals(in: &router)
        registerSubscribe(in: &router)
        registerDeviceSettings(in: &router)
        registerDelegate(in: &router)
        registerDevices(in: &router)
        registerPerson(in: &router)
        registerNotificationCenterList(in: &router)
        registerWatchDevice(in: &router)
        registerAttachments(in: &router)
        registerUploadAttachment(in: &router)
        registerDownloadAttachment(in: &router)
        registerAdmin(in: &router)
        registerBackup(in: &router)
        router.addReflection(descriptorSet: DescriptorSet.bytes)
    }
}

/// Who may call an rpc (W-11).
enum Role: Int {
    /// Everybody.
    case any = 0
    /// The app whose center it is.
    case app = 1
    /// The device on which the app's center is.
    case device = 2
    /// Who runs the server.
    case admin = 4
}
