internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol

/// Adds a request, and waits until the person answers its notification.
///
/// Others may wait for other answers of the app, or speak for it, meanwhile.
struct AnswerWait {
    enum End {
        /// The person answered, and the answer is completed: the app is told no more of it.
        case answered(Belfry_V1_Answer)
        /// The notification is gone without an answer: why, for a person.
        case gone(String)
    }

    let session: Session
    /// How long to wait, from the start on; nil is as long as it takes.
    let limit: Duration?
    let add: @Sendable () async throws -> Belfry_V1_AddResponse
    /// Prints the answer; where it throws, the answer is not completed, and is told again.
    let print: @Sendable (Belfry_V1_Answer) throws -> Void

    /// Waits, prints the answer and completes it; nil where nobody answered in time.
    func run() async throws -> End? {
        // Fail at once where no server answers at the start, and do not wait.
        _ = try await session.server.serverInfo()
        return try await Patience(limit).run { [self] in
            let added = try await add()
            let response = try await session.notifications.awaitAnswer(to: added)
            guard case .answer(let answer)? = response.outcome else {
                return End.gone(Self.text(of: response.noAnswer.reason))
            }
            try print(answer)
            try await complete(answer)
            return .answered(answer)
        }
    }

    private func complete(_ answer: Belfry_V1_Answer) async throws {
        guard !answer.callbackID.isEmpty else { return }
        do throws(ClientError) {
            try await session.notifications.completeResponse(answer.callbackID)
        } catch {
            // Ignore a lost server: it tells the answer again to the next caller that asks.
            guard error.code == .unavailable else { throw error }
        }
    }

    private static func text(of reason: Belfry_V1_NoAnswerReason) -> String {
        switch reason {
        case .dismissed: "it was dismissed"
        case .removed: "it was removed"
        case .replaced: "it was replaced"
        case .expired: "it expired"
        case .missed: "it was missed"
        case .notPresented: "it was not shown"
        case .evicted: "it was pushed out"
        case .unspecified, .UNRECOGNIZED: "none can come any more"
        }
    }
}
