public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Reads a server's statistics, backs up its store, and moves the clock of a server under test.
///
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct AdminClient: Sendable {
    private let caller: Caller

    /// Makes a client for a server's administration; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - options: How calls are made.
    public init(channel: Channel, options: CallOptions = CallOptions()) {
        self.caller = Caller(channel: channel, options: options)
    }

    /// Gets the server's counts since its start, and its present condition.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func stats() async throws(ClientError) -> Belfry_V1_GetStatsResponse {
        try await call("GetStats", Belfry_V1_GetStatsRequest())
    }

    /// Tells the server to copy its store to a new file in its data directory.
    ///
    /// The call lasts as long as the copy: the time limit of the options does not apply. Cancelling
    /// the task ends the copy, and the server removes the unfinished file.
    ///
    /// - Parameter onProgress: Called now and then with the progress of the copy.
    /// - Returns: The file's path and size, and the time of the newest change in the file.
    /// - Throws: ``ClientError`` with the server's refusal; no file was made.
    public func backup(
        onProgress: (Belfry_V1_BackupProgress) -> Void = { _ in }
    ) async throws(ClientError) -> Belfry_V1_Backup {
        try await caller.follow(
            "/belfry.v1.AdminService/Backup",
            Belfry_V1_BackupRequest()
        ) { (response: Belfry_V1_BackupResponse) in
            switch response.kind {
            case .progress(let progress):
                onProgress(progress)
                return nil
            case .backup(let backup): return backup
            case nil: return nil
            }
        }
    }

    /// Gets the server's clock.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func clock() async throws(ClientError) -> Belfry_V1_ClockState {
        let response: Belfry_V1_GetClockResponse = try await call(
            "GetClock",
            Belfry_V1_GetClockRequest()
        )
        return response.clock
    }

    /// Moves a manual clock forward; returns when everything that became due is recorded and
    /// notified.
    ///
    /// - Parameters:
    ///   - target: A duration, an instant, or the next instant at which something is due.
    ///   - expiringCallbacks: Whether the clock also passes the deadlines of callbacks, which then
    ///     expire; otherwise the clock stops before them.
    ///   - key: The idempotency key, if any.
    /// - Returns: The new time, and what happened on the way.
    /// - Throws: ``ClientError`` with the server's refusal; the clock did not move.
    public func advanceClock(
        _ target: Belfry_V1_AdvanceClockRequest.OneOf_Target,
        expiringCallbacks: Bool = false,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_AdvanceClockResponse {
        var request = Belfry_V1_AdvanceClockRequest()
        request.idempotencyKey = key
        request.target = target
        request.expireCallbacks = expiringCallbacks
        return try await call("AdvanceClock", request)
    }

    /// Moves a manual clock forward by a duration.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; the clock did not move.
    public func advanceClock(
        by duration: Duration
    ) async throws(ClientError) -> Belfry_V1_AdvanceClockResponse {
        try await advanceClock(.by(Google_Protobuf_Duration(rounding: duration)))
    }

    private func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.AdminService/\(rpc)", message)
    }
}
