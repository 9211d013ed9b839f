internal import LMDB
internal import NotificationCore

@testable internal import NotificationStore

/// Reads every row of a closed store and tells where two tables disagree.
struct StoreAudit {
    private let tables: Tables
    private var problems: [String] = []
    /// What the rows of each center add up to.
    private var pendingCounts: [UInt32: Int] = [:]
    private var deliveredCounts: [UInt32: Int] = [:]
    private var referredTo: Set<UInt64> = []
    /// The newest kept event that refers to each record.
    private var lastEvents: [UInt64: UInt64] = [:]
    private var pendingSequences: Set<UInt64> = []
    private var firstEvents: [UInt32: UInt64] = [:]

    /// The disagreements in the store at `directory`, none of which should be.
    static func problems(in directory: String) throws -> [String] {
        let environment = try Environment(directory: directory)
        var audit = StoreAudit(tables: try Tables(environment))
        try environment.read { transaction throws(LMDBError) in
            try audit.readIdentifiers(transaction)
            try audit.readEvents(transaction)
            try audit.readCenters(transaction)
            try audit.readExpiry(transaction)
            try audit.readRecords(transaction)
        }
        return audit.problems
    }

    private init(tables: Tables) {
        self.tables = tables
    }

    private func rows(
        of table: Table,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
        try transaction.withCursor(in: table) { cursor throws(LMDBError) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            while try cursor.move(to: .next) { rows.append(try cursor.entry()) }
            return rows
        }
    }

    /// Each identifier stands for rows that are there, and no row is without an identifier.
    private mutating func readIdentifiers(
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        var dueKeys: Set<[UInt8]> = []
        var deliveredKeys: Set<[UInt8]> = []
        for (key, value) in try rows(of: tables.identifiers, transaction) {
            var reader = ByteReader(key)
            let center = try reader.number(UInt32.self)
            let name = Key.identifier(in: key)
            let identifier = try IdentifierRecord(value)
            if identifier.isEmpty { problems.append("\(name) stands for nothing") }
            if let pending = identifier.pending {
                pendingCounts[center, default: 0] += 1
                dueKeys.insert(Key.due(pending.due, sequence: pending.sequence))
                referredTo.insert(pending.sequence)
                pendingSequences.insert(pending.sequence)
                try check(pending.sequence, is: name, of: center, transaction)
            }
            if let delivery = identifier.delivered {
                deliveredCounts[center, default: 0] += 1
                deliveredKeys.insert(Key.numbered(delivery, center: center))
                let row = try transaction.deliveredRecord(delivery, center: center, tables)
                referredTo.insert(row.sequence)
                try check(row.sequence, is: name, of: center, transaction)
            }
        }
        if Set(try rows(of: tables.dueElapsed, transaction).map(\.key)) != dueKeys {
            problems.append("the due index is not what the identifiers say")
        }
        if Set(try rows(of: tables.delivered, transaction).map(\.key)) != deliveredKeys {
            problems.append("the delivered list is not what the identifiers say")
        }
    }

    private mutating func check(
        _ sequence: UInt64,
        is name: String,
        of center: UInt32,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let record = try transaction.record(sequence, tables)
        if record.center != center || record.request.identifier != name {
            problems.append("\(name) stands for the record of \(record.request.identifier)")
        }
    }

