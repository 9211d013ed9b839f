internal import BelfryLMDB
internal import Faults
package import NotificationCore
package import NotificationRecords

package struct NewRichPush: Hashable, Sendable {
    package var app: String
    package var expression: TagExpression
    /// The message that apps are notified with.
    package var message: String
    /// The payload's type, which the app chooses.
    package var richType: String
    /// The attachment that is the payload, stored for a rich push.
    package var attachment: String
    package var trace: TraceContext?

    /// The content of the push that announces the rich push: it shows nothing.
    func announcement(as number: RichPushNumber) -> TagPushContent {
        var headers = PushHeaders()
        headers.type = .background
        headers.trace = trace
        return TagPushContent(
            headers: headers,
            payload: RichPush.announcement(of: number, message: message, richType: richType)
        )
    }

    package init(
        app: String,
        expression: TagExpression,
        message: String,
        richType: String,
        attachment: String
    ) {
        self.app = app
        self.expression = expression
        self.message = message
        self.richType = richType
        self.attachment = attachment
    }
}

package struct RichPushReply: Hashable, Sendable {
    /// Its number among those of its app.
    package var number: RichPushNumber
    /// The announcement's push.
    package var push: TagPushNumber
}

extension Store {
    /// Keeps a rich push, and pushes to the devices that it is for that it can be fetched (AZ-10).
    ///
    /// `registrant` is for whom it counts; nil for a caller without a limit. `completion` is told
    /// its number and the number of its push, once both are durable; `PAYLOAD_TOO_LARGE`,
    /// `PUSH_LIMIT`, or `UNErrorDomain` 101 or 103 for the attachment.
    package func createRichPush(
        _ new: NewRichPush,
        by registrant: Registrant? = nil,
        once key: OnceKey? = nil,
        completion: @escaping Completion<RichPushReply>
    ) {
        submit(CreateRichPushCommand(new: new, registrant: registrant), once: key, completion)
    }

    /// Marks a rich push as read on a device.
    ///
    /// `completion` is told since when it is read; `RICH_PUSH_NOT_FOUND`.
    package func markRichPushRead(
        _ number: RichPushNumber,
        on center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<WallInstant>
    ) {
        submit(MarkRichPushReadCommand(center: center, number: number), once: key, completion)
    }

    /// Reads a rich push that a device was sent.
    ///
    /// A point read: it runs on the calling thread.
    ///
    /// - Throws: `APP_NOT_REGISTERED`, `RICH_PUSH_NOT_FOUND`, or that the store failed.
    package func richPush(
        _ number: RichPushNumber,
        on center: CenterName
    ) throws(Refusal) -> RichPush {
        try foundRichPush(number, on: center).richPush
    }

    /// Begins the download of a rich push's payload.
    ///
    /// `offset` is where in the payload to begin. `onStall` is as for an attachment's download.
    ///
    /// - Returns: What it is, and the download, which gives the bytes.
    /// - Throws: As ``richPush(_:on:)`` and as for an attachment's download.
    package func downloadRichPush(
        _ number: RichPushNumber,
        on center: CenterName,
        from offset: UInt64,
        onStall: @escaping @Sendable (Refusal) -> Void = { _ in }
    ) throws(Refusal) -> (richPush: RichPush, download: AttachmentDownload) {
        let found = try foundRichPush(number, on: center)
        let download = try download(
            found.attachment.text,
            of: center.app,
            from: offset,
            onStall: onStall
        )
        return (found.richPush, download)
    }

    private func foundRichPush(
        _ number: RichPushNumber,
        on center: CenterName
    ) throws(Refusal) -> (richPush: RichPush, attachment: AttachmentIdentifier) {
        try damage.orRefuse {
            let found = try environment.reading {
                transaction throws(StoreFailure)
                    -> Result<(RichPush, AttachmentIdentifier), Refusal> in
                guard let known = try transaction.rowIfAny(center, in: tables.centerNumbers) else {
                    return .failure(.notRegistered(center))
                }
                let key = RichInboxKey(number, of: known)
                let other = Fault.richPushForAnyone.isPlanted ? RichInboxRecord() : nil
                guard let row = try transaction.rowIfAny(key, in: tables.richInbox) ?? other,
                    let found = try transaction.richPush(key, row, of: center.app, tables)
                else { return .failure(.richPushNotFound) }
                return .success(found)
            }
            return try found.get()
        }
    }

