package import NotificationCore
package import NotificationRecords

package struct TagPush: Hashable, Sendable {
    package var app: String
    package var expression: TagExpression
    package var content: TagPushContent
    /// When to begin; nil is at once.
    package var deliverAt: WallInstant?

    package init(
        app: String,
        expression: TagExpression,
        content: TagPushContent,
        deliverAt: WallInstant?
    ) {
        self.app = app
        self.expression = expression
        self.content = content
        self.deliverAt = deliverAt
    }
}

package struct TagPushPart: Sendable {
    package var outcomes: [TagPushOutcome]
    /// How far the push was when the outcomes were read.
    package var status: TagPushStatus
}

extension Store {
    /// Takes a push to many devices, which then goes on by itself (§23.2).
    ///
    /// `position` is the last outcome that the caller has. A push that begins has none: another
    /// position is refused, and nothing is pushed. `key` names the push: a retry is told the same
    /// number. `completion` is told the push's number, once the push is durable; `PUSH_LIMIT`.
    package func pushToTags(
        _ push: TagPush,
        after position: UInt64 = 0,
        once key: OnceKey,
        completion: @escaping Completion<TagPushNumber>
    ) {
        submit(PushToTagsCommand(push: push, position: position), once: key, completion)
    }

    /// Cancels the rest of a push to many; one that has ended stays as it is.
    ///
    /// `completion` is told how far the push came; `PUSH_NOT_FOUND`.
    package func cancelPush(
        _ number: TagPushNumber,
        of app: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<TagPushStatus>
    ) {
        let command = CancelPushCommand(key: TagPushKey(number, of: app))
        submit(command, once: key, completion)
    }

    /// Reads how far a push to many is.
    ///
    /// A point read: it runs on the calling thread.
    ///
    /// - Throws: `PUSH_NOT_FOUND`, or that the store failed.
    package func pushStatus(
        _ number: TagPushNumber,
        of app: String
    ) throws(Refusal) -> TagPushStatus {
        try damage.orRefuse {
            let key = TagPushKey(number, of: app)
            let found = try environment.reading { transaction throws(StoreFailure) in
                try transaction.rowIfAny(key, in: tables.tagPushes)
            }
            guard let found else { throw Refusal.pushNotFound }
            return found.status
        }
    }
}

extension StoreReader {
    /// Reads the outcomes of a push to many after a number, as many as one message may hold; nil
    /// where the push is no longer known.
    package func outcomes(
        of push: TagPushNumber,
        of app: String,
        after number: UInt64
    ) throws(ReadError) -> TagPushPart? {
        try environment.reading { transaction throws(StoreFailure) in
            let key = TagPushKey(push, of: app)
            guard let record = try transaction.rowIfAny(key, in: tables.tagPushes) else {
                return nil
            }
            let rows = try transaction.rows(
                in: tables.tagPushOutcomes,
                .push(key),
                after: TagPushOutcomeKey(number, of: key),
                atMost: limits.rowsPerRead
            )
            let outcomes = try rows.map { key, row throws(StoreFailure) in
                try tables.tagPushOutcomes.decoding(key.bytes) { () throws(RowProblem) in
                    try TagPushOutcome(key.number, row, of: app)
                }
            }
            return TagPushPart(outcomes: outcomes, status: record.status)
        }
    }
}

extension TagPushOutcome {
    fileprivate init(
        _ number: UInt64,
        _ row: TagPushOutcomeRecord,
        of app: String
    ) throws(RowProblem) {
        guard let center = try? CenterName(app: app, device: row.device) else {
            throw .undecodable
        }
        self.init(
            number: number,
            center: center,
            apnsIdentifier: UUIDForm.text(row.apnsIdentifier),
            outcome: row.outcome,
            reason: Reason(rawValue: row.reason)
        )
    }
}

struct PushToTagsCommand: Command {
    let push: TagPush
    let position: UInt64

    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<TagPushNumber> {
        guard position == 0 else { return .done(.failure(.outcomeUnknown(newest: 0))) }
        let number = try batch.tagPushes.take(
            push.content,
            to: push.expression,
            of: push.app,
            at: push.deliverAt
        )
        return .done(.success(number))
    }
}

struct CancelPushCommand: Command {
    let key: TagPushKey

    static var changesItself: Bool { false }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<TagPushStatus> {
        .done(try batch.tagPushes.cancel(key))
    }
}

extension TagPushStatus: Coded {
    package func write(to writer: inout ByteWriter) {
        createdAt.write(to: &writer)
        for instant in [deliverAt, beganAt, endedAt] { instant.write(to: &writer) }
        writer.put(isCancelled)
        for count in counts { writer.putVarint(count) }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            createdAt: try reader.value(),
            deliverAt: try reader.value(),
            beganAt: try reader.value(),
            endedAt: try reader.value(),
            isCancelled: try reader.bool(),
            counts: []
        )
        for _ in PushOutcome.allCases { counts.append(try reader.varint()) }
    }
}
