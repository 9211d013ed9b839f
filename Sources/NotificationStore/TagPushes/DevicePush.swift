internal import NotificationCore
internal import NotificationRecords

/// One push to many, as it reaches device after device.
struct DevicePush {
    private let batch: Batch
    private let push: Result<Push, Refusal>
    /// Whether the push had expired when it came to this device, though not when it was taken.
    private let hasExpired: Bool

    /// Reads the pushed content, once for all devices of a slice.
    init(_ content: TagPushContent, takenAt date: WallInstant, _ batch: Batch) {
        self.batch = batch
        push = Result { () throws(Refusal) in
            try Push(content.headers, payload: content.payload, at: batch.now.wall)
        }
        let end = content.headers.expiration
        hasExpired = end.map { $0 > date && $0 <= batch.now.wall } ?? false
    }

    /// Pushes to a device, and gives the outcome.
    func push(to member: TagAudience.Member) throws(StoreFailure) -> TagPushOutcomeRecord {
        let identifier = PushIdentifier.random()
        var record = TagPushOutcomeRecord(
            device: member.center.device,
            apnsIdentifier: identifier.bytes,
            outcome: .refused
        )
        let number = member.registration.number
        guard batch.begin(center: number) else {
            record.reason = Reason.rowDamaged.rawValue
            return record
        }
        guard !hasExpired else {
            record.outcome = .expired
            return record
        }
        let result: Result<PushReply, Refusal> =
            switch push {
            case .success(let push): try batch.center(number).receive(push, as: identifier)
            case .failure(let refusal): .failure(refusal)
            }
        switch result {
        case .success(let reply): record.outcome = reply.outcome
        case .failure(let refusal): record.reason = refusal.reason.rawValue
        }
        return record
    }
}
