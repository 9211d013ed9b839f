internal import NotificationCore

/// The limits of one request, and the functions that read limited fields.
enum RequestLimits {
    /// The largest number of items of a batch, and of identifiers of a list (W-8).
    static let items = 1_000
    /// The largest number of roles of a token.
    static let roles = 64
    /// The largest number of fields of a request beside the elements of its list.
    static let fields = 1_000
    /// The largest number of entries of a page.
    static let pageSize = 1_000
    /// The bytes of the names that a request keeps for as long as its stream is open, and the bytes
    /// that the place of each takes: about what else a stream costs.
    static let keptBytes = 8 * 1_024
    private static let placeBytes = 48
    /// The number of entries of a page when the request names no number.
    private static let usualPageSize = 100

    /// Checks the number of items of a batch.
    static func checkBatch(_ count: Int, _ path: String) throws(Refusal) {
        guard count > 0 else {
            throw .invalid(path, "a batch has 1-\(items) \(path)", reason: .batchEmpty)
        }
        guard count <= items else { throw batchTooLarge(path) }
    }

    static func batchTooLarge(_ path: String) -> Refusal {
        .invalid(path, "a batch has 1-\(items) \(path)", reason: .batchTooLarge)
    }

    static func tooManyNames(_ path: String) -> Refusal {
        .invalid(path, "names at most \(items)")
    }

    static var wrongRoles: Refusal { .invalid("roles", "must have 1 to \(roles) roles") }

    static func reportTooLong(_ path: String) -> Refusal {
        .invalid(
            path,
            "a report has at most \(Limits.reportsPerCall) \(path)",
            reason: .batchTooLarge
        )
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
        guard wire.count <= items else { throw tooManyNames(path) }
        for (index, identifier) in wire.enumerated()
        where !(1...Limits.identifierBytes).contains(identifier.utf8.count) {
            throw .identifierInvalid(.written("\(path)[\(index)]"))
        }
        return wire
    }

    /// Checks the names that a request keeps for as long as its stream is open.
    static func checkKept(_ names: [String], _ path: String) throws(Refusal) {
        let byteCount = names.reduce(0) { $0 + $1.utf8.count + placeBytes }
        guard byteCount <= keptBytes else {
            let most = "\(keptBytes) bytes, with \(placeBytes) for each name"
            throw .invalid(path, "has at most \(most): they are kept while the stream is open")
        }
    }

    /// Reads a filter by apps of a device; an empty filter means all apps.
    ///
    /// Bounded: names of apps, which are validated before they are hashed.
    static func apps(_ wire: [String], on device: String) throws(Refusal) -> Set<String> {
        guard wire.count <= items else { throw tooManyNames("app_ids") }
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
