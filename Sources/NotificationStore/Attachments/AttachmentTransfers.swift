internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The time limits of one upload or download.
final class AttachmentTransfer: Sendable {
    private struct Turn {
        /// When the client's turn began, by the boot-time clock; nil during the server's turn.
        var waitsSince: Int64?
        /// How long the client may still take for its turns, in nanoseconds.
        var patience: Int64
    }

    private let limits: StoreLimits
    private let turn: Guarded<Turn>
    private let onStall: @Sendable (Refusal) -> Void

    init(
        limits: StoreLimits,
        at now: Int64 = SystemTime.now().bootNanoseconds,
        onStall: @escaping @Sendable (Refusal) -> Void
    ) {
        self.limits = limits
        self.onStall = onStall
        turn = Guarded(Turn(waitsSince: now, patience: limits.transferStallNanoseconds))
    }

    /// Begins the client's turn, after bytes that it sent or was sent: each byte adds the time that
    /// a byte takes at the least rate.
    func waitForCaller(
        after byteCount: Int,
        at now: Int64 = SystemTime.now().bootNanoseconds
    ) {
        let nanosecondsPerByte = Int64.nanosecondsPerSecond / limits.transferBytesPerSecond
        turn.withLock { turn in
            turn.waitsSince = now
            turn.patience = min(
                limits.transferStallNanoseconds,
                turn.patience + Int64(byteCount) * nanosecondsPerByte
            )
        }
    }

    func work(at now: Int64 = SystemTime.now().bootNanoseconds) {
        turn.withLock { turn in
            guard let since = turn.waitsSince.take(), !Fault.leastRateIgnored.isPlanted else {
                return
            }
            turn.patience -= now - since
        }
    }

    /// Whether the client takes longer than it may.
    func isStalled(at now: Int64) -> Bool {
        turn.withLock { turn in turn.waitsSince.map { now - $0 >= turn.patience } ?? false }
    }

    fileprivate func stall() { onStall(.transferStalled) }
}

/// All uploads and downloads: limits their number, reserves the room of unfinished uploads, and
/// ends transfers whose clients stall.
final class AttachmentTransfers: Sendable {
    private struct State {
        var open: [ObjectIdentifier: AttachmentTransfer] = [:]
        /// The room that unfinished uploads take of their apps' room.
        ///
        /// Bounded: names of apps, which were validated.
        var reserved: [String: AttachmentOwnerRecord] = [:]
        /// The bytes that unfinished uploads take of their callers' room, by the callers' names.
        ///
        /// Bounded: a caller for each transfer at most.
        var reservedByCallers: [String: Int] = [:]
        var isStopped = false
    }

    private let limits: StoreLimits
    private let state = Guarded(State())
    private let wakeup = Wakeup()
    private let pacer = Guarded<SystemThread?>(nil)

    init(limits: StoreLimits) {
        self.limits = limits
        pacer.withLock { $0 = SystemThread(named: "transfers") { self.pace() } }
    }

