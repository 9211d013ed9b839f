internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension StoreReader {
    /// A number that is not less than the number of any callback.
    package func newestCallback() throws(ReadError) -> CallbackNumber {
        try environment.reading { transaction throws(StoreFailure) in
            CallbackNumber(rawValue: try transaction.state(tables).nextSequence - 1)
        }
    }

    /// The open questions to an extension of an app after a number, as many as one message may
    /// hold.
    ///
    /// - Returns: The questions, and the number up to which these are all questions.
    package func questions(
        to extension: AppExtension,
        of app: String,
        after: CallbackNumber,
        upTo newest: CallbackNumber,
        asOf now: Now
    ) throws(ReadError) -> (callbacks: [ExtensionCallback], upTo: CallbackNumber) {
        try environment.reading { transaction throws(StoreFailure) in
            var callbacks: [ExtensionCallback] = []
            var (byteCount, rowCount) = (0, 0)
            var (last, isMore) = (after, false)
            let start = ExtensionQuestionKey(after.next, of: app)
            try transaction.scan(tables.extensionQuestions, .app(app), from: start) {
                key,
                row throws(StoreFailure) in
                isMore =
                    rowCount == limits.eventsPerMessage || byteCount >= limits.eventBytesPerMessage
                guard !isMore else { return false }
                rowCount += 1
                last = key.number
                guard row.asks(`extension`) else { return true }
                let callback = try question(key.number, row.center, asOf: now, in: transaction)
                callbacks.append(callback)
                byteCount += callback.byteCount
                return true
            }
            return (callbacks, isMore ? last : max(newest, last))
        }
    }

    private func question(
        _ number: CallbackNumber,
        _ center: CenterNumber,
        asOf now: Now,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> ExtensionCallback {
        let key = CallbackKey(number, of: center)
        let record = try transaction.row(key, in: tables.callbacks)
        let question: ExtensionCallback.Question
        var isExpiring = false
        switch record.question {
        case .service(let service):
            let arrival = try transaction.row(
                ServiceArrivalKey(service.arrival, of: center),
                in: tables.serviceArrivals
            )
            let request = try transaction.row(arrival.fired.sequence, in: tables.records).request
            question = .service(request)
            isExpiring = service.isExpiring
        case .content(let act):
            question = .content(act.presentation, NotificationResponse(act.response))
        case .willPresent, .didReceive, .backgroundPush:
            throw .disagrees(key, in: tables.callbacks)
        }
        return ExtensionCallback(
            name: .init(center: center, number: number),
            center: try transaction.center(center, tables).name,
            deadline: now.wall(at: record.deadline),
            question: question,
            isExpiring: isExpiring
        )
    }
}

extension StoreReader {
    /// A notification that a content extension is to show; nil where it is no longer kept.
    package func notification(
        _ shown: ContentNews.Shown
    ) throws(ReadError) -> DeliveredNotification? {
        try environment.reading { transaction throws(StoreFailure) in
            try transaction.keptRecord(shown.sequence, tables).map { record in
                DeliveredNotification(
                    request: record.request,
                    date: shown.date,
                    delivery: shown.reference.delivery
                )
            }
        }
    }

    /// The open notifications of an extension that begins to serve, as of the last commit.
    package func contents(shownBy contentExtension: String, of app: String) -> [ContentNews] {
        board.current.shown(by: contentExtension, of: app)
            .compactMap { ContentNews(showing: $0) }
    }
}

extension ExtensionQuestionRecord {
    fileprivate func asks(_ item: AppExtension) -> Bool {
        kind == item.kind && (kind == .service || name == item.identifier)
    }
}

extension ExtensionCallback {
    /// About how many bytes the extension is told.
    fileprivate var byteCount: Int {
        switch question {
        case .service(let request):
            64 + request.byteCount + request.identifier.utf8.count
        case .content(_, let response):
            64 + response.notification.request.byteCount
                + (response.userText?.utf8.count ?? 0)
        }
    }
}
