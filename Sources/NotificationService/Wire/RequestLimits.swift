internal import NotificationCore

/// The limits of one request, and the functions that read limited fields.
enum RequestLimits {
    /// The largest number of items of a batch, and of identifiers of a list (W-8).
    static let items = 1_000
    /// The largest number of entries of a page.
    static let pageSize = 1_000
    /// The number of entries of a page when the request names no number.
    private static let usualPageSize = 100

    /// Checks the number of items of a batch.
    static func checkBatch(_ count: Int, _ path: String) throws(Refusal) {
        let problem = "a batch has 1-\(items) \(path)"
        guard count > 0 else { throw .invalid(path, problem, reason: .batchEmpty) }
        guard count <= items else { throw .invalid(path, problem, reason: .batchTooLarge) }
    }

    /// Reads the largest number of entries of a page.
    static func pageSize(_ wire: Int32) throws(Refusal) -> Int {
        guard (0...pageSize).contains(Int(wire)) else {
            throw .invalid("page_size", "must be 1-\(pageSize), or 0 for \(usualPageSize)")
        }
        return wire == 0 ? usualPageSize : Int(wire)
    }

    /// Reads the identifiers of a list.
    ///
    /// An identifier of a length that no request can have is refused, since it is no valid key of
    /// the store.
    static func identifiers(
        _ wire: [String],
        _ path: String = "identifiers"
    ) throws(Refusal) -> [String] {
        guard wire.count <= items else { throw .invalid(path, "names at most \(items)") }
        for (index, identifier) in wire.enumerated()
        where !(1...Limits.identifierBytes).contains(identifier.utf8.count) {
            throw .identifierInvalid(.written("\(path)[\(index)]"))
        }
        return wire
    }

    /// Reads a filter by apps of a device; an empty filter means all apps.
    ///
    /// Bounded: names of apps, which are validated before they are hashed.
    static func apps(_ wire: [String], on device: String) throws(Refusal) -> Set<String> {
        guard wire.count <= items else { throw .invalid("app_ids", "names at most \(items)") }
        for (index, app) in wire.enumerated() {
            do {
                _ = try CenterName(app: app, device: device)
            } catch {
                throw .invalid(
                    "app_ids[\(index)]",
                    error.fields.first?.problem ?? "is no app",
                    reason: error.reason
                )
            }
        }
        return Set(wire)
    }
}
