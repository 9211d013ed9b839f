internal import BelfryGRPC
internal import BelfryLocking
public import NotificationProtocol
internal import SwiftProtobuf

/// Adds and removes requests of one center over one stream, at a fraction of what calls cost.
///
/// ``NotificationCenterClient/withScheduler(_:)`` makes one. The methods are safe on any thread,
/// and are carried out in the order in which they were called. A task that is cancelled still waits
/// for its answer.
public final class NotificationScheduler: Sendable {
    private typealias Answer = Result<Belfry_V1_ScheduleResult, ClientError>

    private struct State {
        /// Those that wait for their answers, in the order of their messages.
        var waiting: [CheckedContinuation<Answer, Never>] = []
        /// Why the stream takes no more messages.
        var end: ClientError?
    }

    private let center: Belfry_V1_Center
    private let stream: ClientStream
    private let messages: AsyncStream<[UInt8]>
    private let outgoing: AsyncStream<[UInt8]>.Continuation
    private let state = Guarded(State())

    fileprivate init(_ client: NotificationCenterClient) {
        center = client.center
        stream = client.channel.stream(
            "/belfry.v1.NotificationCenterService/Schedule",
            metadata: client.options.metadata
        )
        (messages, outgoing) = AsyncStream.makeStream()
    }

    /// Adds a request, as ``NotificationCenterClient/add(_:key:)`` does.
    ///
    /// - Throws: ``ClientError`` with the server's refusal. Where the stream broke it is unknown
    ///   whether the request was added: add it again with the same key.
    public func add(
        _ request: Belfry_V1_NotificationRequest,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_AddResponse {
        try await perform {
            $0.add.center = center
            $0.add.idempotencyKey = key
            $0.add.request = request
        }.added
    }

    /// Removes pending requests, and gives the identifiers of those that were there.
    ///
    /// - Throws: ``ClientError`` with the server's refusal, as ``add(_:key:)``.
    public func removePending(
        _ identifiers: [String],
        key: String = ""
    ) async throws(ClientError) -> [String] {
        try await perform {
            $0.remove.center = center
            $0.remove.idempotencyKey = key
            $0.remove.identifiers = identifiers
        }.removed.removedIdentifiers
    }

    private func perform(
        _ fill: (inout Belfry_V1_ScheduleRequest) -> Void
    ) async throws(ClientError) -> Belfry_V1_ScheduleResult {
        var message = Belfry_V1_ScheduleRequest()
        fill(&message)
        let bytes = try encode(message)
        let answer: Answer = await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                guard state.end == nil else { return state.end }
                state.waiting.append(continuation)
                outgoing.yield(bytes)
                return nil
            }
            if let end { continuation.resume(returning: .failure(end)) }
        }
        let result = try answer.get()
        if case .error(let error) = result.outcome { throw ClientError(error) }
        return result
    }

    /// Takes no more messages; those that were taken are sent.
    fileprivate func finish() { outgoing.finish() }

    fileprivate func cancel() {
        outgoing.finish()
        stream.cancel()
    }

    /// Sends the messages until there will be no more.
    fileprivate func send() async {
        for await bytes in messages {
            do {
                try await stream.send(bytes)
            } catch {
                // The server ended the call; reading gives the reason.
                return
            }
        }
        await stream.finishSending()
    }

    /// Gives the answers to those that wait for them, until the stream ends.
    fileprivate func read() async {
        var end = ClientError(code: .unavailable, message: "the stream has ended")
        do throws(ClientError) {
            while let bytes = try await stream.nextMessage() {
                let response: Belfry_V1_ScheduleResponse = try decode(bytes)
                let answered = state.withLock { state in
                    let answered = state.waiting.prefix(response.results.count)
                    state.waiting.removeFirst(answered.count)
                    return answered
                }
                for (continuation, result) in zip(answered, response.results) {
                    continuation.resume(returning: .success(result))
                }
            }
        } catch {
            end = error
        }
        let left = state.withLock { state in
            state.end = end
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in left { continuation.resume(returning: .failure(end)) }
    }
}

extension NotificationCenterClient {
    /// Lets `body` add and remove many requests over one stream, which ends with it.
    ///
    /// The time limit of the options does not apply to the stream. An error of `body` cancels what
    /// has no answer yet: it may have been carried out or not.
    ///
    /// - Returns: The value of `body`, once the server has answered everything.
    /// - Throws: The error of `body`.
    public func withScheduler<Value>(
        _ body: (NotificationScheduler) async throws -> Value
    ) async throws -> Value {
        let scheduler = NotificationScheduler(self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.send() }
            group.addTask { await scheduler.read() }
            do {
                let value = try await body(scheduler)
                scheduler.finish()
                try await group.waitForAll()
                return value
            } catch {
                scheduler.cancel()
                throw error
            }
        }
    }
}
