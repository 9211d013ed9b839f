package import NotificationCore
internal import NotificationRecords

/// Where an added request is, once it is durable (W-12).
package enum RequestState: Hashable, Sendable {
    /// The request waits for its trigger; for a place it waits without a date.
    case pending(nextFire: WallInstant?)
    /// The request fired, and the app is asked how to present it.
    case arriving
    /// The request was delivered by the `add`, with this delivery number.
    case delivered(DeliveryNumber)
    /// The request no longer exists: the limit of pending requests evicted it at once (D-2), or the
    /// app in front shows it itself (FG-3).
    case gone
}

/// The reply to an `add`.
package struct AddReply: Hashable, Sendable {
    package var identifier: String
    package var state: RequestState
    /// The pending requests that were evicted for the request, perhaps the added request itself.
    package var evicted: [String] = []
    package var number: RequestNumber = 0
    /// The newest event before the request was added.
    package var asOfEvent: EventNumber = 0
}

extension Store {
    /// Adds `request` to `center`, replacing a pending request with the same identifier
    /// (ADD-1..ADD-10).
    ///
    /// - Parameters:
    ///   - request: A request that passed ``NotificationRequest/validate()``.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told on a thread of the store once the reply is durable, or at once when the
    ///     queue is full.
    package func add(
        _ request: NotificationRequest,
        to center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<AddReply>
    ) {
        submit(AddCommand(center: center, request: request), once: key, completion)
    }

    /// Adds each valid request, in order; a refused request does not undo the others.
    ///
    /// Up to ``AddBatchCommand/rowsPerStep`` rows are one transaction; a larger batch takes
    /// several, and others are served between them. A retry with the same key goes on where a stop
    /// or a crash cut it.
    ///
    /// - Parameters:
    ///   - requests: The requests, or why one is refused already.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the result of each request, in their order, as in
    ///     ``add(_:to:completion:)``.
    package func addBatch(
        _ requests: [Result<NotificationRequest, Refusal>],
        to center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[Result<AddReply, Refusal>]>
    ) {
        submit(AddBatchCommand(center: center, requests: requests), once: key, completion)
    }
}

struct AddCommand: CenterCommand {
    let center: CenterName
    let request: NotificationRequest

    var cost: Int { request.rowCount }
    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<AddReply> {
        guard let center = try batch.center(center) else {
            return .done(.failure(.notRegistered(center)))
        }
        return .done(try center.add(request).mapError { $0.within([.request]) })
    }
}

struct AddBatchCommand: CenterCommand {
    /// How many rows a step touches: others wait for no more.
    static let rowsPerStep = 256

    let center: CenterName
    let requests: [Result<NotificationRequest, Refusal>]
    /// The results of the steps until now, for the first of the requests.
    var results: [Result<AddReply, Refusal>] = []

    var growth: Growth { .asked }

    var cost: Int {
        // Each has a row at least: a large batch is not looked through.
        guard requests.count < Self.rowsPerStep else { return Self.rowsPerStep }
        let rows = requests.reduce(0) { $0 + ((try? $1.get())?.rowCount ?? 1) }
        return max(1, min(Self.rowsPerStep, rows))
    }

    mutating func apply(
        to batch: Batch
    ) throws(StoreFailure) -> Step<[Result<AddReply, Refusal>]> {
        guard let center = try batch.center(center) else {
            return .done(.failure(.notRegistered(center)))
        }
        results.reserveCapacity(requests.count)
        var rows = 0
        while results.count < requests.count {
            let index = results.count
            switch requests[index] {
            case .success(let request):
                guard rows == 0 || rows + request.rowCount <= Self.rowsPerStep else {
                    return .more(.retry)
                }
                rows += request.rowCount
                let result = try center.add(request)
                results.append(result.mapError { $0.within(.element(index, of: .requests)) })
            case .failure(let refusal):
                guard rows < Self.rowsPerStep else { return .more(.retry) }
                rows += 1
                results.append(.failure(refusal))
            }
        }
        return .done(.success(results))
    }

