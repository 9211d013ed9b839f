internal import BelfryLMDB
package import NotificationCore

extension StoreReader {
    /// The newest event of a center, and a number that is not less than the number of any callback.
    package func newest(
        of center: UInt32
    ) throws(ReadError) -> (event: UInt64, callback: UInt64) {
        try environment.read { transaction throws(LMDBError) in
            (
                try transaction.center(center, tables).lastEvent,
                try transaction.state(tables).nextSequence - 1
            )
        }
    }

    /// The open callbacks of a center after a number, as many as one message may hold.
    ///
    /// - Returns: The callbacks, and the number up to which these are all callbacks.
    package func callbacks(
        of center: UInt32,
        after: UInt64,
        upTo newest: UInt64,
        asOf now: Now
    ) throws(ReadError) -> (callbacks: [Callback], upTo: UInt64) {
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: tables.callbacks) { cursor throws(LMDBError) in
                var callbacks: [Callback] = []
                var byteCount = 0
                var found = try cursor.seek(atOrAfter: Key.numbered(after + 1, center: center))
                while found {
                    let (key, value) = try cursor.entry()
                    guard Key.belongs(key, to: center) else { break }
                    guard callbacks.count < limits.eventsPerMessage,
                        byteCount < limits.eventBytesPerMessage
                    else { return (callbacks, callbacks.last?.number ?? after) }
                    var reader = ByteReader(key, from: 4)
                    let callback = try callback(
                        try reader.number(),
                        try CallbackRecord(value),
                        asOf: now,
                        in: transaction
                    )
                    callbacks.append(callback)
                    byteCount += value.count
                    found = try cursor.move(to: .next)
                }
                return (callbacks, max(newest, callbacks.last?.number ?? 0))
            }
        }
    }

    private func callback(
        _ number: UInt64,
        _ record: CallbackRecord,
        asOf now: Now,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> Callback {
        let question: Callback.Question
        switch record.question {
        case .willPresent(let fired):
            let request = try transaction.record(fired.sequence, tables).request
            question = .willPresent(
                DeliveredNotification(request: request, date: record.openedAt, delivery: 0)
            )
        case .didReceive(let response):
            question = .didReceive(
                NotificationResponse(
                    notification: DeliveredNotification(
                        request: response.request.request,
                        date: response.date,
                        delivery: response.delivery
                    ),
                    actionIdentifier: response.action,
                    userText: response.text
                )
            )
        }
        return Callback(
            number: number,
            deadline: now.wall(at: record.deadline),
            question: question
        )
    }
}
