internal import Foundation

/// The machine's time zone, which is that of every device that names none.
package enum MachineTimeZone {
    /// Its name in the zone database: `$TZ`, else the target of `/etc/localtime`, else UTC.
    package static var name: String {
        if let name = ProcessInfo.processInfo.environment["TZ"], !name.isEmpty {
            return name.hasPrefix(":") ? String(name.dropFirst()) : name
        }
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
        guard let path, let database = path.range(of: "/zoneinfo/") else { return "UTC" }
        return String(path[database.upperBound...])
    }
}
