internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The pushes of a center on which its app works in the background (§20.6, D-9).
///
/// Each waits as a row of `background_pushes` until the app has answered. The app is asked about
/// one at a time, in their order, while its primary subscriber is connected: when a push comes,
/// when the subscriber attaches, and when the push before has ended. A question that nobody could
/// hear does not end its push, which is offered again when the app is back.
struct BackgroundPushes: CenterPart {
    let center: CenterWork
    private var table: TypedTable<BackgroundPushKey, BackgroundPushRecord> {
        batch.tables.backgroundPushes
    }

    /// Whether the app could be asked now.
    private var isConnected: Bool {
        batch.context.apps.isConnected(.backgroundPush, of: center.number)
    }

    private func key(_ push: RequestNumber) -> BackgroundPushKey {
        BackgroundPushKey(push, of: center.number)
    }

    private func work() throws(StoreFailure) -> BackgroundWorkRecord {
        try batch.transaction.rowIfAny(center.number, in: batch.tables.backgroundWork)
            ?? BackgroundWorkRecord()
    }

    private func setWork(_ work: BackgroundWorkRecord) throws(StoreFailure) {
        batch.hasChanged = true
        try batch.transaction.put(work, at: center.number, in: batch.tables.backgroundWork)
    }

    /// Takes a push in, and asks the app if it is connected.
    ///
    /// - Returns: What became of it.
    func take(_ push: BackgroundPushRecord) throws(StoreFailure) -> PushOutcome {
        guard batch.profile.wakesForPushes(try center.app().registration) else {
            return .suppressed
        }
        let work = try work()
        let isHeld = work.open != nil || !isConnected || isThrottled(work)
        guard !push.isTriedOnce || !isHeld else { return .expired }
        try makeRoom(for: push, beside: work.open?.push)
        let number = RequestNumber(rawValue: batch.state.takeNumber())
        try batch.transaction.put(push, at: key(number), in: table)
        batch.hasChanged = true
        try offer()
        if !isConnected, center.appState == .notRunning {
            center.tell(.launch(DeviceNews.Launch(inBackground: center.name)))
        }
        return .stored
    }

    /// Removes the pushes that a new push replaces: one with its collapse id, the oldest of a full
    /// queue, or all under the profile that keeps only the newest (BG-3).
    private func makeRoom(
        for push: BackgroundPushRecord,
        beside open: RequestNumber?
    ) throws(StoreFailure) {
        let depth = batch.profile.backgroundPushes
        var waiting = try center.keys(in: table).filter { $0.number != open }
        if waiting.count >= depth { waiting = try expire(waiting) }
        var excess = waiting.count + 1 - depth
        for key in waiting {
            var isReplaced = excess > 0
            if !isReplaced, !push.collapseIdentifier.isEmpty {
                let other = try batch.transaction.row(key, in: table).collapseIdentifier
                isReplaced = other.utf8.elementsEqual(push.collapseIdentifier.utf8)
            }
            guard isReplaced else { continue }
            excess -= 1
            try end(key.number, as: .replaced)
        }
    }

    /// Ends the pushes whose time is over, and gives the others.
    private func expire(
        _ waiting: [BackgroundPushKey]
    ) throws(StoreFailure) -> [BackgroundPushKey] {
        var rest: [BackgroundPushKey] = []
        for key in waiting {
            let push = try batch.transaction.row(key, in: table)
            if push.isOver(at: batch.now) {
                try end(key.number, as: .expired)
            } else {
                rest.append(key)
            }
        }
        return rest
    }

    /// Asks the app to work on the first push that waits, unless it works on one already.
    func offer() throws(StoreFailure) {
        var work = try work()
        guard work.open == nil, isConnected, !isThrottled(work) else { return }
        for key in try center.keys(in: table) {
            let push = try batch.transaction.row(key, in: table)
            guard !push.isOver(at: batch.now) else {
                try end(key.number, as: .expired)
                continue
            }
            let callback = try center.callbacks.work(on: key.number)
            work.open = .init(callback: callback, push: key.number)
            if let count = batch.profile.backgroundPushesPerHour {
                work.asked = Array((work.asked + [batch.now.elapsed]).suffix(count))
            }
            return try setWork(work)
        }
    }

    /// Whether the app was asked as often in the last hour as the profile allows (BG-3).
    private func isThrottled(_ work: BackgroundWorkRecord) -> Bool {
        guard let count = batch.profile.backgroundPushesPerHour, work.asked.count >= count,
            let first = work.asked.suffix(count).first
        else { return false }
        let hour = 3_600 * Int64.nanosecondsPerSecond
        return batch.now.elapsed.nanoseconds(since: first) < hour
    }

    /// Notes that the question about a push has ended, and asks about the next one.
    ///
    /// `result` is the app's answer; nil where it gave none in time.
    func finish(
        _ push: RequestNumber,
        with result: BackgroundFetchResult?
    ) throws(StoreFailure) {
        var work = try work()
        work.open = nil
        try setWork(work)
        if let result {
            try end(push, as: BackgroundPushEnd(result))
        } else if isConnected || Fault.unheardPushLost.isPlanted {
            try end(push, as: .timedOut)
        } else if try batch.transaction.row(key(push), in: table).isTriedOnce {
            // Let the other pushes wait until the app is back: it was not there, and did not hear
            // the question.
            try end(push, as: .expired)
        }
        try offer()
    }

    /// Ends a push, which waits no longer.
    private func end(_ push: RequestNumber, as end: BackgroundPushEnd) throws(StoreFailure) {
        let record = try batch.transaction.row(key(push), in: table)
        try batch.transaction.deleteExisting(key(push), in: table)
        batch.hasChanged = true
        try center.events.record(.backgroundPush(.init(apnsID: record.apnsID, end: end)))
    }
}

extension BackgroundPushRecord {
    /// Whether the push was to be tried once: it had no time to wait when it came.
    fileprivate var isTriedOnce: Bool { end == nil }

    /// Whether the app may no longer be asked.
    fileprivate func isOver(at now: Now) -> Bool {
        end.map { $0.nanosecondsLate(at: now) >= 0 } ?? false
    }
}

extension Profile {
    /// How many pushes wait for an app on a device (D-9, BG-3).
    fileprivate var backgroundPushes: Int { self == .ios ? 1 : Limits.backgroundPushes }

    /// How often an app is asked in an hour; nil is as often as pushes come (BG-3, BG-6).
    fileprivate var backgroundPushesPerHour: Int? { self == .ios ? 3 : nil }
}
