internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

package struct SnoozedRow: Sendable {
    /// The notification with its whole content; its date is that of the delivery.
    package var notification: ListedNotification
    /// When it comes back.
    package var due: Due
}

extension StoreReader {
    /// The snoozed notifications of an app in the order of their deliveries: at most
    /// ``StoreLimits/snoozedPerCenter``.
    ///
    /// `position` is the delivery after which the list goes on; 0 at the beginning.
    ///
    /// - Returns: The notifications.
    package func snoozed(
        of app: DeviceApp,
        after position: DeliveryNumber,
        atMost limit: Int
    ) throws(ReadError) -> [SnoozedRow] {
        try environment.reading { transaction throws(StoreFailure) in
            try transaction.rows(
                in: tables.snoozed,
                .center(app.number),
                after: DeliveryKey(position, of: app.number),
                atMost: limit
            ).map { key, row throws(StoreFailure) in
                let request = try transaction.row(row.sequence, in: tables.records).request
                let notification = ListedNotification(
                    app: app.center.name.app,
                    identifier: request.identifier,
                    delivery: key.number,
                    date: row.date,
                    content: request.content
                )
                return SnoozedRow(notification: notification, due: row.due)
            }
        }
    }
}
