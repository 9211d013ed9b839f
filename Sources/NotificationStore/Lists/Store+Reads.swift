internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

package struct StoreUsage: Hashable, Sendable {
    /// Bytes of the file that hold rows.
    package var usedBytes: Int
    /// Bytes that the file takes on the disk.
    package var fileBytes: Int
    package var freeDiskBytes: Int
    /// Bytes of address space that the file may grow to.
    package var mapBytes: Int
    /// Bytes of rows before adds are refused.
    package var limitBytes: Int
    /// Requests kept.
    package var records: Int
    /// Requests that are pending.
    package var pending: Int
    /// Requests that are arriving.
    package var arriving: Int
    /// Notifications in the delivered lists.
    package var delivered: Int
    /// Events kept.
    package var events: Int
    package var centers: Int
    /// Commands that wait for the writer.
    package var queuedCommands: Int
    /// The most commands that waited at once.
    package var longestQueue: Int
    /// Idempotency keys made at this time or before, in milliseconds since 1970, are refused; 0
    /// refuses none.
    package var idempotencyFloorMilliseconds: Int64
}

/// The end of a center's log at one instant.
package struct LogEnd: Sendable {
    package let number: CenterNumber
    /// The center, with its first and last event.
    package let center: CenterState
    /// A number that is not less than the number of any callback of the center.
    package let newestCallback: CallbackNumber
}

extension Store {
    package var reader: StoreReader {
        StoreReader(
            environment: environment,
            tables: tables,
            limits: limits,
            profile: profile,
            damage: damage,
            board: context.board
        )
    }

    /// Reads a center's settings, badge and counts.
    ///
    /// A point read: it runs on the calling thread.
    ///
    /// - Throws: ``Refusal/notRegistered(_:)``, or that the store failed.
    package func center(_ name: CenterName) throws(Refusal) -> CenterState {
        try registered(name).center
    }

    package func number(of name: CenterName) throws(Refusal) -> CenterNumber {
        try registered(name).number
    }

    /// Reads the first and the last number of a center's log.
    ///
    /// - Throws: ``Refusal/notRegistered(_:)``, or that the store failed.
    package func end(of name: CenterName) throws(Refusal) -> LogEnd {
        try damage.orRefuse {
            let end = try environment.reading { transaction throws(StoreFailure) -> LogEnd? in
                guard let number = try transaction.rowIfAny(name, in: tables.centerNumbers) else {
                    return nil
                }
                return LogEnd(
                    number: number,
                    center: try transaction.center(number, tables),
                    newestCallback: CallbackNumber(
                        rawValue: try transaction.state(tables).nextSequence - 1
                    )
                )
            }
            guard let end else { throw Refusal.notRegistered(name) }
            return end
        }
    }

    private func registered(
        _ name: CenterName
    ) throws(Refusal) -> (number: CenterNumber, center: CenterState) {
        try damage.orRefuse {
            guard let found = try reader.center(name) else { throw Refusal.notRegistered(name) }
            return found
        }
    }

    /// Reads a page of a center's pending requests; `completion` runs on a reader thread.
    package func listPending(
        _ query: ListQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<Page<PendingRequest>>
    ) {
        list(query, caller, completion) { list throws(StoreFailure) in
            switch query.order {
            case .nextFireDate: try list.pendingByDate()
            default: try list.page(list.pending)
            }
        }
    }

    /// Reads a page of the dates at which a center's pending requests will fire; `completion` runs
    /// on a reader thread.
    package func listUpcoming(
        _ query: ListQuery,
        _ window: UpcomingWindow,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<Page<UpcomingRequest>>
    ) {
        list(query, caller, completion) { [zones = context.zones] list throws(StoreFailure) in
            try list.upcoming(window, on: query.center.device, zones)
        }
    }

    /// Reads a page of a center's delivered notifications; `completion` runs on a reader thread.
    package func listDelivered(
        _ query: ListQuery,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<Page<DeliveredNotification>>
    ) {
        list(query, caller, completion) { list throws(StoreFailure) in
            switch query.order {
            case .newestFirst: try list.deliveredNewestFirst()
            default: try list.deliveredByIdentifier()
            }
        }
    }

    private func list<Entry>(
        _ query: ListQuery,
        _ caller: ReadCaller,
        _ completion: @escaping Completion<Page<Entry>>,
        _ read: @escaping @Sendable (ListReader) throws(StoreFailure) -> Page<Entry>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in try page(query, read) }
    }

    private func page<Entry>(
        _ query: ListQuery,
        _ read: (ListReader) throws(StoreFailure) -> Page<Entry>
    ) throws(Refusal) -> Page<Entry> {
        try damage.orRefuse {
            guard let (number, center) = try reader.center(query.center) else {
                throw Refusal.notRegistered(query.center)
            }
            if query.order == .nextFireDate && center.pendingCount > limits.pendingSortedByDate {
                throw Refusal.tooManyToSort(limits.pendingSortedByDate)
            }
            return try read(
                ListReader(
                    reader: reader,
                    query: query,
                    number: number,
                    asOfEvent: center.lastEvent,
                    now: clock.now()
                )
            )
        }
    }

    package var counts: Counts { writer.currentCounts() }

    /// Reads how full the store is: a few point reads, on the calling thread.
    ///
    /// - Throws: That the store failed.
    package func usage() throws(Refusal) -> StoreUsage {
        try damage.orRefuse {
            try environment.reading { transaction throws(StoreFailure) in
                let statistics = environment.statistics
                let freePages = try StoreFailure.ofLMDB(try transaction.freePageCount())
                let disk = DiskSpace(ofFile: path)
                let state = try transaction.state(tables)
                let totals = state.totals
                return StoreUsage(
                    usedBytes: (statistics.usedPageCount - freePages) * statistics.pageByteCount
                        + tables.keeper.unmergedByteCount,
                    fileBytes: DiskSpace.bytes(ofFile: path) ?? 0,
                    freeDiskBytes: disk?.freeBytes ?? 0,
                    mapBytes: statistics.mapByteCount,
                    limitBytes: space.limitBytes,
                    records: try transaction.rowCount(of: tables.records) - state.released.count,
                    pending: totals.pending,
                    arriving: totals.arriving,
                    delivered: totals.delivered,
                    events: totals.events,
                    centers: try transaction.rowCount(of: tables.centers),
                    queuedCommands: writer.queue.count,
                    longestQueue: writer.queue.longest,
                    idempotencyFloorMilliseconds: state.idempotencyFloorMilliseconds
                )
            }
        }
    }
}

extension Refusal {
    static func tooManyToSort(_ limit: Int) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: .listTooLarge,
            message: """
                the center has more than \(limit) pending requests: \
                list them in identifier order
                """,
            fields: [
                WrongField([.order], "by next fire date up to \(limit) pending requests only")
            ],
            namesFields: false,
            facts: [.limit: "\(limit)"]
        )
    }
}
