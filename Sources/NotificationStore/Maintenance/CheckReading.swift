internal import BelfryLMDB
internal import NotificationRecords

/// A read transaction that a check keeps while it reads a slice of a table; it ends with the
/// object.
final class CheckReading {
    private let environment: Environment
    let transaction: ReadTransaction

    init(_ environment: Environment) throws(StoreFailure) {
        transaction = try StoreFailure.ofLMDB(try environment.beginReading())
        self.environment = environment
    }

    deinit { environment.end(transaction) }
}
