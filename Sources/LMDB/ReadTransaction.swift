/// A view of one committed state, lent by ``Environment/read(_:)``.
///
/// What commits meanwhile is not seen, and pages that it needs are not used again, so the file
/// grows while it is open: keep it short.
public struct ReadTransaction: ~Copyable, Transaction {
    /// The C transaction; for this target alone.
    public let handle: TransactionHandle
}
