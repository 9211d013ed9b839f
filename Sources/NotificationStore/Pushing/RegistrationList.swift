internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// A registration for pushes, as providers are told.
package struct ListedRegistration: Hashable, Sendable {
    package var center: CenterName
    package var token: DeviceToken
    /// The tags, in the order of their bytes.
    package var tags: [String]
    /// When the app registered.
    package var registeredAt: WallInstant
}

extension Store {
    /// Reads a page of an app's registrations for pushes, by the bytes of their devices;
    /// `completion` runs on a reader thread.
    ///
    /// - Parameters:
    ///   - app: The app; one that no device has has no registrations.
    ///   - expression: The devices of which registrations are given.
    ///   - pageSize: How many registrations the page has at most.
    ///   - token: The ``AppListPage/nextToken`` of the page before; nil for the first page.
    ///   - caller: The caller that waits for the page.
    ///   - completion: Told the page.
    package func listRegistrations(
        of app: String,
        fitting expression: TagExpression = .everything,
        pageSize: Int,
        token: [UInt8]?,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<AppListPage<ListedRegistration>>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in
            try damage.orRefuse {
                try reader.registrations(
                    of: app,
                    fitting: expression,
                    pageSize: pageSize,
                    after: token
                )
            }
        }
    }
}

extension StoreReader {
    fileprivate func registrations(
        of app: String,
        fitting expression: TagExpression,
        pageSize: Int,
        after token: [UInt8]?
    ) throws(StoreFailure) -> AppListPage<ListedRegistration> {
        var page = AppListPage<ListedRegistration>(entries: [], nextToken: nil)
        var byteCount = 0
        var position = token.map { String(decoding: $0, as: UTF8.self) } ?? ""
        var rowCount = 0
        let audience = try environment.reading { transaction throws(StoreFailure) in
            try TagAudience(expression, of: app, tables, in: transaction)
        }
        while true {
            let slice = try environment.reading { transaction throws(StoreFailure) in
                try audience.next(
                    after: position,
                    atMost: limits.rowsPerRead,
                    tables,
                    in: transaction
                )
            }
            for member in slice.members {
                guard page.entries.count < pageSize, byteCount < limits.bytesPerPage else {
                    return page
                }
                let row = member.registration
                page.entries.append(ListedRegistration(member.center, row))
                byteCount += 256 + row.tags.reduce(0) { $0 + $1.utf8.count }
                // Give a token only where a further registration is found.
                page.nextToken = Array(member.center.device.utf8)
            }
            guard !slice.isEnd else {
                page.nextToken = nil
                return page
            }
            position = slice.position
            rowCount += slice.lookedAt
            guard rowCount < limits.rowsPerPage else {
                page.nextToken = Array(position.utf8)
                return page
            }
        }
    }
}

extension ListedRegistration {
    fileprivate init(_ center: CenterName, _ row: RegistrationRecord) {
        self.center = center
        token = row.token
        tags = row.tags
        registeredAt = row.registeredAt
    }
}
