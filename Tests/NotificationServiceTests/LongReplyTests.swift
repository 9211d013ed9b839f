internal import BelfryGRPC
internal import BelfryLocking
internal import Dispatch
internal import NotificationClient
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Replies that may be long (FD-8)")
struct LongReplyTests {
    private let service: TestService
    private var rooms: ReplyRooms { service.test.feeds.replies }

    init() throws { service = try TestService() }

    @Test("Each list in pages waits until there is room for a page")
    func lists() async throws {
        defer { service.stop() }
        let all = Guarded<ReplyRoom?>(nil)
        let byteCount = service.store.limits.messageBytes
        rooms.enter(.connection(0), for: byteCount, requestByteCount: 0) { result in
            let room = try? result.get()
            all.withLock { $0 = room }
        }
        let lists = Descriptors.pagedLists
        #expect(lists.count > 9)
        try await withThrowingTaskGroup { group in
            for list in lists {
                // The request is read when there is room: it may be wrong.
                group.addTask { [channel = service.channel] in
                    _ = try? await channel.unary("/belfry.v1.\(list)", [])
                }
            }
            #expect(try await eventually { rooms.waitingCount == lists.count })
            // Other calls go on.
            _ = try await service.channel.unary(Rpc.getServerInfo.path, [])
            withExtendedLifetime(all.withLock { $0.take() }) {}
            try await group.waitForAll()
        }
        #expect(rooms.waitingCount == 0)
        #expect(try await eventually { rooms.byteCount == 0 })
    }

    @Test("Lists of an account take one turn, over all its connections")
    func oneTurn() async throws {
        let account = Registrant(.token, "tea")
        let service = try TestService(registrant: { _ in account })
        let center = try await service.authorizedCenter()
        let other = service.anotherConnection()
        let gate = DispatchSemaphore(value: 0)
        defer {
            gate.signal()
            other.close()
            service.stop()
        }
        let isAnswered = Guarded(false)
        // A list of the account is being read, on one of the two threads.
        service.store.lists.read(for: ReadCaller(share: .registrant(account)), { _ in }) {
            () throws(Refusal) in gate.wait()
        }
        let call = Task {
            _ = try await service.center(over: other).listPending()
            isAnswered.withLock { $0 = true }
        }
        // Small calls and others' lists go on meanwhile.
        for number in 0..<200 {
            _ = try await center.notificationSettings()
            await withCheckedContinuation { continuation in
                let caller = ReadCaller(share: .connection(UInt(number)))
                service.store.lists.read(for: caller, { _ in continuation.resume() }) {
                    () throws(Refusal) in ()
                }
            }
        }
        #expect(!isAnswered.withLock { $0 })
        gate.signal()
        try await call.value
        gate.signal()
    }

    @Test("The room of a reply is given back when its client has it, or cancels the call")
    func givenBack() async throws {
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        for number in 0..<20 {
            try await center.add("\(number)", in: .seconds(60)) { request in
                request.content.body = String(repeating: "x", count: 1_024)
            }
        }
        let request = Belfry_V1_ListPendingRequest.with { request in
            request.center.appID = service.test.center.app
        }
        let bytes: [UInt8] = try request.serializedBytes()
        let reply = try await service.channel.unary(Rpc.listPending.path, bytes)
        #expect(reply.count > 20_000)
        #expect(try await eventually { rooms.byteCount == 0 })
        let call = Task { [channel = service.channel] in
            try await channel.unary(Rpc.listPending.path, bytes)
        }
        call.cancel()
        _ = await call.result
        #expect(try await eventually { rooms.byteCount == 0 })
    }
}
