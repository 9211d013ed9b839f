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

    /// The disagreements in the store at `directory`, none of which should be.
    static func problems(in directory: String) throws -> [String] {
        let environment = try Environment(directory: directory)
        var audit = StoreAudit(tables: try Tables(environment))
        try environment.read { transaction throws(LMDBError) in
            try audit.readIdentifiers(transaction)
            try audit.readEvents(transaction)
            try audit.readCenters(transaction)
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
        for (key, value) in try rows(of: tables.events, transaction) {
            var reader = ByteReader(key)
            let center = try reader.number(UInt32.self)
            let number = try reader.number(UInt64.self)
            if number != last[center, default: 0] + 1 {
                problems.append("event \(number) of center \(center) follows \(last[center] ?? 0)")
            }
            last[center] = number
            switch try EventRecord(value).kind {
            case .delivered(let fired, _, _, _), .suppressed(let fired), .missed(let fired):
                referredTo.insert(fired.sequence)
                _ = try transaction.record(fired.sequence, tables)
            case .removed, .settingsChanged, .badgeChanged:
                break
            }
        }
        for (key, value) in try rows(of: tables.centers, transaction) {
            var reader = ByteReader(key)
            let number = try reader.number(UInt32.self)
            if try CenterRecord.center(value).lastEvent != last[number, default: 0] {
                problems.append("center \(number) has another newest event")
            }
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
            sequences.insert(try reader.number())
            _ = try RequestRecord(value)
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