    /// Events are numbered without gaps, and what they refer to is there.
    private mutating func readEvents(_ transaction: borrowing ReadTransaction) throws(LMDBError) {
        var last: [UInt32: UInt64] = [:]
        var byteCounts: [UInt32: Int] = [:]
        for (key, value) in try rows(of: tables.events, transaction) {
            var reader = ByteReader(key)
            let center = try reader.number(UInt32.self)
            let number = try reader.number(UInt64.self)
            if let before = last[center] {
                if number != before + 1 {
                    problems.append("event \(number) of center \(center) follows \(before)")
                }
            } else {
                firstEvents[center] = number
            }
            last[center] = number
            let event = try EventRecord(value)
            byteCounts[center, default: 0] += event.byteCount
            if let sequence = event.kind.fired?.sequence {
                referredTo.insert(sequence)
                lastEvents[sequence] = number
                _ = try transaction.record(sequence, tables)
            }
        }
        for (key, value) in try rows(of: tables.centers, transaction) {
            var reader = ByteReader(key)
            let number = try reader.number(UInt32.self)
            let center = try CenterRecord.center(value)
            if center.lastEvent != last[number] ?? center.firstEvent - 1 {
                problems.append("center \(number) has another newest event")
            }
            if center.firstEvent != firstEvents[number] ?? center.lastEvent + 1 {
                problems.append("center \(number) has another oldest event")
            }
            if center.eventBytes != byteCounts[number, default: 0] {
                problems.append("center \(number) has events of other sizes")
            }
        }
    }

    /// Each center that keeps something has a row that says when it becomes too old.
    private mutating func readExpiry(_ transaction: borrowing ReadTransaction) throws(LMDBError) {
        var keys: Set<[UInt8]> = []
        for (key, value) in try rows(of: tables.centers, transaction) {
            var reader = ByteReader(key)
            let number = try reader.number(UInt32.self)
            let center = try CenterRecord.center(value)
            if let expiry = center.expiry { keys.insert(Key.expiry(expiry, center: number)) }
            let keepsSomething = center.firstEvent <= center.lastEvent || center.deliveredCount > 0
            if keepsSomething != (center.expiry != nil) {
                problems.append("center \(number) is not looked at again")
            }
        }
        if Set(try rows(of: tables.expiry, transaction).map(\.key)) != keys {
            problems.append("the index of expiry is not what the centers say")
        }
    }

    /// The counts of each center are those of its rows, and its name leads to it.
    private mutating func readCenters(_ transaction: borrowing ReadTransaction) throws(LMDBError) {
        let centers = try rows(of: tables.centers, transaction)
        for (key, value) in centers {
            var reader = ByteReader(key)
            let number = try reader.number(UInt32.self)
            let center = try CenterRecord.center(value)
            if try transaction.centerNumber(center.name, tables) != number {
                problems.append("the name of center \(number) leads elsewhere")
            }
            if center.pendingCount != pendingCounts[number, default: 0] {
                problems.append("center \(number) counts \(center.pendingCount) pending requests")
            }
            if center.deliveredCount != deliveredCounts[number, default: 0] {
                problems.append("center \(number) counts \(center.deliveredCount) notifications")
            }
        }
        if try transaction.count(of: tables.centerNumbers) != centers.count {
            problems.append("there are names without a center")
        }
    }

    /// No record is kept that nothing refers to, and the next number is free.
    private mutating func readRecords(_ transaction: borrowing ReadTransaction) throws(LMDBError) {
        var sequences: Set<UInt64> = []
        for (key, value) in try rows(of: tables.records, transaction) {
            var reader = ByteReader(key)
            let sequence = try reader.number(UInt64.self)
            sequences.insert(sequence)
            let record = try RequestRecord(value)
            guard record.request.trigger?.repeats == true else { continue }
            let isPending = pendingSequences.contains(sequence)
            if isPending != (record.lastEvent == nil) {
                problems.append("record \(sequence) does not say whether it ended")
            }
            if let last = record.lastEvent, last < lastEvents[sequence, default: 0] {
                problems.append("record \(sequence) has another newest event")
            }
        }
        if sequences != referredTo {
            problems.append("kept for nothing: \(sequences.subtracting(referredTo).sorted())")
        }
        guard let bytes = try transaction.value(forKey: Key.state, in: tables.meta) else {
            problems.append("there is no state")
            return
        }
        if let last = sequences.max(), try StoreState(bytes).nextSequence <= last {
            problems.append("the next sequence number is taken")
        }
    }
}
