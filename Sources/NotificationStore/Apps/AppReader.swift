internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// An app on a device, as its device shows it.
package struct InstalledApp: Hashable, Sendable {
    /// The center's settings, badge and newest event.
    package var center: CenterState
    package var registration: AppRegistration
    /// How the person groups this app's notifications.
    package var grouping: GroupingMode
    /// The app's own location permission, beside that of the device.
    package var locationPermission: LocationPermission
}

extension Store {
    /// Reads a page of a device's apps, by the bytes of their identifiers; `completion` runs on a
    /// reader thread.
    ///
    /// `pageSize` is how many apps the page has at most. `token` is the ``AppListPage/nextToken``
    /// of the page before; nil for the first page. `completion` is told the page, which is empty
    /// for a device without apps.
    package func listApps(
        on device: String,
        pageSize: Int,
        token: [UInt8]?,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<AppListPage<InstalledApp>>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in
            try damage.orRefuse {
                try reader.apps(on: device, pageSize: pageSize, after: token)
            }
        }
    }
}

extension StoreReader {
    fileprivate func apps(
        on device: String,
        pageSize: Int,
        after token: [UInt8]?
    ) throws(StoreFailure) -> AppListPage<InstalledApp> {
        var page = AppListPage<InstalledApp>(entries: [], nextToken: nil)
        var byteCount = 0
        var position = token.flatMap { token in
            try? CenterName(app: String(decoding: token, as: UTF8.self), device: device)
        }
        while true {
            let found = try environment.reading { transaction throws(StoreFailure) in
                try apps(on: device, after: position, in: transaction)
            }
            for app in found {
                guard page.entries.count < pageSize, byteCount < limits.bytesPerPage else {
                    return page
                }
                page.entries.append(app)
                byteCount += Self.byteCount(of: app)
                // Returned only where a further app is found.
                page.nextToken = Array(app.center.name.app.utf8)
            }
            guard found.count == limits.rowsPerRead else {
                page.nextToken = nil
                return page
            }
            position = found.last?.center.name
        }
    }

    private func apps(
        on device: String,
        after position: CenterName?,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> [InstalledApp] {
        try transaction.rows(
            in: tables.centerNumbers,
            .device(device),
            after: position,
            atMost: limits.rowsPerRead
        ).map { _, number throws(StoreFailure) in
            let app = try transaction.rowIfAny(number, in: tables.apps)
            return InstalledApp(
                center: try transaction.center(number, tables),
                registration: app?.registration ?? AppRegistration(),
                grouping: app?.grouping ?? .automatic,
                locationPermission: try transaction.locationPermission(of: number, tables)
            )
        }
    }

    private static func byteCount(of app: InstalledApp) -> Int {
        128 + app.registration.names.values.reduce(0) { max($0, $1.utf8.count) }
    }
}