    /// Adds a transfer; each transfer has to be closed.
    ///
    /// - Throws: That there are too many transfers.
    func open(_ transfer: AttachmentTransfer) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            guard !state.isStopped else { return .stopping }
            guard state.open.count < limits.transfers else { return .tooManyTransfers }
            state.open[ObjectIdentifier(transfer)] = transfer
            return nil
        }
        if let refusal { throw refusal }
        wakeup.signal()
    }

    func close(_ transfer: AttachmentTransfer) {
        state.withLock { $0.open[ObjectIdentifier(transfer)] = nil }
    }

    /// Reserves room for a file or for more bytes of a file, beside stored files and other
    /// reservations.
    ///
    /// `caller` is the caller with its stored bytes; nil for one without a limit.
    ///
    /// - Throws: `UNErrorDomain` 104 where the app has not enough room, or that the caller has not.
    func reserve(
        _ byteCount: Int,
        files: Int,
        for app: String,
        beside stored: AttachmentOwnerRecord,
        by caller: (registrant: Registrant, byteCount: Int)?
    ) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            let name = caller?.registrant.name ?? ""
            let ofCaller = state.reservedByCallers[name, default: 0] + byteCount
            if let caller,
                let refusal = limits.refusal(
                    ofFileBytes: caller.byteCount + ofCaller,
                    of: caller.registrant
                )
            {
                return refusal
            }
            var reserved = state.reserved[app] ?? AttachmentOwnerRecord()
            reserved.count += files
            reserved.byteCount += byteCount
            if let refusal = limits.refusal(
                ofFiles: stored.count + reserved.count,
                bytes: stored.byteCount + reserved.byteCount
            ) {
                return refusal
            }
            state.reserved[app] = reserved
            if caller != nil { state.reservedByCallers[name] = ofCaller }
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Gives back room that ``reserve(_:files:for:beside:by:)`` took.
    func giveBack(_ byteCount: Int, files: Int, for app: String, by registrant: Registrant?) {
        state.withLock { state in
            if let name = registrant?.name, let ofCaller = state.reservedByCallers[name] {
                let rest = ofCaller - byteCount
                state.reservedByCallers[name] = rest > 0 ? rest : nil
            }
            guard var reserved = state.reserved[app] else { return }
            reserved.count -= files
            reserved.byteCount -= byteCount
            state.reserved[app] = reserved == AttachmentOwnerRecord() ? nil : reserved
        }
    }

    /// Accepts no more transfers, and ends the thread.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeup.signal()
        pacer.withLock { $0.take() }?.join()
    }

    /// Checks for stalled transfers, while there are any transfers.
    private func pace() {
        while true {
            let now = SystemTime.now().bootNanoseconds
            let (open, isStopped) = state.withLock { (Array($0.open.values), $0.isStopped) }
            if isStopped { return }
            let stall = limits.transferStallNanoseconds
            for transfer in open where transfer.isStalled(at: now) { transfer.stall() }
            let rest = min(stall, .nanosecondsPerSecond)
            wakeup.wait(untilBootNanoseconds: open.isEmpty ? nil : now + rest)
        }
    }
}

extension StoreLimits {
    /// Why an app may not have this many files or bytes; nil where it may.
    func refusal(ofFiles count: Int, bytes: Int) -> Refusal? {
        guard count <= attachmentsPerApp else {
            return .attachmentRoom("files", limit: attachmentsPerApp)
        }
        guard bytes <= attachmentBytesPerApp else {
            return .attachmentRoom("bytes", limit: attachmentBytesPerApp)
        }
        return nil
    }
}

extension Refusal {
    /// The app is at its limit of files or of their bytes (`UNErrorDomain` 104).
    fileprivate static func attachmentRoom(_ unit: String, limit: Int) -> Refusal {
        let message = """
            the app's attachments have at most \(limit) \(unit) together, and this one does \
            not fit: remove requests and notifications that hold some
            """
        return limitReached(UNErrorCode.attachmentMoveIntoDataStoreFailed.reason, limit, message)
    }

    /// The disk does not accept the file (`UNErrorDomain` 104).
    static func attachmentNotTaken(_ operation: String) -> Refusal {
        let code = UNErrorCode.attachmentMoveIntoDataStoreFailed
        return Refusal(
            code.kind,
            reason: code.reason,
            message: "the file could not be taken into the store: \(operation)"
        )
    }

    /// There are too many transfers: nothing happened, and a retry helps.
    static let tooManyTransfers = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: "the server has more files on their way than it takes: retry after the delay",
        retryAfterNanoseconds: 1_000_000_000
    )

    /// The client of the transfer is slower than the least rate.
    static let transferStalled = Refusal(
        .resourceExhausted,
        reason: .transferStalled,
        message: """
            the caller sent or took less than 16 KiB a second, or nothing for 30 s: nothing is \
            stored of what it sent
            """
    )
}
