internal import LMDB
internal import NotificationCore

/// What holds between the tables of a store, row by row: each rule is a function that notes what
/// it finds wrong with one row.
///
/// A rule reads other rows by their keys and keeps no rows, so that a large store can be checked:
/// what is kept is a few numbers for each center and a bit for each request.
struct StoreRules {
    /// The tables in the order in which they are walked: the rules of a later one use what was
    /// counted in an earlier one.
    enum TableName: String, CaseIterable {
        case meta
        case identifiers
        case callbacks
        case endedCallbacks = "ended_callbacks"
        case dueElapsed = "due_elapsed"
        case dueWall = "due_wall"
        case zones
        case zoneVersions = "zone_versions"
        case delivered
        case events
        case centers
        case expiry
        case centerNumbers = "center_numbers"
        case records
        case idempotency
    }

    /// What the rows of a center add up to.
    private struct Tally {
        var pending = 0
        var delivered = 0
        var arriving = 0
        var openResponses = 0
        var endedCallbacks = 0
        var firstEvent: UInt64?
        var lastEvent: UInt64 = 0
        var eventBytes = 0
    }

    let tables: Tables
    private let state: StoreState
    private var tallies: [UInt32: Tally] = [:]
    /// The requests that something other than an identifier's row refers to.
    private var referred = SequenceSet()
    /// What was found wrong with the row that is being looked at.
    var found: [String] = []

    init(tables: Tables, state: StoreState) {
        self.tables = tables
        self.state = state
    }

    func table(_ name: TableName) -> Table { name.table(in: tables) }

