internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationService
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Server and administration over the wire (W-19, W-20)")
struct AdminTests {
    private let start = Google_Protobuf_Timestamp(seconds: 1_767_225_600)

    @Test("GetServerInfo tells version, limits and clock")
    func serverInfo() async throws {
        let service = try TestService { options in
            options.limits.pendingPerCenter = 7
            options.limits.deliveredPerCenter = 8
        }
        defer { service.stop() }
        let info = try await ServerClient(
            channel: service.channel,
            options: TestService.callOptions
        )
        .serverInfo()
        #expect(info.version == NotificationService.version)
        #expect(info.profile == .server)
        #expect(info.supportsContentExtensions)
        #expect(info.clock.kind == .manual)
        #expect(info.clock.now == start)
        #expect(
            info.limits
                == .with {
                    $0.pendingPerCenter = 7
                    $0.pendingLimitPolicy = .rejectNew
                    $0.deliveredPerCenter = 8
                    $0.deliveredRetention = .with { $0.seconds = 7 * 24 * 3600 }
                    $0.eventRetention = .with { $0.seconds = 7 * 24 * 3600 }
                    $0.eventBytesPerCenter = 64 << 20
                    $0.subscriptionsPerCenter = 2_500
                    $0.contentBytes = 65_536
                    $0.identifierBytes = 256
                    $0.messageBytes = 1 << 20
                    $0.batchRequests = 1_000
                    $0.pageSize = 1_000
                }
        )
    }

    @Test("AdvanceClock moves both clocks and tells what happened on the way")
    func advance() async throws {
        let service = try TestService()
        defer { service.stop() }
        let first = try await service.authorizedCenter("org.example.a")
        let second = try await service.authorizedCenter("org.example.b")
        for interval in [5, 9] { try await first.add("\(interval)", in: .seconds(interval)) }
        try await second.add("7", in: .seconds(7))

        let by = try await service.advance(by: .seconds(6))
        #expect(by.clock.now.seconds == start.seconds + 6)
        #expect(by.clock.elapsed.seconds == 6)
        #expect(by.clock.kind == .manual)
        #expect(by.fired == 1)
        #expect(by.events == 1)
        #expect(by.stoppedBy == .target)
        #expect(by.callbackID == "")
        #expect(by.positions.map(\.center.appID) == ["org.example.a"])
        #expect(by.positions.map(\.center.deviceID) == ["local"])
        #expect(by.positions.map(\.lastEventNumber) == [2])

        let next = try await service.admin.advanceClock(.toNextDue(.init()))
        #expect(next.clock.now.seconds == start.seconds + 7)
        #expect(next.positions.map(\.center.appID) == ["org.example.b"])
        let to = try await service.admin.advanceClock(
            .to(.init(seconds: start.seconds + 20, nanos: 5))
        )
        #expect(to.clock.now == .init(seconds: start.seconds + 20, nanos: 5))
        #expect(to.clock.elapsed == .init(seconds: 20, nanos: 5))
        #expect(to.fired == 1)
        let nothing = try await service.admin.advanceClock(.toNextDue(.init()))
        #expect(nothing.stoppedBy == .nothingDue)
        #expect(nothing.fired == 0)
        #expect(try await service.admin.clock() == nothing.clock)
    }

    @Test("The system clock is told, and not moved")
    func systemClock() async throws {
        let service = try TestService { $0.clock = .system }
        defer { service.stop() }
        let before = try await service.admin.clock()
        let after = try await service.admin.clock()
        #expect(before.kind == .system)
        #expect(after.elapsed.seconds >= before.elapsed.seconds)
        Expected(.failedPrecondition, "CLOCK_NOT_MANUAL")
            .check(try await refusal { try await service.advance(by: .seconds(1)) })
    }

    @Test("GetStats counts what was done and what is there")
    func stats() async throws {
        let service = try TestService()
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        for interval in [1, 2, 3] { try await center.add("\(interval)", in: .seconds(interval)) }
        try await center.add("now")
        try await service.advance(by: .seconds(2))
        _ = try await center.removePending(["3"])
        let stream = try await service.subscribe()
        _ = try await stream.messagesUntilCaughtUp()

        let stats = try await service.admin.stats()
        #expect(stats.startedAt == start)
        #expect(stats.counters.adds == 4)
        #expect(stats.counters.removes == 1)
        #expect(stats.counters.fired == 2)
        #expect(stats.counters.delivered == 3)
        #expect(stats.counters.suppressed == 0)
        #expect(stats.counters.missed == 0)
        #expect(stats.counters.events == 5)
        #expect(stats.counters.commands == 7)
        #expect(stats.counters.batches > 0)
        #expect(stats.lateness.count == 2)
        #expect(stats.lateness.max == .init())
        #expect(stats.store.pending == 0)
        #expect(stats.store.delivered == 3)
        #expect(stats.store.arriving == 0)
        #expect(stats.store.records == 3)
        #expect(stats.store.usedBytes > 0)
        #expect(stats.store.usedBytes <= stats.store.fileBytes)
        // A map that is smaller than the reserve keeps an eighth of itself.
        #expect(stats.store.limitBytes == stats.store.mapBytes / 8 * 7)
        #expect(stats.store.freeDiskBytes > 0)
        #expect(stats.queue.capacity == UInt64(service.store.limits.queuedCommands))
        #expect(stats.queue.length == 0)
        #expect(stats.queue.longest >= 1)
        #expect(stats.subscriptions == 1)
        let week: Int64 = 7 * 24 * 3600
        let now = service.store.clock.now().wall.nanoseconds / .nanosecondsPerSecond
        #expect(stats.floors.events.seconds == now - week)
        #expect(!stats.floors.hasIdempotencyKeys)
    }
}
