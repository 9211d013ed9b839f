internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension Belfry_V1_PushToTagsResponse {
    init(_ message: TagPushMessage, of push: TagPushNumber) {
        self.init()
        if message.isStart {
            started.pushID = "\(push)"
        } else if let status = message.status {
            totals = .init(status)
        } else {
            outcomes.outcomes = message.outcomes.map { .init($0) }
        }
    }
}

extension Belfry_V1_DeviceOutcome {
    init(_ outcome: TagPushOutcome) {
        self.init()
        number = outcome.number
        center = .init(outcome.center)
        apnsID = outcome.apnsIdentifier
        self.outcome = .init(outcome.outcome)
        reason = outcome.reason?.wireName ?? ""
    }
}

extension Belfry_V1_PushTotals {
    init(_ status: TagPushStatus) {
        self.init()
        devices = status.deviceCount
        for (outcome, count) in zip(PushOutcome.allCases, status.counts) where count > 0 {
            counts.append(
                .with { wire in
                    wire.outcome = .init(outcome)
                    wire.count = count
                }
            )
        }
        complete = status.endedAt != nil
        cancelled = status.isCancelled
    }
}

extension Belfry_V1_GetPushStatusResponse {
    init(_ status: TagPushStatus) {
        self.init()
        totals = .init(status)
        if let beganAt = status.beganAt { startedAt = .init(beganAt) }
        if let endedAt = status.endedAt { completedAt = .init(endedAt) }
        if let date = status.deliverAt { deliverAt = .init(date) }
    }
}

extension Belfry_V1_RichPush {
    init(_ richPush: RichPush) {
        self.init()
        richID = richPush.number.rawValue
        message = richPush.message
        richType = richPush.richType
        mediaType = richPush.mediaType
        sizeBytes = UInt64(richPush.byteCount)
        createdAt = .init(richPush.createdAt)
        if let readAt = richPush.readAt { self.readAt = .init(readAt) }
    }
}