    /// What is wrong with one row; nothing where all is well.
    ///
    /// - Throws: What LMDB reports of a damaged file.
    mutating func problems(
        in name: TableName,
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [String] {
        found = []
        do throws(LMDBError) {
            switch name {
            case .meta: try checkMeta(key, value)
            case .identifiers: try checkIdentifier(key, value, transaction)
            case .callbacks: try checkCallback(key, value, transaction)
            case .endedCallbacks: try checkEndedCallback(key, value, transaction)
            case .dueElapsed: try checkDueElapsed(key, value, transaction)
            case .dueWall: try checkDueWall(key, value, transaction)
            case .zones: try checkZone(key, value, transaction)
            case .zoneVersions: if value.count != 16 { throw ByteReader.corrupted }
            case .delivered: try checkDelivered(key, value, transaction)
            case .events: try checkEvent(key, value, transaction)
            case .centers: try checkCenter(key, value, transaction)
            case .expiry: try checkExpiry(key, value, transaction)
            case .centerNumbers: try checkCenterNumber(key, value, transaction)
            case .records: try checkRecord(key, value, transaction)
            case .idempotency: try checkIdempotency(key, value)
            }
        } catch {
            guard error == ByteReader.corrupted else { throw error }
            found.append("does not decode")
        }
        return found
    }

    // MARK: The store and its centers

    private mutating func checkMeta(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        switch key {
        case Key.format: break
        case Key.state: _ = try StoreState(value)
        default: found.append("is unknown")
        }
    }

    /// A center's counts are those of its rows, and its name leads to it.
    private mutating func checkCenter(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let number = UInt32(try numbers(key, 4)[0])
        let center = try CenterRecord.center(value)
        let tally = tallies[number] ?? Tally()
        if number >= state.nextCenter { found.append("its number is still to be given") }
        if try transaction.centerNumber(center.name, tables) != number {
            found.append("its name leads elsewhere")
        }
        if center.pendingCount != tally.pending {
            found.append("counts \(center.pendingCount) pending requests of \(tally.pending)")
        }
        if center.deliveredCount != tally.delivered {
            found.append("counts \(center.deliveredCount) notifications of \(tally.delivered)")
        }
        if center.arrivingCount != tally.arriving {
            found.append("counts \(center.arrivingCount) arriving of \(tally.arriving)")
        }
        if center.openResponseCount != tally.openResponses {
            found.append("counts \(center.openResponseCount) responses of \(tally.openResponses)")
        }
        if center.endedCallbackCount != tally.endedCallbacks {
            found.append(
                "counts \(center.endedCallbackCount) ended callbacks of \(tally.endedCallbacks)"
            )
        }
        try checkEvents(of: number, center, tally, transaction)
    }

    /// A center's log begins and ends where it says, and it is looked at when something is too old.
    private mutating func checkEvents(
        of number: UInt32,
        _ center: NotificationCenter,
        _ tally: Tally,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let hasEvents = tally.firstEvent != nil
        if hasEvents ? center.lastEvent != tally.lastEvent : center.firstEvent <= center.lastEvent {
            found.append("its newest event is \(center.lastEvent), in the log \(tally.lastEvent)")
        }
        if let first = tally.firstEvent, center.firstEvent != first {
            found.append("its oldest event is \(center.firstEvent), in the log \(first)")
        }
        if center.eventBytes != tally.eventBytes {
            found.append("counts \(center.eventBytes) bytes of events of \(tally.eventBytes)")
        }
        let keepsSomething = hasEvents || tally.delivered > 0
        if keepsSomething != (center.expiry != nil) { found.append("is not looked at again") }
        if let expiry = center.expiry,
            try !transaction.contains(
                key: Key.expiry(expiry, center: number),
                in: tables.expiry
            )
        {
            found.append("keeps something and is not in the index of expiry")
        }
    }

    /// A row of the index of expiry is what its center says.
    private mutating func checkExpiry(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let number = UInt32(try numbers(key, 8, 4)[1])
        var reader = ByteReader(key)
        let instant = ElapsedInstant(nanoseconds: try reader.number())
        if !value.isEmpty { found.append("has a value") }
        let bytes = try transaction.value(forKey: Key.number(number), in: tables.centers)
        // One that does not decode is told where the centers are walked.
        let center = bytes.flatMap { try? CenterRecord.center($0) }
        if bytes == nil || center.map({ $0.expiry != instant }) == true {
            found.append("is not what center \(number) says")
        }
    }

    private mutating func checkCenterNumber(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let number = UInt32(try numbers(value, 4)[0])
        let bytes = try transaction.value(forKey: Key.number(number), in: tables.centers)
        // One that does not decode is told where the centers are walked.
        let name = bytes.flatMap { try? CenterRecord.center($0).name }
        if bytes == nil || name.map({ Key.centerNumber($0) != key }) == true {
            found.append("leads to center \(number), which is not its own")
        }
    }

    // MARK: Requests and what stands for them

    /// An identifier stands for rows that are there, and those are about it.
    private mutating func checkIdentifier(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard key.count > 4 else { throw ByteReader.corrupted }
        let center = UInt32(try numbers(Array(key.prefix(4)), 4)[0])
        let identifier = try IdentifierRecord(value)
        try checkCenterExists(center, transaction)
        if identifier.isEmpty { found.append("stands for nothing") }
        if let pending = identifier.pending {
            tallies[center, default: Tally()].pending += 1
            try checkRequest(pending.sequence, isOf: key, transaction)
            let (due, index) =
                switch pending.due {
                case .elapsed(let instant): (instant.nanoseconds, tables.dueElapsed)
                case .wall(let date): (date.nanoseconds, tables.dueWall)
                }
            let row = Key.due(due, number: pending.sequence)
            if try !transaction.contains(key: row, in: index) {
                found.append("is pending and not in the due index")
            }
            try checkIsInZone(pending, center, transaction)
        }
        if let arriving = identifier.arriving {
            try checkRequest(arriving.sequence, isOf: key, transaction)
            let row = Key.numbered(arriving.callback, center: center)
            if try !transaction.contains(key: row, in: tables.callbacks) {
                found.append("is arriving and its callback is gone")
            }
        }
        if let delivery = identifier.delivered {
            tallies[center, default: Tally()].delivered += 1
            let row = Key.numbered(delivery, center: center)
            if let bytes = try transaction.value(forKey: row, in: tables.delivered) {
                guard let delivered = try? DeliveredRecord(bytes) else { return }
                try checkRequest(delivered.sequence, isOf: key, transaction)
            } else {
                found.append("is delivered as \(delivery) and not in the list")
            }
        }
    }

    /// A row of the elapsed due index is what its request's identifier says, or its callback.
    private mutating func checkDueElapsed(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let due = ElapsedInstant(nanoseconds: Int64(bitPattern: try numbers(key, 8, 8)[0]))
        guard !value.isEmpty else { return try checkDue(.elapsed(due), key, transaction) }
        let row = Key.numbered(try numbers(key, 8, 8)[1], center: UInt32(try numbers(value, 4)[0]))
        guard let bytes = try transaction.value(forKey: row, in: tables.callbacks) else {
            found.append("its callback is gone")
            return
        }
        // One that does not decode is told where the callbacks are walked.
        if let callback = try? CallbackRecord(bytes), callback.deadline != due {
            found.append("its callback ends at another instant")
        }
    }

    private mutating func checkDueWall(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        if !value.isEmpty { found.append("has a value") }
        let due = WallInstant(nanoseconds: Int64(bitPattern: try numbers(key, 8, 8)[0]))
        try checkDue(.wall(due), key, transaction)
    }

    private mutating func checkDue(
        _ due: Due,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let sequence = try numbers(key, 8, 8)[1]
        guard let identifier = try identifier(ofRequest: sequence, transaction) else { return }
        if identifier.pending?.sequence != sequence || identifier.pending?.due != due {
            found.append("its identifier is not pending so")
        }
    }

    // MARK: Callbacks

    /// An open callback is found at its deadline, and what is arriving says so.
    private mutating func checkCallback(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let parts = try numbers(key, 4, 8)
        let center = UInt32(parts[0])
        try checkCenterExists(center, transaction)
        if parts[1] >= state.nextSequence { found.append("its number is still to be given") }
        let callback = try CallbackRecord(value)
        let due = Key.due(callback.deadline.nanoseconds, number: parts[1])
        if try transaction.value(forKey: due, in: tables.dueElapsed) != Key.number(center) {
            found.append("is open and not in the due index")
        }
        switch callback.question {
        case .willPresent(let fired):
            tallies[center, default: Tally()].arriving += 1
            referred.insert(fired.sequence)
            guard let identifier = try identifier(ofRequest: fired.sequence, transaction) else {
                return
            }
            let arriving = IdentifierRecord.Arriving(callback: parts[1], sequence: fired.sequence)
            if identifier.arriving != arriving { found.append("its identifier is not arriving so") }
        case .didReceive:
            tallies[center, default: Tally()].openResponses += 1
        }
    }

    private mutating func checkEndedCallback(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let center = UInt32(try numbers(key, 4, 8)[0])
        try checkCenterExists(center, transaction)
        _ = try EndedCallbackRecord(value)
        tallies[center, default: Tally()].endedCallbacks += 1
    }

    /// A row of the delivered list is what its request's identifier says.
    private mutating func checkDelivered(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let delivery = try numbers(key, 4, 8)[1]
        let sequence = try DeliveredRecord(value).sequence
        referred.insert(sequence)
        guard let identifier = try identifier(ofRequest: sequence, transaction) else { return }
        if identifier.delivered != delivery { found.append("its identifier is not delivered so") }
    }

    /// A record is of a center that is there, its number was given, and something refers to it.
    private mutating func checkRecord(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let sequence = try numbers(key, 8)[0]
        if sequence >= state.nextSequence { found.append("its number is still to be given") }
        let record = try RequestRecord(value)
        try checkCenterExists(record.center, transaction)
        let row = Key.identifier(record.request.identifier, center: record.center)
        guard let identifier = try identifier(row, transaction) else { return }
        let isPending = identifier.pending?.sequence == sequence
        if !isPending && !referred.contains(sequence) { found.append("is kept for nothing") }
        if record.request.trigger?.repeats == true, isPending != (record.lastEvent == nil) {
            found.append("does not say whether it ended")
        }
    }

    // MARK: Events and keys

    /// Events are numbered without gaps, and what they refer to is there.
    private mutating func checkEvent(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let parts = try numbers(key, 4, 8)
        let center = UInt32(parts[0])
        var tally = tallies[center] ?? Tally()
        if tally.firstEvent == nil {
            tally.firstEvent = parts[1]
        } else if parts[1] != tally.lastEvent + 1 {
            found.append("follows event \(tally.lastEvent)")
        }
        tally.lastEvent = parts[1]
        tallies[center] = tally
        try checkCenterExists(center, transaction)
        let event = try EventRecord(value)
        tallies[center]?.eventBytes &+= event.byteCount
        guard let sequence = event.kind.fired?.sequence else { return }
        referred.insert(sequence)
        let row = Key.number(sequence)
        guard let bytes = try transaction.value(forKey: row, in: tables.records) else {
            found.append("is about request \(sequence), which is gone")
            return
        }
        if let last = (try? RequestRecord(bytes))?.lastEvent, last < parts[1] {
            found.append("comes after event \(last), the last one of request \(sequence)")
        }
    }

    private func checkIdempotency(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        guard key.count == 16 else { throw ByteReader.corrupted }
        _ = try IdempotencyRecord(value)
    }

    // MARK: What rules have in common

    private mutating func checkCenterExists(
        _ center: UInt32,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        if try !transaction.contains(key: Key.number(center), in: tables.centers) {
            found.append("is of center \(center), which is not there")
        }
    }

    /// The request that an identifier stands for is there and has this identifier.
    private mutating func checkRequest(
        _ sequence: UInt64,
        isOf key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard let own = try identifierKey(ofRequest: sequence, transaction) else { return }
        if own != key { found.append("stands for request \(sequence), of another one") }
    }

    /// What a request's identifier stands for; nil where that cannot be told, which is noted.
    mutating func identifier(
        ofRequest sequence: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> IdentifierRecord? {
        guard let key = try identifierKey(ofRequest: sequence, transaction) else { return nil }
        return try identifier(key, transaction)
    }

    /// What an identifier stands for; nil where its row does not decode, which is told where the
    /// identifiers are walked.
    private func identifier(
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> IdentifierRecord? {
        guard let bytes = try transaction.value(forKey: key, in: tables.identifiers) else {
            return IdentifierRecord()
        }
        return try? IdentifierRecord(bytes)
    }

    /// The key of a request's identifier; nil, with a note, where there is no such request.
    private mutating func identifierKey(
        ofRequest sequence: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [UInt8]? {
        let row = Key.number(sequence)
        guard let bytes = try transaction.value(forKey: row, in: tables.records) else {
            found.append("stands for request \(sequence), which is gone")
            return nil
        }
        // One that does not decode is told where the records are walked.
        guard let record = try? RequestRecord(bytes) else { return nil }
        return Key.identifier(record.request.identifier, center: record.center)
    }

    private func numbers(_ bytes: [UInt8], _ sizes: Int...) throws(LMDBError) -> [UInt64] {
        guard let numbers = KeyText.numbers(bytes, sizes) else { throw ByteReader.corrupted }
        return numbers
    }
}

/// Sequence numbers, a bit for each: those of a large store have room where a `Set` has not.
struct SequenceSet {
    private var words: [UInt64: UInt64] = [:]

    mutating func insert(_ sequence: UInt64) {
        words[sequence / 64, default: 0] |= 1 << (sequence % 64)
    }

    func contains(_ sequence: UInt64) -> Bool {
        words[sequence / 64, default: 0] & 1 << (sequence % 64) != 0
    }
}
