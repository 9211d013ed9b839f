internal import Faults
package import NotificationCore

/// For whom the rows of a table count, so that nobody stores what is in no limit (W-11).
///
/// Each table has to say it: what a call can make the store keep counts for a caller, or is bounded
/// otherwise.
package enum RowAccount: Hashable, Sendable {
    /// For the center whose number begins the key, and so for who registered its app.
    ///
    /// `beside` is about how many bytes the rows take that go along in other tables.
    case center(beside: Int = 0)
    /// For the center whose app begins the key and whose device ends it, with zero bytes between.
    case namedCenter
    /// For the app whose name begins the key, up to a zero byte, and so for the caller that made
    /// the app store it.
    case app(beside: Int = 0)
    /// For the device whose name begins the key, up to a zero byte, and so for the caller that
    /// changed the device.
    case device(beside: Int = 0)
    /// With the request: it counts while it is pending, and as an event from then on.
    case request
    /// With the events of the center, as ``CenterState/eventBytes`` has them.
    case event
    /// With the rows of another table: there are a limited number of small rows for each of them.
    case with(TableName)
    /// For the caller that sent the key of the row.
    case key
    /// For nobody: no call adds rows beyond a number that the store limits.
    case bounded
}

extension TableName {
    /// For whom the rows of the table count.
    package var account: RowAccount {
        switch self {
        case .meta, .zoneVersions: .bounded
        // A row for each digest of two bytes.
        case .endedNumbers: .bounded
        // ``StoreLimits/endedTokens`` bounds those that have ended; the caller with most gives way.
        case .deviceTokens, .endedTokens: .bounded
        // A row for each command in slices that goes on, as many as may wait for the writer.
        case .openCommands: .bounded
        // A row for each caller, which the server's owner named.
        case .registrants: .bounded
        case .categories, .actionMeanings, .snoozed, .endedCallbacks, .serviceArrivals: .center()
        case .backgroundPushes, .backgroundWork, .locationAccess: .center()
        // With the row by which it is due, and the one by which an extension is asked.
        case .callbacks: .center(beside: 128)
        // With the center, its name, its expiry and its prompts.
        case .apps: .center(beside: 512)
        // With the row of their order.
        case .pushReceipts: .center(beside: 64)
        case .richInbox: .center()
        case .registrations, .tags: .namedCenter
        case .stringTables, .sounds: .app()
        case .attachmentOwners, .pushOwners, .tagPushOutcomes, .richAddressees: .app()
        // With the row of what is to be done about them.
        case .attachments, .tagPushes, .richPushes: .app(beside: 64)
        // With the row of the next change of its Focus.
        case .devices: .device(beside: 64)
        case .sensors, .sensorWork, .unlockWaits, .webPushes: .device()
        case .identifiers, .records, .dueElapsed, .dueWall, .zones, .attachmentUses: .request
        case .regions, .regionNames, .regionStates, .delivered, .released: .request
        case .events: .event
        case .extensionQuestions: .with(.callbacks)
        case .prompts, .leaving, .centers, .centerNumbers, .expiry: .with(.apps)
        case .focusChanges: .with(.devices)
        case .attachmentExpiry: .with(.attachments)
        case .pushOrder: .with(.pushReceipts)
        case .pushWork, .pushDates: .with(.tagPushes)
        case .accounts: .with(.stringTables)
        case .idempotency: .key
        case .keyOwners: .with(.idempotency)
        }
    }

    /// Whether the bytes of each row are counted where it is written.
    var countsRows: Bool {
        switch account {
        case .center, .namedCenter, .app, .device: !Fault.rowsOfCallersNotCounted.isPlanted
        case .request, .event, .with, .key, .bounded: false
        }
    }

    /// Whose row it is, and about how many bytes it takes; nil where rows are not counted here, or
    /// where the key is of nobody.
    package func count(
        of key: some Collection<UInt8>,
        bytes: Int
    ) -> (owner: RowOwner, byteCount: Int)? {
        let name: RowOwner?
        let beside: Int
        switch account {
        case .center(let rows):
            beside = rows
            name = (try? CenterNumber(Array(key.prefix(4)))).map { .center($0) }
        case .namedCenter:
            beside = 0
            let parts = key.split(separator: 0)
            guard let app = parts.first, let device = parts.last else { return nil }
            name =
                (try? CenterName(
                    app: String(decoding: app, as: UTF8.self),
                    device: String(decoding: device, as: UTF8.self)
                )).map { .named($0) }
        case .app(let rows):
            beside = rows
            name = .app(String(decoding: key.prefix { $0 != 0 }, as: UTF8.self))
        case .device(let rows):
            beside = rows
            name = .device(String(decoding: key.prefix { $0 != 0 }, as: UTF8.self))
        case .request, .event, .with, .key, .bounded: return nil
        }
        return name.map { ($0, RowOwner.rowByteCount + beside + key.count + bytes) }
    }
}

/// The app or device to which a row belongs.
package enum RowOwner: Hashable, Sendable {
    /// About how many bytes the file takes for each row, beside its key and its value.
    package static let rowByteCount = 32

    case center(CenterNumber)
    case named(CenterName)
    /// An app, on all devices.
    case app(String)
    case device(String)
}

/// The key of what an app or a device keeps: the kind, then the name.
package struct AccountKey: TableKey, Hashable {
    package let bytes: [UInt8]

    private static let app: UInt8 = 1
    private static let device: UInt8 = 2

    /// The key of an owner; nil for a center, whose state has the count.
    package init?(_ owner: RowOwner) {
        switch owner {
        case .center, .named: return nil
        case .app(let name): bytes = [Self.app] + Array(name.utf8)
        case .device(let name): bytes = [Self.device] + Array(name.utf8)
        }
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard let kind = bytes.first, kind == Self.app || kind == Self.device, bytes.count > 1
        else { throw .undecodable }
        self.bytes = bytes
    }
}

/// The bytes that an app or a device keeps in the store beside its centers, as the `accounts` table
/// has them.
package struct AccountRecord: TableRow, Equatable {
    /// The caller for whom they count, as ``Registrant/name`` has it; empty where they count for
    /// nobody.
    package var registrant = ""
    /// About how many bytes the rows take.
    package var byteCount = 0

    package init() {}

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32)
        writer.put(registrant)
        writer.put(byteCount)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        registrant = try reader.text()
        byteCount = try reader.number()
        guard byteCount >= 0, reader.isAtEnd else { throw .undecodable }
    }
}
