internal import BelfryLMDB
public import NotificationCore

extension Store {
    /// Takes the named pending requests away; unknown ones are ignored, none removes nothing.
    ///
    /// - Parameters:
    ///   - identifiers: The requests' identifiers.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the identifiers that were pending, once their removal is durable.
    public func removePending(
        _ identifiers: [String],
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        submit(
            RemoveCommand(center: center, list: .pending, identifiers: identifiers),
            once: key,
            completion
        )
    }

    /// Takes named notifications out of the delivered list; else as removing pending ones.
    public func removeDelivered(
        _ identifiers: [String],
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        submit(
            RemoveCommand(center: center, list: .delivered, identifiers: identifiers),
            once: key,
            completion
        )
    }

    /// Takes all away that was pending when this was called, in slices that let others through.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told how many were removed, once all of it is durable.
    public func removeAllPending(
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        submit(RemoveAllCommand(center: center, list: .pending), once: key, completion)
    }

    /// Empties the delivered list, as ``removeAllPending(from:completion:)``.
    public func removeAllDelivered(
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        submit(RemoveAllCommand(center: center, list: .delivered), once: key, completion)
    }
}

/// Which list a removal is about.
enum RemovedList {
    case pending
    case delivered
}

struct RemoveCommand: CenterCommand {
    let center: CenterName
    let list: RemovedList
    let identifiers: [String]

    var cost: Int { max(1, identifiers.count) }

    func apply(to batch: Batch) throws(LMDBError) -> Step<[String]> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var center = try batch.center(number)
        var removed: [String] = []
        for identifier in identifiers {
            let found = try batch.remove(identifier, from: list, center: &center, number: number)
            if found { removed.append(identifier) }
        }
        if !removed.isEmpty { batch.setCenter(number, center) }
        return .done(.success(removed))
    }
}

/// Goes through a center's identifiers, a slice in each batch.
struct RemoveAllCommand: CenterCommand {
    let center: CenterName
    let list: RemovedList
    /// Where the next slice begins.
    private var position: [UInt8]?
    /// The first sequence number and delivery that came after the call: those stay.
    private var fence: (sequence: UInt64, delivery: UInt64)?
    private var removedCount = 0

    init(center: CenterName, list: RemovedList) {
        self.center = center
        self.list = list
    }

    var cost: Int { 256 }

    mutating func apply(to batch: Batch) throws(LMDBError) -> Step<Int> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var center = try batch.center(number)
        let fence = fence ?? (batch.state.nextSequence, center.lastDelivery + 1)
        self.fence = fence
        let keys = try batch.identifierKeys(of: number, after: position, atMost: cost)
        for key in keys {
            let record = try batch.transaction.identifierRecord(key: key, batch.tables)
            let isOlder =
                switch list {
                case .pending: record.pending.map { $0.sequence < fence.sequence } ?? false
                case .delivered:
                    record.delivered.map { $0 < fence.delivery } ?? false
                        || record.arriving.map { $0.callback < fence.sequence } ?? false
                }
            guard isOlder else { continue }
            _ = try batch.remove(
                Key.identifier(in: key),
                from: list,
                center: &center,
                number: number
            )
            removedCount += 1
        }
        batch.setCenter(number, center)
        position = keys.last
        return keys.count < cost ? .done(.success(removedCount)) : .more
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(removedCount)
        writer.put(fence) { writer, fence in
            writer.put(fence.sequence)
            writer.put(fence.delivery)
        }
        for byte in position ?? [] { writer.put(byte) }
    }

    mutating func resume(_ reader: inout ByteReader) throws(LMDBError) {
        removedCount = try reader.number()
        fence = try reader.optional { reader throws(LMDBError) in
            (sequence: try reader.number(), delivery: try reader.number())
        }
        position = reader.rest
    }
}

extension Batch {
    fileprivate func identifierKeys(
        of center: UInt32,
        after position: [UInt8]?,
        atMost limit: Int
    ) throws(LMDBError) -> [[UInt8]] {
        let start = position.map { $0 + [0] } ?? Key.number(center)
        return try transaction.withCursor(in: tables.identifiers) { cursor throws(LMDBError) in
            var keys: [[UInt8]] = []
            var found = try cursor.seek(atOrAfter: start)
            while found, keys.count < limit {
                let key = try cursor.key()
                guard Key.belongs(key, to: center) else { break }
                keys.append(key)
                found = try cursor.move(to: .next)
            }
            return keys
        }
    }

    /// Takes an identifier's request or notification away; false where it has none.
    fileprivate func remove(
        _ name: String,
        from list: RemovedList,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) -> Bool {
        switch list {
        case .pending:
            guard try takePending(name, center: &center, number: number) else {
                return false
            }
            let removed = Event.Removed(reason: .app, identifier: name, delivery: nil)
            try record(.removed(removed), for: &center, number: number)
        case .delivered:
            let key = Key.identifier(name, center: number)
            var identifier = try transaction.identifierRecord(key: key, tables)
            guard identifier.arriving != nil || identifier.delivered != nil else { return false }
            if identifier.arriving != nil {
                try withdraw(&identifier, center: &center, number: number)
                try setIdentifier(key: key, to: identifier)
            }
            guard let delivery = identifier.delivered else { break }
            try removeDelivered(
                key: Key.numbered(delivery, center: number),
                reason: .app,
                center: &center,
                number: number
            )
        }
        counts.removed += 1
        return true
    }
}
