internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// Names a push: a UUID (apns-id).
package struct PushIdentifier: Hashable, Sendable {
    let bytes: [UInt8]
    /// Whether the provider chose it, so that a retry may come with it.
    let isGiven: Bool

    /// Reads the identifier that a provider gave; nil for a text that is no UUID.
    package init?(text: String) {
        guard let bytes = UUIDForm.bytes(of: text) else { return nil }
        self.bytes = bytes
        isGiven = true
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        isGiven = false
    }

    /// Makes an identifier for a push without one: a version 4 UUID.
    package static func random() -> PushIdentifier {
        // Each random number is a call of the system.
        let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
        var bytes = halves.flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return PushIdentifier(bytes: bytes)
    }

    /// The UUID in small letters.
    package var text: String { UUIDForm.text(bytes) }
}

/// The outcomes of the pushes that providers named, so that a retry acts once.
///
/// A receipt is kept for a day, unless there are too many or its app is unregistered.
struct PushReceipts {
    let batch: Batch
    private var order: OwnedOrder<PushReceiptKey> {
        OwnedOrder(
            batch: batch,
            table: batch.tables.pushOrder,
            count: \.receiptCount,
            limit: batch.limits.pushReceipts
        )
    }

    /// How long a receipt is kept, in nanoseconds: as long as an idempotency key.
    private static let keptNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond

    /// The outcome of an earlier push with the name; nil where there was none.
    func reply(
        to push: PushIdentifier,
        of center: CenterNumber
    ) throws(StoreFailure) -> PushReply? {
        guard push.isGiven, !Fault.pushedAgainByItsRetry.isPlanted else { return nil }
        let key = PushReceiptKey(push.bytes, of: center)
        return try batch.transaction.rowIfAny(key, in: batch.tables.pushReceipts).map { receipt in
            PushReply(
                apnsID: push.text,
                outcome: receipt.outcome,
                identifier: receipt.identifier
            )
        }
    }

    /// Keeps the outcome of a push that the provider named.
    func keep(
        _ reply: PushReply,
        to push: PushIdentifier,
        of center: CenterWork
    ) throws(StoreFailure) {
        guard push.isGiven else { return }
        let key = PushReceiptKey(push.bytes, of: center.number)
        let receipt = PushReceiptRecord(
            number: batch.state.takeNumber(),
            instant: batch.now.elapsed,
            registrant: try center.registrant(),
            outcome: reply.outcome,
            identifier: reply.identifier
        )
        try batch.transaction.put(receipt, at: key, in: batch.tables.pushReceipts)
        try order.append(key, receipt.number, of: receipt.registrant)
        try order.trim(of: receipt.registrant, forget)
    }

    /// Forgets the pushes of a center whose app is unregistered, and gives how many these were.
    func forget(_ center: CenterWork, atMost limit: Int) throws(StoreFailure) -> Int {
        let receipts = batch.tables.pushReceipts
        let keys = try center.keys(in: receipts, atMost: limit)
        for key in keys {
            let receipt = try batch.transaction.row(key, in: receipts)
            try order.remove(receipt.number, of: receipt.registrant)
            try batch.transaction.deleteExisting(key, in: receipts)
        }
        return keys.count
    }

    private func forget(
        _ key: PushReceiptKey,
        isTooMany: Bool
    ) throws(StoreFailure) -> Bool {
        let receipts = batch.tables.pushReceipts
        // A damaged receipt is deleted.
        let receipt = try batch.reportingDamage { () throws(StoreFailure) in
            try batch.transaction.row(key, in: receipts)
        }
        if !isTooMany, let receipt {
            let age = batch.now.elapsed.nanoseconds(since: receipt.instant)
            guard age > Self.keptNanoseconds else { return false }
        }
        try batch.transaction.delete(key, in: receipts)
        return true
    }
}
