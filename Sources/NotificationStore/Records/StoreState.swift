internal import LMDB
internal import NotificationCore

/// The store-wide state, written with each batch.
struct StoreState: Equatable {
    /// The sequence number that the next request gets.
    var nextSequence: UInt64 = 1
    /// The number that the next center gets.
    var nextCenter: UInt32 = 1
    /// Idempotency keys made at this time or before, in milliseconds since 1970, are refused.
    var idempotencyFloorMilliseconds: Int64 = 0
    /// Both clocks at the batch that wrote this.
    var now: Now
    /// The machine's boot-time clock at that batch, in nanoseconds.
    var bootNanoseconds: Int64
    /// The machine's boot that ``bootNanoseconds`` counts from.
    var bootIdentifier: String
    /// How far all dates are computed again; nil where that is done.
    var recalculation: Recalculation?

    /// Dates are computed again in slices.
    struct Recalculation: Equatable {
        /// Where in the index of zones it goes on.
        var position: [UInt8]

        /// From the beginning: no key lies before a zero byte.
        static let all = Recalculation(position: [0])
    }

    /// The format that this version reads and writes; any other is refused.
    static let format: UInt32 = 2
    private static let version: UInt8 = 2

    init(now: Now, bootNanoseconds: Int64, bootIdentifier: String) {
        self.now = now
        self.bootNanoseconds = bootNanoseconds
        self.bootIdentifier = bootIdentifier
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 96)
        writer.put(Self.version)
        writer.put(nextSequence)
        writer.put(nextCenter)
        writer.put(idempotencyFloorMilliseconds)
        writer.put(now.elapsed.nanoseconds)
        writer.put(now.wall.nanoseconds)
        writer.put(bootNanoseconds)
        writer.put(bootIdentifier)
        writer.put(recalculation) { writer, recalculation in
            writer.putVarint(UInt64(recalculation.position.count))
            for byte in recalculation.position { writer.put(byte) }
        }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        // Version 1 knew no dates.
        let version: UInt8 = try reader.number()
        guard (1...Self.version).contains(version) else { throw ByteReader.corrupted }
        nextSequence = try reader.number()
        nextCenter = try reader.number()
        idempotencyFloorMilliseconds = try reader.number()
        now = Now(
            elapsed: ElapsedInstant(nanoseconds: try reader.number()),
            wall: WallInstant(nanoseconds: try reader.number())
        )
        bootNanoseconds = try reader.number()
        bootIdentifier = try reader.text()
        if version > 1 {
            recalculation = try reader.optional { reader throws(LMDBError) in
                var position: [UInt8] = []
                for _ in 0..<(try reader.count()) { position.append(try reader.number()) }
                return Recalculation(position: position)
            }
        }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}

extension StoreState {
    /// The format of the store in `environment`; nil where it has none, as a new one.
    ///
    /// Reads only, and nothing that may look different in another format.
    static func format(in environment: Environment) throws(LMDBError) -> UInt32? {
        guard let meta = try environment.existingTable("meta") else { return nil }
        return try environment.read { transaction throws(LMDBError) in
            guard let bytes = try transaction.value(forKey: Key.format, in: meta) else {
                return nil
            }
            var reader = ByteReader(bytes)
            return try reader.number()
        }
    }

    /// Refuses a store of another format, and gives whether the store has one at all.
    @discardableResult
    static func requireKnownFormat(in environment: Environment) throws(StoreError) -> Bool {
        let found: UInt32?
        do {
            found = try format(in: environment)
        } catch {
            throw .lmdb(error)
        }
        guard let found else { return false }
        guard found == format else { throw .format(found: found, known: format) }
        return true
    }
}