    /// Reads a page of a device's rich pushes, the newest first; `completion` runs on a reader
    /// thread.
    ///
    /// - Parameters:
    ///   - center: The app and the device.
    ///   - unreadOnly: Whether those that the device has read are left out.
    ///   - pageSize: How many the page has at most.
    ///   - token: The ``Page/nextToken`` of the page before; nil for the first page.
    ///   - caller: The caller that waits for the page.
    ///   - completion: Told the page; `APP_NOT_REGISTERED`.
    package func listRichPushes(
        on center: CenterName,
        unreadOnly: Bool,
        pageSize: Int,
        token: [UInt8]?,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<Page<RichPush>>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in
            try damage.orRefuse {
                guard let found = try reader.center(center) else {
                    throw Refusal.notRegistered(center)
                }
                var page = Page<RichPush>(
                    entries: [],
                    nextToken: token,
                    asOfEvent: found.center.lastEvent
                )
                try reader.fill(
                    &page,
                    of: center.app,
                    found.number,
                    unreadOnly: unreadOnly,
                    pageSize
                )
                return page
            }
        }
    }
}

extension StoreReader {
    fileprivate func fill(
        _ page: inout Page<RichPush>,
        of app: String,
        _ center: CenterNumber,
        unreadOnly: Bool,
        _ pageSize: Int
    ) throws(StoreFailure) {
        var position = page.nextToken.flatMap { try? RichInboxKey(center.bytes + $0) }
        page.nextToken = nil
        var (rowCount, byteCount) = (0, 0)
        while true {
            let found = try environment.reading { transaction throws(StoreFailure) in
                try transaction.lastRows(
                    in: tables.richInbox,
                    .center(center),
                    before: position,
                    atMost: limits.rowsPerRead
                ).map { key, row throws(StoreFailure) in
                    (key, try transaction.richPush(key, row, of: app, tables)?.richPush)
                }
            }
            for (key, richPush) in found {
                guard let richPush, !unreadOnly || richPush.readAt == nil else { continue }
                guard page.entries.count < pageSize, byteCount < limits.bytesPerPage else {
                    return
                }
                page.entries.append(richPush)
                byteCount += 64 + richPush.message.utf8.count + richPush.richType.utf8.count
                // Give a token only where a further rich push is found.
                page.nextToken = key.number.bytes
            }
            rowCount += found.count
            guard found.count == limits.rowsPerRead, let last = found.last?.0 else {
                page.nextToken = nil
                return
            }
            guard rowCount < limits.rowsPerPage else {
                page.nextToken = last.number.bytes
                return
            }
            position = last
        }
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// A rich push as a device sees it, with its file; nil while it is being removed.
    fileprivate func richPush(
        _ key: RichInboxKey,
        _ row: RichInboxRecord,
        of app: String,
        _ tables: Tables
    ) throws(StoreFailure) -> (richPush: RichPush, attachment: AttachmentIdentifier)? {
        let record = try self.row(RichPushKey(key.number, of: app), in: tables.richPushes)
        guard let attachment = record.attachment else { return nil }
        let richPush = RichPush(
            number: key.number,
            message: record.message,
            richType: record.richType,
            mediaType: record.mediaType,
            byteCount: record.byteCount,
            createdAt: record.createdAt,
            readAt: row.readAt
        )
        return (richPush, attachment)
    }
}

struct CreateRichPushCommand: Command {
    let new: NewRichPush
    let registrant: Registrant?

    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<RichPushReply> {
        .done(.success(try batch.richPushes.create(new)))
    }
}

struct MarkRichPushReadCommand: CenterCommand {
    let center: CenterName
    let number: RichPushNumber

    static var changesItself: Bool { false }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<WallInstant> {
        let center = try batch.registered(center)
        guard let readAt = try batch.richPushes.markRead(number, on: center) else {
            return .done(.failure(.richPushNotFound))
        }
        return .done(.success(readAt))
    }
}

extension RichPushReply: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(number)
        writer.put(push)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        number = try reader.serial()
        push = try reader.serial()
    }
}
