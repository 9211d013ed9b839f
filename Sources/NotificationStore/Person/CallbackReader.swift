internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension StoreReader {
    /// The newest event of a center, and a number that is not less than the number of any callback.
    package func newest(
        of center: CenterNumber
    ) throws(ReadError) -> (event: EventNumber, callback: CallbackNumber) {
        try environment.reading { transaction throws(StoreFailure) in
            (
                try transaction.center(center, tables).lastEvent,
                CallbackNumber(rawValue: try transaction.state(tables).nextSequence - 1)
            )
        }
    }

    /// The open callbacks of a center after a number, as many as one message may hold.
    ///
    /// - Returns: The callbacks, and the number up to which these are all callbacks.
    package func callbacks(
        of center: CenterNumber,
        after: CallbackNumber,
        upTo newest: CallbackNumber,
        asOf now: Now
    ) throws(ReadError) -> (callbacks: [Callback], upTo: CallbackNumber) {
        try environment.reading { transaction throws(StoreFailure) in
            var callbacks: [Callback] = []
            var byteCount = 0
            var isMore = false
            let start = CallbackKey(after.next, of: center)
            try transaction.scan(tables.callbacks, .center(center), from: start) {
                key,
                record throws(StoreFailure) in
                isMore =
                    callbacks.count == limits.eventsPerMessage
                    || byteCount >= limits.eventBytesPerMessage
                guard !isMore else { return false }
                guard
                    let callback = try callback(key, record, asOf: now, in: transaction)
                else { return true }
                callbacks.append(callback)
                byteCount += record.byteCount
                return true
            }
            let last = callbacks.last?.number
            return (callbacks, isMore ? last ?? after : max(newest, last ?? 0))
        }
    }

    /// The callback of a row, as it is told; nil for a question to an extension.
    private func callback(
        _ key: CallbackKey,
        _ record: CallbackRecord,
        asOf now: Now,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> Callback? {
        let question: Callback.Question
        switch record.question {
        case .willPresent(let fired):
            let request = try transaction.row(fired.sequence, in: tables.records).request
            question = .willPresent(
                DeliveredNotification(request: request, date: record.openedAt, delivery: 0)
            )
        case .backgroundPush(let number):
            let key = BackgroundPushKey(number, of: key.center)
            let push = try transaction.row(key, in: tables.backgroundPushes)
            question = .backgroundPush(
                BackgroundPush(
                    apnsID: push.apnsID,
                    userInfoJSON: push.payload,
                    trace: push.trace
                )
            )
        case .didReceive(let response):
            question = .didReceive(NotificationResponse(response))
        case .service, .content: return nil
        }
        return Callback(
            number: key.number,
            deadline: now.wall(at: record.deadline),
            question: question
        )
    }
}

extension NotificationResponse {
    /// The response of a callback, as subscribers are told it.
    init(_ response: CallbackRecord.Response) {
        self.init(
            notification: DeliveredNotification(
                request: response.request.request,
                date: response.date,
                delivery: response.delivery
            ),
            actionIdentifier: response.action,
            userText: response.text
        )
    }
}
