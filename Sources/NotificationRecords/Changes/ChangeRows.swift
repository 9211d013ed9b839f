internal import BelfryLMDB
internal import NotificationLog

/// Where the rows of changes are: those of the batch that is being made in its frame, all others in
/// the log.
///
/// A batch has its own object, which only its thread uses; once the batch commits, nobody changes
/// it. Whoever reads rows of the log holds the lease of their generation (``StateChanges``).
final class ChangeRows {
    private let log: Log?
    /// The frame of the batch.
    private(set) var frame = ChangeFrame()
    /// Where the frame is to be in the log.
    ///
    /// A row that ends behind the segment has no place: it would be that of a row of another
    /// generation.
    private(set) var place: Range<Int>

    /// A row with fewer bytes stays with its key: a place takes four bytes, and a look at a page
    /// of the log.
    static let leastByteCount = 32

    /// - Parameters:
    ///   - log: Where rows have places; nil keeps all with their keys.
    ///   - place: Where the frame of a batch is to be; nil without a batch.
    init(_ log: Log?, at place: Range<Int>? = nil) {
        self.log = log
        self.place = place ?? 0..<0
    }

    /// Adds a change to the frame; nil is a deletion.
    ///
    /// - Returns: The place of the row; nil where it has to stay with its key.
    @discardableResult
    func append(_ key: [UInt8], _ row: [UInt8]?, in table: Int) -> UInt32? {
        let offset = frame.append(key, row, in: table)
        return place(of: row, at: offset)
    }

    /// Adds a front to the frame; as ``ChangeFrame/append(front:_:in:)``.
    func append(front key: [UInt8], _ rowCount: Int, in table: Int) {
        frame.append(front: key, rowCount, in: table)
    }

    /// The place of a row at an offset of the frame; nil where it has to stay with its key.
    func place(of row: [UInt8]?, at offset: Int) -> UInt32? {
        guard log != nil, let row, row.count >= Self.leastByteCount else { return nil }
        let start = place.lowerBound + offset
        return start + row.count <= place.upperBound ? UInt32(start) : nil
    }

    /// Where the frame behind this one is to be; nil without a log.
    var placeBehind: Range<Int>? {
        log?.place(behind: place, payloadByteCount: frame.byteCount)
    }

    /// Lets the frame have another place, which the rows of the batch do not know yet.
    func move(to place: Range<Int>) { self.place = place }

    /// Copies a row.
    func bytes(_ count: Int, at place: UInt32) -> [UInt8] {
        if let own = ownBytes(count, at: place) { return own }
        return placed.bytes(count, at: Int(place))
    }

    /// Lends a row.
    func lend(
        _ count: Int,
        at place: UInt32,
        to body: (Span<UInt8>) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        if let own = ownBytes(count, at: place) { return try body(own.span) }
        try placed.lend(count, at: Int(place), to: body)
    }

    /// The bytes of a row that is in the frame.
    private func ownBytes(_ count: Int, at place: UInt32) -> [UInt8]? {
        let offset = Int(place) - self.place.lowerBound
        let isOwn = self.place.contains(Int(place)) && offset < frame.byteCount
        return isOwn ? frame.bytes(count, at: offset) : nil
    }

    private var placed: Log {
        guard let log else { preconditionFailure("a row has a place without a log") }
        return log
    }

    /// The frame is in the log, or in the trees.
    func close() { frame = ChangeFrame() }
}
