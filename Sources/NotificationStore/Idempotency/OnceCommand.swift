internal import LMDB
internal import NotificationCore

/// A command that acts once for its idempotency key: a retry is told the first call's reply.
///
/// The reply is recorded in the transaction that made the change, so both are durable or neither.
/// Each step of a change in several steps records how far it came.
/// Refusals are not recorded: a refused call changed nothing and may be tried again.
struct OnceCommand<C: Command>: Command {
    private var command: C
    private let key: IdempotencyKey
    // Whether the command began here; another one's reply is awaited otherwise.
    private var isBegun = false

    init(_ command: C, key: IdempotencyKey) {
        self.command = command
        self.key = key
    }

    var cost: Int { command.cost + 1 }
    var owner: CenterName? { command.owner }

    mutating func apply(
        to batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Step<C.Reply> {
        if !isBegun {
            // The first call of this key goes on in later batches: its reply will be there then.
            guard !batch.openKeys.contains(key.bytes) else { return .more }
            if let known = try begin(batch, in: transaction) { return .done(known) }
            isBegun = true
        }
        let step = try command.apply(to: batch, in: transaction)
        var writer = ByteWriter()
        switch step {
        case .more:
            batch.openKeys.insert(key.bytes)
            command.writeProgress(to: &writer)
            try batch.keep(writer.bytes, isReply: false, for: key, in: transaction)
        case .done(let result):
            batch.openKeys.remove(key.bytes)
            if case .success(let reply) = result {
                reply.write(to: &writer)
                try batch.keep(writer.bytes, isReply: true, for: key, in: transaction)
            }
        }
        return step
    }

    /// Finds what the call was answered before, why its key cannot be used, or where it goes on.
    private mutating func begin(
        _ batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Result<C.Reply, Refusal>? {
        let table = batch.tables.idempotency
        guard let bytes = try transaction.value(forKey: key.bytes, in: table) else {
            let isExpired = key.milliseconds <= batch.state.idempotencyFloorMilliseconds
            return isExpired ? .failure(.idempotencyKeyExpired) : nil
        }
        let record = try IdempotencyRecord(bytes)
        guard record.fingerprint == key.fingerprint else {
            return .failure(.idempotencyKeyReused)
        }
        var reader = ByteReader(record.content)
        if record.isReply { return .success(try C.Reply(&reader)) }
        try command.resume(&reader)
        return nil
    }
}
