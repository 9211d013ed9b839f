internal import NotificationCore

/// How much one request may ask for, and how that is read.
enum RequestLimits {
    /// Items of a batch, and identifiers that are named in one list (W-8).
    static let items = 1_000
    /// Entries of a page.
    static let pageSize = 1_000
    /// Entries of a page of which the request says nothing.
    private static let usualPageSize = 100

    /// Checks how many items a batch has.
    static func checkBatch(_ count: Int, _ path: String) throws(Refusal) {
        let problem = "a batch has 1-\(items) \(path)"
        guard count > 0 else { throw .invalid(path, problem, reason: "BATCH_EMPTY") }
        guard count <= items else { throw .invalid(path, problem, reason: "BATCH_TOO_LARGE") }
    }

    /// Reads how many entries a page may have.
    static func pageSize(_ wire: Int32) throws(Refusal) -> Int {
        guard (0...pageSize).contains(Int(wire)) else {
            throw .invalid("page_size", "must be 1-\(pageSize), or 0 for \(usualPageSize)")
        }
        return wire == 0 ? usualPageSize : Int(wire)
    }

    /// Reads the identifiers of a list.
    ///
    /// An identifier that could never have been added is simply not there, but it is no store key.
    static func identifiers(
        _ wire: [String],
        _ path: String = "identifiers"
    ) throws(Refusal) -> [String] {
        guard wire.count <= items else { throw .invalid(path, "names at most \(items)") }
        for (index, identifier) in wire.enumerated()
        where !(1...Limits.identifierBytes).contains(identifier.utf8.count) {
            throw .identifierInvalid("\(path)[\(index)]")
        }
        return wire
    }

    /// Reads which apps of a device are asked for; none is all.
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
