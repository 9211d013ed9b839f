package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Takes delivered and arriving notifications back from many devices, in slices between which
    /// other commands run.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the notifications; unknown ones are passed over.
    ///   - expression: The devices.
    ///   - app: The app.
    ///   - key: Makes a retry act once, and go on where a crash ended it.
    ///   - completion: Told how many notifications are gone, once that is durable.
    package func withdraw(
        _ identifiers: [String],
        fitting expression: TagExpression,
        of app: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<UInt64>
    ) {
        let command = WithdrawByTagsCommand(
            app: app,
            expression: expression,
            identifiers: identifiers
        )
        submit(command, once: key, completion)
    }
}

struct WithdrawByTagsCommand: Command {
    let app: String
    let expression: TagExpression
    let identifiers: [String]
    var position = ""
    /// How many notifications are gone so far.
    var count: UInt64 = 0

    var growth: Growth { .nothing }
    var cost: Int { 256 }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<UInt64> {
        guard !identifiers.isEmpty else { return .done(.success(0)) }
        let tables = batch.tables
        let slice = try TagAudience(expression, of: app, tables, in: batch.transaction).next(
            after: position,
            atMost: max(1, cost / identifiers.count),
            tables,
            in: batch.transaction
        )
        for member in slice.members where batch.begin(center: member.registration.number) {
            count += try batch.center(member.registration.number).withdraw(identifiers)
            batch.endWork()
        }
        position = slice.position
        guard !slice.isEnd else { return .done(.success(count)) }
        return .more(
            .task(.withdraw(identifiers: identifiers, expression: expression.text, app: app))
        )
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(position)
        writer.put(count)
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        position = try reader.text()
        count = try reader.number()
    }
}
