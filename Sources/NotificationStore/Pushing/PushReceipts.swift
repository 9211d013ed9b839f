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

    /// How long a receipt is kept, in nanoseconds: as long as an idempotency key.
    private static let keptNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond
    /// How many receipts are removed for each new one: more than one, so that the table shrinks.
    private static let removedPerPush = 4

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
        of center: CenterNumber
    ) throws(StoreFailure) {
        guard push.isGiven else { return }
        let key = PushReceiptKey(push.bytes, of: center)
        let receipt = PushReceiptRecord(
            number: batch.state.takeNumber(),
            instant: batch.now.elapsed,
            outcome: reply.outcome,
            identifier: reply.identifier
        )
        let (tables, order) = (batch.tables, StoreOrderKey(receipt.number))
        try batch.transaction.put(receipt, at: key, in: tables.pushReceipts)
        try batch.transaction.put(key, at: order, in: tables.pushOrder)
        batch.hasChanged = true
        for _ in 0..<Self.removedPerPush {
            guard try forgetOldest() else { return }
        }
    }

    /// Forgets the pushes of a center whose app is unregistered, and gives how many these were.
    func forget(_ center: CenterWork, atMost limit: Int) throws(StoreFailure) -> Int {
        let (receipts, orders) = (batch.tables.pushReceipts, batch.tables.pushOrder)
        let keys = try center.keys(in: receipts, atMost: limit)
        for key in keys {
            let receipt = try batch.transaction.row(key, in: receipts)
            try batch.transaction.deleteExisting(StoreOrderKey(receipt.number), in: orders)
            try batch.transaction.deleteExisting(key, in: receipts)
        }
        return keys.count
    }

    /// Forgets the oldest push of all apps, where it is too old or one too many; tells whether it
    /// was forgotten.
    ///
    /// A damaged row is reported and deleted at once: it may belong to another app, and every push
    /// would meet it.
    private func forgetOldest() throws(StoreFailure) -> Bool {
        let (receipts, orders) = (batch.tables.pushReceipts, batch.tables.pushOrder)
        guard let order = try batch.transaction.keys(bytesOf: orders.raw, atMost: 1).first else {
            return false
        }
        let key = try batch.reportingDamage { () throws(StoreFailure) in
            try orders.row(batch.transaction.bytes(at: order, in: orders) ?? [], at: order)
        }
        if let key {
            let receipt = try batch.reportingDamage { () throws(StoreFailure) in
                try batch.transaction.row(key, in: receipts)
            }
            if let receipt {
                let age = batch.now.elapsed.nanoseconds(since: receipt.instant)
                let count = try batch.transaction.rowCount(of: orders)
                guard age > Self.keptNanoseconds || count > batch.limits.pushReceipts else {
                    return false
                }
            }
            try batch.transaction.delete(key, in: receipts)
        }
        return try batch.transaction.delete(bytes: order, in: orders.raw)
    }
}
