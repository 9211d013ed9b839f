internal import NotificationCore

/// A role that a caller has, and the apps or devices for which it has the role (W-11).
package struct AccessGrant: Sendable, Hashable, CustomStringConvertible {
    package let role: CallerRole
    /// The devices of the role device, and the apps of the roles app, provider and extension; nil
    /// is all of them.
    package let names: NamePattern?

    /// Gives a role for every app and device.
    package init(_ role: CallerRole) {
        self.role = role
        names = nil
    }

    /// Reads a role as it is written, such as `admin`, `app:org.example.*` and `device:phone`.
    ///
    /// - Returns: nil where the text is no role, or names what no app or device is called, and for
    ///   `admin` and `metrics` with a name.
    package init?(_ text: String) {
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        let name = String(text[..<(colon ?? text.endIndex)])
        guard let role = CallerRole(rawValue: name) else { return nil }
        self.role = role
        guard let colon else {
            names = nil
            return
        }
        let pattern = String(text[text.utf8.index(after: colon)...])
        let names: NamePattern? =
            switch role {
            case .app, .provider, .extension:
                NamePattern(pattern, where: CenterName.isBeginning(ofApp:))
            case .device: NamePattern(pattern, where: CenterName.isBeginning(ofDevice:))
            case .metrics, .admin: nil
            }
        guard let names else { return nil }
        self.names = names
    }

    package var description: String {
        names.map { "\(role.rawValue):\($0)" } ?? role.rawValue
    }
}