    func writeProgress(to writer: inout ByteWriter) { results.write(to: &writer) }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        results = try Array(&reader)
    }
}

extension NotificationRequest {
    /// How many rows adding it touches, about: one that fires at once has a delivery and its events
    /// beside its own, and a large one counts by its size.
    fileprivate var rowCount: Int {
        (trigger == nil ? 8 : 1) + content.attachments.count + content.byteCount / 1_024
    }
}

extension CenterWork {
    /// Adds one request: the replacement matrix of §6.3.
    fileprivate func add(
        _ given: NotificationRequest
    ) throws(StoreFailure) -> Result<AddReply, Refusal> {
        let identifier = try identifier(given.identifier)
        let (due, request): (Due?, NotificationRequest)
        switch try accept(given, as: identifier) {
        case .success(let accepted): (due, request) = accepted
        case .failure(let refusal):
            batch.counts.refusedAdds += 1
            return .failure(refusal)
        }
        let reply = try put(request, due, as: identifier)
        // Count now, so that the limit refuses the next add of the batch.
        try countStoreBytes()
        return .success(reply)
    }

    /// Stores a request that is accepted, and fires it where it has no trigger.
    private func put(
        _ request: NotificationRequest,
        _ due: Due?,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> AddReply {
        let asOfEvent = state.lastEvent
        // Tell of it: nothing else tells those who wait for an answer that the request is gone.
        if try records.takePending(identifier) { named.append(identifier.name) }
        let stored = try records.store(request)
        let sequence = stored.sequence
        try batch.attachments.hold(of: request, sequence, name.app)
        batch.counts.adds += 1
        var reply = AddReply(identifier: request.identifier, state: .gone)
        reply.number = sequence
        reply.asOfEvent = asOfEvent
        guard request.trigger != nil else {
            reply.state = try occurrences.fireNow(request.head, stored, as: identifier)
            return reply
        }
        let pending = IdentifierRecord.Pending(sequence: sequence, due: due)
        identifier.record.pending = pending
        try schedule.put(pending, request.trigger, base: batch.now.elapsed)
        state.countPending(request.storedByteCount)
        reply.state = .pending(nextFire: due?.date(asOf: batch.now))
        if state.pendingCount > batch.limits.pendingPerCenter {
            try evictPending(for: &reply)
        }
        return reply
    }

    /// Gives when a request fires first, and the request with the types of its attachments; or the
    /// refusal.
    private func accept(
        _ given: NotificationRequest,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> Result<(Due?, NotificationRequest), Refusal> {
        let resolved = try batch.attachments.resolve(given, for: name.app)
        let firstFire = try schedule.firstFire(of: given)
        let mayCommunicate = try mayCommunicate(given)
        let misplaced = try regions.refusal(of: given, as: identifier)
        let replaced = identifier.record.pending?.sequence
        let tooMuch = try storeBytesRefusal(
            of: given.storedByteCount,
            replacing: replaced
        )
        return Result { () throws(Refusal) in
            let first = try firstFire.get()
            try state.checkAllowed()
            var request = try resolved.get()
            request.trigger = first?.trigger
            try state.checkAdd(
                trigger: request.trigger,
                replacesPending: replaced != nil,
                pendingLimit: batch.limits.pendingRefused
            )
            if let misplaced { throw misplaced }
            guard mayCommunicate else { throw .communicationNotAllowed }
            if let tooMuch { throw tooMuch }
            guard batch.hasRoomForAdds else { throw .storeFull }
            return (first?.due, request)
        }
    }

    /// Whether the app may send a request in the name of a person who wrote or called.
    private func mayCommunicate(_ request: NotificationRequest) throws(StoreFailure) -> Bool {
        guard batch.profile.communicationNeedsEntitlement, request.content.communication != nil
        else { return true }
        return try app().registration.entitlements.contains(.communication)
    }
}
