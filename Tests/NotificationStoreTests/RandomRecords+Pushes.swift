internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords

extension RandomRecords {
    mutating func tagPush() -> TagPushRecord {
        var record = TagPushRecord(content(), to: text(), createdAt: instant())
        record.state = choice(TagPushRecord.State.allCases)
        record.deliverAt = maybe { $0.instant() }
        record.beganAt = maybe { $0.instant() }
        record.endedAt = maybe { $0.instant() }
        record.anchor = maybe { random in
            (0..<random.choice([0, 1, 3])).map { _ in
                random.choice([true, false]) ? .tag(random.text()) : .device(random.text())
            }
        }
        if choice([true, false]) { record.content = nil }
        record.cursor = text()
        for index in record.counts.indices { record.counts[index] = number() }
        record.workAt = maybe { ElapsedInstant(nanoseconds: $0.number()) }
        record.richPush = maybe { $0.number() }
        return record
    }

    mutating func tagPushOutcome() -> TagPushOutcomeRecord {
        TagPushOutcomeRecord(
            device: text(),
            apnsIdentifier: (0..<16).map { _ in number() },
            outcome: choice(PushOutcome.allCases),
            reason: text()
        )
    }

    mutating func pushOwner() -> PushOwnerRecord {
        var record = PushOwnerRecord()
        record.openPushes = choice([0, 1, 300])
        record.lastRichPush = number()
        record.richPushes = choice([0, 1, 300])
        return record
    }

    mutating func richPush() -> RichPushRecord {
        var record = RichPushRecord(
            createdAt: instant(),
            message: text(),
            richType: text(),
            mediaType: text(),
            byteCount: choice([1, 300, 1 << 40]),
            attachment: AttachmentIdentifier(bytes: (0..<16).map { _ in number() }),
            push: number(),
            removalAt: ElapsedInstant(nanoseconds: number())
        )
        if choice([true, false]) { record.attachment = nil }
        return record
    }

    private mutating func content() -> TagPushContent {
        var headers = PushHeaders()
        headers.type = maybe { $0.choice(PushType.allCases) }
        headers.topic = text()
        headers.expiration = maybe { $0.instant() }
        headers.priority = maybe { $0.number() }
        headers.collapseIdentifier = text()
        headers.trace = trace()
        return TagPushContent(headers: headers, payload: text())
    }

    private mutating func instant() -> WallInstant { WallInstant(nanoseconds: number()) }
}
