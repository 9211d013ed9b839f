public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Reads a server's statistics, backs it up, and moves the clock of one that is under test.
///
/// It is a value over a channel, which it does not close. Safe on any thread.
public struct AdminClient: Sendable {
    private let caller: Caller

    /// Makes a client; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - options: How calls are made.
    public init(channel: Channel, options: CallOptions = CallOptions()) {
        self.caller = Caller(channel: channel, options: options)
    }

    /// Gives what the server has done since it started, and how it is.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func stats() async throws(ClientError) -> Belfry_V1_GetStatsResponse {
        try await call("GetStats", Belfry_V1_GetStatsRequest())
    }

    /// Has the server copy its store to a new file in its data directory.
    ///
    /// It takes as long as the copy does: the options' time limit is not for it. Cancelling the
    /// task ends the copy and has what was written removed.
    ///
    /// - Parameter onProgress: Told now and then how far it is.
    /// - Returns: Where the file is, how large, and as of when.
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

    /// Gives the server's clock.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func clock() async throws(ClientError) -> Belfry_V1_ClockState {
        let response: Belfry_V1_GetClockResponse = try await call(
            "GetClock",
            Belfry_V1_GetClockRequest()
        )
        return response.clock
    }

    /// Moves a manual clock on; returns when all that became due is recorded and told.
    ///
    /// - Parameters:
    ///   - target: How far.
    ///   - expiringCallbacks: Passes the deadlines of questions to the app as well, where the clock
    ///     would stop otherwise.
    ///   - key: The idempotency key, if any.
    /// - Returns: Where the clock is, and what happened on the way.
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

    /// Moves a manual clock on by a duration.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; the clock did not move.
    public func advanceClock(
        by duration: Duration
    ) async throws(ClientError) -> Belfry_V1_AdvanceClockResponse {
        try await advanceClock(.by(Google_Protobuf_Duration(rounding: duration)))
    }

    /// Calls one rpc of the service.
    private func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.AdminService/\(rpc)", message)
    }
}
