internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

// The rows of which a device's list is made, in transactions of a few hundred each.

/// An app of a device, with all that the rendering of its notifications needs.
///
/// Used by one thread.
package struct DeviceApp {
    let number: CenterNumber
    package let center: CenterState
    package let registration: AppRegistration
    /// How the person groups the notifications of this app.
    package let grouping: GroupingMode
    /// The location permission of this app, beside the device's.
    package let locationPermission: LocationPermission
    /// The open prompt of this app; nil is none.
    package let prompt: AuthorizationPrompt?
    /// The app's texts in the person's languages.
    let texts: AppStrings

    /// The texts that were looked up so far.
    package var strings: LocalizedStrings { texts.strings }
}

/// How a notification came into the list.
package struct ListedHow: Hashable, Sendable {
    /// Whether it waits for the summary.
    package var isHeld = false
    /// The name of the Focus that kept it quiet; nil where none did.
    package var silencingFocus: String?
}

extension StoreReader {
    package func device(_ name: String) throws(ReadError) -> DeviceState {
        try environment.reading { transaction throws(StoreFailure) in
            try transaction.device(name, tables)
        }
    }

    /// The next apps of a device, in one transaction, by name.
    ///
    /// `state` is the device's state. `names` are the requested apps; empty is all. `place` is the
    /// app after which to go on; nil at the beginning.
    ///
    /// - Returns: The apps, and the place after them; nil at the end.
    package func apps(
        of device: String,
        in state: DeviceState,
        // Bounded: names of apps, which were validated.
        named names: Set<String>,
        after place: CenterName?
    ) throws(ReadError) -> (apps: [(name: String, app: DeviceApp)], place: CenterName?) {
        let table = tables.centerNumbers
        return try environment.reading { transaction throws(StoreFailure) in
            var rows: [(key: CenterName, row: CenterNumber)] = []
            let next: CenterName?
            if names.isEmpty {
                let limit = limits.rowsPerRead
                rows = try transaction.rows(in: table, .device(device), after: place, atMost: limit)
                next = rows.count == limit ? rows.last?.key : nil
            } else {
                // Bounded: names of apps, which were validated.
                let keys = names.compactMap { try? CenterName(app: $0, device: device) }
                    .sorted { $0.app < $1.app }
                let rest = keys.drop { key in place.map { !($0.app < key.app) } ?? false }
                for key in rest.prefix(limits.rowsPerRead) {
                    let number = try transaction.rowIfAny(key, in: table)
                    if let number { rows.append((key, number)) }
                }
                next = rest.count > limits.rowsPerRead ? rest.prefix(limits.rowsPerRead).last : nil
            }
            var apps: [(name: String, app: DeviceApp)] = []
            for (name, number) in rows {
                apps.append((name.app, try app(name.app, number, state, in: transaction)))
            }
            return (apps, next)
        }
    }

