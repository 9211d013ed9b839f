internal import NotificationCore
internal import NotificationRecords

// A part of a command throws a refusal like a failure, and the command is answered with it. Only
// commands may use such parts: due work has nobody to refuse, and would fail the batch.

extension StoreFailure {
    /// Refuses the command where there is a refusal.
    static func refuse(_ refusal: Refusal?) throws(StoreFailure) {
        if let refusal { throw .refused(refusal) }
    }

    /// Refuses the command where the core does.
    static func ofRefusal<Value>(
        _ body: () throws(Refusal) -> Value
    ) throws(StoreFailure) -> Value {
        do throws(Refusal) {
            return try body()
        } catch {
            throw .refused(error)
        }
    }

    /// Does a part after which the command goes on, and gives why it is refused; nil where it is
    /// done.
    static func refusal(
        of part: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Refusal? {
        do throws(StoreFailure) {
            try part()
            return nil
        } catch .refused(let refusal) {
            return refusal
        }
    }
}
