internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// A command that acts once for its idempotency key: a retry is told the first call's reply.
///
/// The reply is recorded in the transaction that made the change, so both are durable or neither.
/// Each step of a change in several steps records how far it came.
/// Refusals are not recorded: a refused call changed nothing and may be tried again.
struct OnceCommand<C: Command>: Command {
    private var command: C
    private var once: OnceKey
    // Whether this command made the first step; if not, it awaits the reply of another command.
    private var isBegun = false
    // The bytes of the key's row that the store has.
    private var keptBytes = 0

    init(_ command: C, key: OnceKey) {
        self.command = command
        once = key
    }

    var cost: Int { command.cost + 1 }
    /// A retry is told its reply in a full store, too: the command inside is asked after that.
    var growth: Growth { .asked }
    var owner: CenterName? { command.owner }
    var key: OnceKey? { once }
    var registrant: Registrant? { command.registrant ?? once.registrant }
    var firesDue: Bool { command.firesDue }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<C.Reply> {
        if !isBegun {
            do throws(StoreFailure) {
                if let known = try begin(batch) { return known }
            } catch {
                guard let damaged = error.row else { throw error }
                // Name the row without a center: it belongs to none, and none is set aside.
                let row = DamagedRow(damaged)
                batch.damage.rows.append(row)
                return .done(.failure(.rowDamaged(row)))
            }
            isBegun = true
        }
        let step = try command.applyWithinRoom(of: batch)
        var writer = ByteWriter()
        switch step {
        // A command that has changed nothing keeps no row.
        case .awaitsDueWork(nil): batch.calls.keys.going.insert(once.bytes)
        case .more, .awaitsDueWork:
            batch.calls.keys.going.insert(once.bytes)
            command.writeProgress(to: &writer)
            keptBytes = try batch.keep(writer.bytes, isReply: false, for: once, keptBytes)
        case .waits(let wait):
            batch.calls.keys.waiting[once.bytes] = wait
            command.writeProgress(to: &writer)
            keptBytes = try batch.keep(writer.bytes, isReply: false, for: once, keptBytes)
        case .done(let result):
            batch.calls.keys.going.remove(once.bytes)
            batch.calls.keys.waiting[once.bytes] = nil
            if case .success(let reply) = result, !Fault.replyNotKept.isPlanted {
                reply.write(to: &writer)
                keptBytes = try batch.keep(writer.bytes, isReply: true, for: once, keptBytes)
            }
        }
        return step
    }

    func writeProgress(to writer: inout ByteWriter) { command.writeProgress(to: &writer) }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        try command.resume(&reader)
    }

    /// Finds the reply that the call got before, why its key cannot be used, or that another
    /// command with the key goes on; nil where this command goes on.
    private mutating func begin(_ batch: Batch) throws(StoreFailure) -> Step<C.Reply>? {
        let table = batch.tables.idempotency
        let isGoing = batch.calls.keys.going.contains(once.bytes)
        guard let record = try batch.transaction.rowIfAny(once.identifier, in: table) else {
            if isGoing { return .more(.kept) }
            let isExpired = try once.milliseconds <= batch.idempotencyFloor(of: once.registrant)
            return isExpired ? .done(.failure(.idempotencyKeyExpired)) : nil
        }
        guard record.fingerprint == once.fingerprint else {
            return .done(.failure(.idempotencyKeyReused))
        }
        var reader = ByteReader(record.content)
        if record.isReply {
            let reply = try table.decoding(once.bytes) { () throws(RowProblem) in
                try C.Reply(&reader)
            }
            return .done(.success(reply))
        }
        // Wait for the first call with this key: its reply is kept when it ends.
        if isGoing { return .more(.kept) }
        if let wait = batch.calls.keys.waiting[once.bytes] { return .waits(wait) }
        keptBytes = Batch.keptByteCount(record, record.bytes.count)
        once.registrant = Registrant(named: record.registrant)
        if Fault.progressNotResumed.isPlanted { return nil }
        try table.decoding(once.bytes) { () throws(RowProblem) in try command.resume(&reader) }
        return nil
    }
}
