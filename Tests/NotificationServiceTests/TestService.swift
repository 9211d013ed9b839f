internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationService
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

/// The services over a store of their own, on a unix socket in the store's directory.
///
/// The clock is manual and every prompt is granted, unless a test says otherwise.
final class TestService: Sendable {
    let test: TestStore
    let server: Server
    let channel: Channel

    init(
        in directory: ScratchDirectory? = nil,
        prompts: EmbeddedServer.Prompts = .grant,
        _ configure: (inout Store.Options) -> Void = { _ in },
        registrant: @escaping @Sendable (Caller) -> Registrant? = { _ in nil },
        methods: (inout Router) -> Void = { _ in }
    ) throws {
        test = try TestStore(in: directory, configure)
        var options = NotificationService.Options(prompts: prompts)
        options.registrant = registrant
        let service = NotificationService(feeds: test.feeds, options: options)
        var router = Router()
        service.register(in: &router)
        methods(&router)
        let listener = Server.Listener.unix(path: test.directory.path + "/server.sock")
        server = try Server(router: router, options: Server.Options(listeners: [listener]))
        server.start()
        channel = Channel(target: listener.description)
    }

    deinit { stop() }

    /// Ends channel, server and store, in this order.
    func stop() {
        channel.close()
        server.stop(within: .seconds(5))
        test.close()
    }

    var store: Store { test.store }

    /// The time limit of the service's calls: a machine that does many other things may be slow.
    static let callOptions = CallOptions(timeout: .seconds(120))

    var admin: AdminClient { AdminClient(channel: channel, options: Self.callOptions) }

    var installation: InstallationClient {
        InstallationClient(channel: channel, options: Self.callOptions)
    }

    /// The person before the local device.
    var person: DeviceClient { DeviceClient(channel: channel, options: Self.callOptions) }

    /// Makes one more connection, which its user closes.
    func anotherConnection() -> Channel {
        Channel(target: server.boundListeners[0].description)
    }

    func center(_ app: String? = nil, over channel: Channel? = nil) -> NotificationCenterClient {
        NotificationCenterClient(
            channel: channel ?? self.channel,
            center: .with { $0.appID = app ?? test.center.app },
            options: Self.callOptions
        )
    }

    /// The center of an app that may show alerts, play sounds and change its badge.
    func authorizedCenter(_ app: String? = nil) async throws -> NotificationCenterClient {
        let center = center(app)
        _ = try await center.requestAuthorization([.alert, .sound, .badge])
        return center
    }

    /// Opens a prompt that can be answered with KEEP, of an app of its own, and gives its name.
    func quietPrompt(_ app: String = "org.example.quiet") async throws -> String {
        _ = try await center(app).requestAuthorization([.alert, .provisional])
        return "\(try #require(try test.state(of: .local(app)).openPrompt))"
    }

    @discardableResult
    func advance(by duration: Duration) async throws -> Belfry_V1_AdvanceClockResponse {
        try await admin.advanceClock(by: duration)
    }

    /// Calls a unary rpc with bytes.
    func call(_ rpc: Rpc, _ bytes: [UInt8]) async throws(Status) -> [UInt8] {
        guard rpc.isStream else { return try await channel.unary(rpc.path, bytes) }
        let stream = channel.stream(rpc.path)
        try await stream.send(bytes)
        await stream.finishSending()
        return try await stream.next() ?? []
    }

    /// Opens a subscription, message by message.
    func subscribe(
        _ configure: (inout Belfry_V1_SubscribeRequest) -> Void = { _ in }
    ) async throws -> TestStream {
        var request = Belfry_V1_SubscribeRequest()
        request.center.appID = test.center.app
        configure(&request)
        let stream = channel.stream(Rpc.subscribe.path)
        try await stream.send(try request.serializedBytes())
        await stream.finishSending()
        return TestStream(stream)
    }
}

/// The service that the tests of a suite share; each uses an app of its own.
struct SharedService: SuiteTrait, TestScoping {
    @TaskLocal private static var current: TestService?

    /// The service of the suite that runs.
    static func get() throws -> TestService { try #require(current) }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let service = try TestService()
        defer { service.stop() }
        try await Self.$current.withValue(service) { try await function() }
    }
}

extension Trait where Self == SharedService {
    /// Runs the tests of a suite against one service.
    static var sharedService: Self { Self() }
}

extension NotificationCenterClient {
    /// Adds a request with a title, which is delivered now or after `interval`.
    @discardableResult
    func add(
        _ identifier: String,
        in interval: Duration? = nil,
        _ change: (inout Belfry_V1_NotificationRequest) -> Void = { _ in }
    ) async throws -> Belfry_V1_AddResponse {
        try await add(.titled(identifier, in: interval, change))
    }
}

extension Belfry_V1_NotificationRequest {
    static func titled(
        _ identifier: String,
        in interval: Duration? = nil,
        _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        var request = Self()
        request.identifier = identifier
        request.content.title = identifier
        if let interval { request.trigger.timeInterval.interval = .init(rounding: interval) }
        change(&request)
        return request
    }
}