    private func app(
        _ name: String,
        _ number: CenterNumber,
        _ state: DeviceState,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> DeviceApp {
        let center = try transaction.center(number, tables)
        let prompt = try center.openPrompt.flatMap { prompt throws(StoreFailure) in
            try transaction.rowIfAny(prompt, in: tables.prompts)
        }
        let record = try transaction.rowIfAny(number, in: tables.apps)
        let registration = record?.registration ?? AppRegistration()
        return DeviceApp(
            number: number,
            center: center,
            registration: registration,
            grouping: record?.grouping ?? .automatic,
            locationPermission: try transaction.locationPermission(of: number, tables),
            prompt: prompt?.prompt,
            texts: AppStrings(app: name, on: state, development: registration.language)
        )
    }

    /// Reads the next rows of an app's list, in one transaction, with only those parts of each
    /// content that groups and summaries need.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - delivery: The delivery after which to go on; nil at the beginning.
    ///   - list: The notifications are appended to it.
    /// - Returns: The delivery for the next call; nil at the end.
    /// - Throws: That the store failed, or that a row is damaged.
    package func readList(
        of app: DeviceApp,
        after delivery: DeliveryNumber?,
        into list: inout [ListedNotification]
    ) throws(ReadError) -> DeliveryNumber? {
        let rows = try environment.reading { transaction throws(StoreFailure) in
            try transaction.rows(
                in: tables.delivered,
                .center(app.number),
                after: delivery.map { DeliveryKey($0, of: app.number) },
                atMost: limits.rowsPerRead
            ).map { key, row throws(StoreFailure) in
                let request = try transaction.row(row.sequence, in: tables.records).request
                return ListedNotification(
                    app: app.center.name.app,
                    identifier: request.identifier,
                    delivery: key.number,
                    date: row.date,
                    content: request.content.forGroups
                )
            }
        }
        list += rows
        return rows.count == limits.rowsPerRead ? rows.last?.delivery : nil
    }

    /// The content of a notification, with its texts looked up, and how it came into the list; nil
    /// where it no longer exists.
    ///
    /// `delivery` is the number of the delivery. `known` is the content of a notification without
    /// an entry in the list.
    ///
    /// - Returns: Both; what has no entry in the list came into it in no special way.
    package func content(
        of delivery: DeliveryNumber,
        in app: DeviceApp,
        known: NotificationContent? = nil
    ) throws(ReadError) -> (NotificationContent, ListedHow)? {
        try environment.reading { transaction throws(StoreFailure) in
            var how = ListedHow()
            var content = known
            if content == nil {
                let key = DeliveryKey(delivery, of: app.number)
                guard let row = try transaction.rowIfAny(key, in: tables.delivered) else {
                    return nil
                }
                how = ListedHow(isHeld: row.isHeld, silencingFocus: row.silencingFocus)
                content = try transaction.row(row.sequence, in: tables.records).request.content
            }
            guard let content else { return nil }
            try app.texts.lookUp(content.localizationKeys, tables, in: transaction)
            return (content, how)
        }
    }

    /// The open presentation of an identifier, as of the last commit.
    package func presentation(_ identifier: PresentationIdentifier) -> OpenPresentation? {
        board.current[identifier]
    }

    /// The notifications that are open on a device, as of the last commit.
    package func presentations(on device: String) -> [OpenPresentation] {
        board.current.on(device: device)
    }

    /// The content of an open notification; nil where it is no longer kept.
    package func content(
        of presentation: OpenPresentation
    ) throws(ReadError) -> NotificationContent? {
        try environment.reading { transaction throws(StoreFailure) in
            try transaction.keptRecord(presentation.source.sequence, tables)?.request.content
        }
    }

    /// Looks up the texts of buttons.
    package func lookUp(_ actions: [NotificationAction], of app: DeviceApp) throws(ReadError) {
        let keys = actions.compactMap { $0.localizedTitle?.key }
        guard !keys.isEmpty else { return }
        try environment.reading { transaction throws(StoreFailure) in
            try app.texts.lookUp(keys, tables, in: transaction)
        }
    }

    /// A category of an app, with its texts looked up.
    package func category(
        _ identifier: String,
        of app: DeviceApp
    ) throws(ReadError) -> NotificationCategory? {
        try environment.reading { transaction throws(StoreFailure) in
            let category = try transaction.category(identifier, of: app.number, tables)
            try app.texts.lookUp(category?.localizationKeys ?? [], tables, in: transaction)
            return category
        }
    }
}

extension NotificationContent {
    /// The parts of the content that groups and summaries need: the whole contents of a long list
    /// would not fit in memory.
    fileprivate var forGroups: NotificationContent {
        var content = NotificationContent()
        content.threadIdentifier = threadIdentifier
        content.categoryIdentifier = categoryIdentifier
        content.summaryArgument = summaryArgument
        content.summaryArgumentCount = summaryArgumentCount
        content.communication = communication
        return content
    }
}
