internal import Faults
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Removes pending requests by identifier; unknown identifiers are ignored, and an empty list
    /// removes nothing.
    ///
    /// `completion` is told the identifiers that were pending, once their removal is durable.
    package func removePending(
        _ identifiers: [String],
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        let command = RemoveCommand(center: center, list: .pending, identifiers: identifiers)
        submit(command, once: key, completion)
    }

    /// Removes notifications from the delivered list by identifier, as
    /// ``removePending(_:from:once:completion:)``.
    package func removeDelivered(
        _ identifiers: [String],
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        let command = RemoveCommand(center: center, list: .delivered, identifiers: identifiers)
        submit(command, once: key, completion)
    }

    /// Removes all requests that were pending at the call, in slices between which other commands
    /// run.
    ///
    /// `completion` is told how many were removed, once all removals are durable.
    package func removeAllPending(
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        submit(RemoveAllCommand(center: center, list: .pending), once: key, completion)
    }

    /// Empties the delivered list, as ``removeAllPending(from:completion:)``.
    package func removeAllDelivered(
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        submit(RemoveAllCommand(center: center, list: .delivered), once: key, completion)
    }
}

enum RemovedList {
    case pending
    case delivered
}

struct RemoveCommand: CenterCommand {
    let center: CenterName
    let list: RemovedList
    let identifiers: [String]

    var cost: Int { max(1, identifiers.count) }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[String]> {
        let center = try batch.registered(center)
        var removed: [String] = []
        for identifier in identifiers where try center.remove(identifier, from: list) {
            removed.append(identifier)
        }
        return .done(.success(removed))
    }
}

/// Removes all pending requests or notifications of a center, a slice of identifiers in each batch.
struct RemoveAllCommand: CenterCommand {
    let center: CenterName
    let list: RemovedList
    var position: IdentifierKey?
    /// The next sequence number and delivery number at the call: later requests and deliveries
    /// stay.
    var fence: (sequence: RequestNumber, delivery: DeliveryNumber)?
    var removedCount = 0

    var growth: Growth { .nothing }
    var cost: Int { 256 }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let name = center
        let center = try batch.registered(name)
        let next = RequestNumber(rawValue: batch.state.nextSequence)
        let fence = fence ?? (next, center.state.lastDelivery.next)
        self.fence = fence
        let table = batch.tables.identifiers
        let keys = try center.keys(in: table, after: position, atMost: cost)
        // Decide about all names before the first removal: a push that is withdrawn lets others
        // through, which are delivered now although they were there at the call.
        var names: [String] = []
        for key in keys where try isOlder(center.identifier(key.identifier).record, fence) {
            names.append(key.identifier)
        }
        if position == nil, keys.count == cost, list == .delivered,
            !Fault.letThroughStays.isPlanted
        {
            names += try center.serviceArrivals.identifiers(after: keys.last)
        }
        for name in names where try center.remove(name, from: list) { removedCount += 1 }
        position = keys.last
        guard keys.count == cost else { return .done(.success(removedCount)) }
        return .more(.task(list == .pending ? .removePending(name) : .removeDelivered(name)))
    }

    /// Whether a request or notification of the identifier was there at the call.
    private func isOlder(
        _ record: IdentifierRecord,
        _ fence: (sequence: RequestNumber, delivery: DeliveryNumber)
    ) -> Bool {
        switch list {
        case .pending: record.pending.map { $0.sequence < fence.sequence } ?? false
        case .delivered:
            (record.delivered ?? record.snoozed).map { $0 < fence.delivery } ?? false
                || record.arriving.map { $0.callback.rawValue < fence.sequence.rawValue }
                    ?? false
        }
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(removedCount)
        writer.put(fence) { writer, fence in
            writer.put(fence.sequence)
            writer.put(fence.delivery)
        }
        writer.put(bytes: position?.bytes ?? [])
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        removedCount = try reader.number()
        fence = try reader.optional { reader throws(RowProblem) in
            (sequence: try reader.serial(), delivery: try reader.serial())
        }
        position = reader.isAtEnd ? nil : try IdentifierKey(reader.rest)
    }
}

extension CenterWork {
    /// Removes an identifier's request or notification; false where there is none.
    func remove(
        _ name: String,
        from list: RemovedList,
        as reason: RemovalReason = .app
    ) throws(StoreFailure) -> Bool {
        let identifier = try identifier(name)
        switch list {
        case .pending:
            guard try records.takePending(identifier) else { return false }
            try events.record(
                .removed(.init(reason: reason, identifier: name, delivery: nil))
            )
        case .delivered:
            let record = identifier.record
            guard record.arriving != nil || record.delivered != nil || record.snoozed != nil
            else { return false }
            try callbacks.withdraw(identifier)
            try snoozed.remove(identifier, reason: reason)
            // The withdrawal may have let another push through, which replaced the delivery.
            if let delivery = identifier.record.delivered {
                try delivered.remove(delivery, reason: reason)
            }
        }
        batch.counts.removed += 1
        return true
    }
}
