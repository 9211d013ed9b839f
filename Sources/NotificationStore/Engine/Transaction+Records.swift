internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// Reads rows as values of the core.

extension BelfryLMDB.Transaction where Self: ~Copyable {
    func state(_ tables: Tables) throws(StoreFailure) -> StoreState {
        try row(.state, in: tables.state)
    }

    func center(_ number: CenterNumber, _ tables: Tables) throws(StoreFailure) -> CenterState {
        try row(number, in: tables.centers).center
    }

    /// A category that a notification names, as it is now (K-5); nil where the app has no such
    /// category.
    func category(
        _ identifier: String,
        of center: CenterNumber,
        _ tables: Tables
    ) throws(StoreFailure) -> NotificationCategory? {
        // No category has such a name, and no key is so long.
        guard (1...Limits.categoryIdentifierBytes).contains(identifier.utf8.count) else {
            return nil
        }
        let key = IdentifierKey(identifier, of: center)
        return try rowIfAny(key, in: tables.categories)?.category(identifier)
    }

    func categories(
        of center: CenterNumber,
        _ tables: Tables
    ) throws(StoreFailure) -> CategorySet {
        var categories: [NotificationCategory] = []
        try scan(tables.categories, .center(center)) { key, row in
            categories.append(row.category(key.identifier))
            return true
        }
        return CategorySet(stored: categories)
    }

    /// The app's own location permission; an app without a row was not decided about.
    func locationPermission(
        of center: CenterNumber,
        _ tables: Tables
    ) throws(StoreFailure) -> LocationPermission {
        try rowIfAny(center, in: tables.locationAccess)?.permission ?? .notDetermined
    }

    /// The state of a device; a device without a row has the default state.
    func device(_ name: String, _ tables: Tables) throws(StoreFailure) -> DeviceState {
        try rowIfAny(NameKey(name), in: tables.devices)?.device ?? DeviceState()
    }
}
