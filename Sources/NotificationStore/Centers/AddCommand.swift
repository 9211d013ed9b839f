internal import BelfryLMDB
public import NotificationCore

/// Where an added request is, once it is durable (W-12).
public enum RequestState: Hashable, Sendable {
    /// It waits for its trigger.
    case pending(nextFire: WallInstant)
    /// It fired, and the app is asked how to present it.
    case arriving
    /// It was delivered by the `add`, under this number.
    case delivered(UInt64)
    /// It is nowhere: the limit of pending requests evicted it at once (D-2), or the
    /// app in front shows it itself (FG-3).
    case gone
}

/// The reply to an `add`.
public struct AddReply: Hashable, Sendable {
    /// The request's identifier.
    public var identifier: String
    /// Where it is.
    public var state: RequestState
    /// The pending requests that had to go for it, the added one perhaps among them.
    public var evicted: [String] = []
}

extension Store {
    /// Adds `request` to `center`, replacing a pending request of its identifier (ADD-1..ADD-10).
    ///
    /// - Parameters:
    ///   - request: A request that passed ``NotificationRequest/validate()``.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told on the writer thread once the reply is durable, or at once when the
    ///     queue is full.
    public func add(
        _ request: NotificationRequest,
        to center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<AddReply>
    ) {
        submit(AddCommand(center: center, request: request), once: key, completion)
    }

    /// Adds each request that is well-formed in one transaction; a refused one undoes no other.
    ///
    /// - Parameters:
    ///   - requests: The requests, or why one is refused already.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the result of each, in their order, as in ``add(_:to:completion:)``.
    public func addBatch(
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

    var cost: Int { 1 + request.content.attachments.count }
    static var changesItself: Bool { false }

    func apply(to batch: Batch) throws(LMDBError) -> Step<AddReply> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        let result = try batch.add(request, to: number)
        return .done(result.mapError { $0.prefixed("request.") })
    }
}

struct AddBatchCommand: CenterCommand {
    let center: CenterName
    let requests: [Result<NotificationRequest, Refusal>]

    var cost: Int {
        max(1, requests.reduce(0) { $0 + 1 + ((try? $1.get())?.content.attachments.count ?? 0) })
    }
    static var changesItself: Bool { false }

    func apply(to batch: Batch) throws(LMDBError) -> Step<[Result<AddReply, Refusal>]> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var results: [Result<AddReply, Refusal>] = []
        results.reserveCapacity(requests.count)
        for (index, request) in requests.enumerated() {
            switch request {
            case .success(let request):
                let result = try batch.add(request, to: number)
                results.append(result.mapError { $0.prefixed("requests[\(index)].") })
            case .failure(let refusal):
                results.append(.failure(refusal))
            }
        }
        return .done(.success(results))
    }
}

extension Batch {
    /// Adds one request: the replacement matrix of §6.3.
    fileprivate func add(
        _ given: NotificationRequest,
        to number: UInt32
    ) throws(LMDBError) -> Result<AddReply, Refusal> {
        let resolved = try resolveAttachments(of: given, to: number)
        var center = try center(number)
        let key = Key.identifier(given.identifier, center: number)
        var identifier = try transaction.identifierRecord(key: key, tables)
        // Only a date needs to know the device's zone.
        let device =
            given.trigger?.timeZone == nil
            ? DeviceState() : try device(of: center)
        let mayCommunicate = try mayCommunicate(given, number)
        var due: Due?
        let request: NotificationRequest
        do throws(Refusal) {
            due = try firstFire(of: given, on: device)
            try center.checkAllowed()
            request = try resolved.get()
            try center.checkAdd(
                trigger: request.trigger,
                replacesPending: identifier.pending != nil,
                pendingLimit: limits.pendingRefused
            )
            guard mayCommunicate else { throw .communicationNotAllowed }
            guard hasRoomForAdds else { throw .storeFull }
        } catch {
            counts.refusedAdds += 1
            return .failure(error)
        }

        if let replaced = identifier.pending.take() {
            try forget(replaced, identifier, center, number)
            center.pendingCount -= 1
        }
        let (sequence, record) = try store(request, center: number)
        try holdAttachments(of: request, sequence, center.name.app)
        counts.adds += 1
        var reply = AddReply(identifier: request.identifier, state: .gone)
        if let due {
            let pending = IdentifierRecord.Pending(sequence: sequence, due: due)
            identifier.pending = pending
            try schedule(pending, record)
            center.pendingCount += 1
            reply.state = .pending(nextFire: due.date(asOf: now))
        } else {
            reply.state = try fireNow(
                request,
                sequence,
                for: &identifier,
                center: &center,
                number: number
            )
        }
        try setIdentifier(key: key, to: identifier)
        if center.pendingCount > limits.pendingPerCenter, due != nil {
            try evictPending(for: &reply, center: &center, number: number)
        }
        setCenter(number, center)
        return .success(reply)
    }

    /// Fires a request that has no trigger, and gives where it is then.
    private func fireNow(
        _ request: NotificationRequest,
        _ sequence: UInt64,
        for identifier: inout IdentifierRecord,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) -> RequestState {
        let lastDelivery = center.lastDelivery
        try settle(
            center.outcome(
                of: request.content,
                on: try device(of: center),
                while: presence(of: number)
            ),
            of: .init(sequence: sequence, lateByNanoseconds: 0, collapsedCount: 0),
            request,
            for: &identifier,
            center: &center,
            number: number
        )
        if identifier.arriving?.sequence == sequence { return .arriving }
        return center.lastDelivery > lastDelivery ? .delivered(center.lastDelivery) : .gone
    }

    /// Whether an app may say so if a request says that a person wrote or called.
    private func mayCommunicate(
        _ request: NotificationRequest,
        _ number: UInt32
    ) throws(LMDBError) -> Bool {
        guard profile.communicationNeedsEntitlement, request.content.communication != nil else {
            return true
        }
        return try app(of: number).registration.entitlements
            .contains(.communication)
    }

    /// Finds when a new request fires first; nil is now.
    private func firstFire(
        of request: NotificationRequest,
        on device: DeviceState
    ) throws(Refusal) -> Due? {
        guard let trigger = request.trigger else { return nil }
        var rules = ZoneRules.utc
        if let name = trigger.timeZone {
            guard let zone = try zones.find(zoneName(name, on: device)) else {
                throw .timeZoneUnknown("trigger.calendar.date_components.time_zone")
            }
            rules = zone.rules
        }
        guard let due = trigger.nextFire(base: now.elapsed, after: now, in: rules) else {
            throw .noDate("trigger.calendar.date_components")
        }
        return due
    }
}
