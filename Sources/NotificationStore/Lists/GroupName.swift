public import NotificationCore

/// Names a group of notifications, as a device lists them (§15.1).
///
/// A group has no row: it is what its notifications have in common, and that is its name.
public struct GroupName: Hashable, Sendable {
    /// What the notifications of a group have in common.
    public enum Kind: Hashable, Sendable {
        /// Their app and thread; an empty thread is the app's own group.
        case thread(String)
        /// Their app.
        case app
        /// It is one notification, with this delivery.
        case single(UInt64)
    }

    /// Whose notifications.
    public var center: CenterName
    /// What they have in common.
    public var kind: Kind

    /// Names a group.
    public init(center: CenterName, kind: Kind) {
        self.center = center
        self.kind = kind
    }

    /// UTF-8 bytes of a group's name: of an app's and a thread's, with what is between them.
    private static let textBytes = 2_048

    /// Reads what ``text`` wrote.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - device: The device that shows the group.
    /// - Throws: That there is no such group.
    public init(_ text: String, on device: String) throws(Refusal) {
        guard text.utf8.count <= Self.textBytes else { throw .groupNotFound }
        // An app's name holds no slash; a thread may hold anything.
        let parts = text.utf8.split(
            separator: UInt8(ascii: "/"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count >= 2, let center = try? CenterName(app: parts[0], device: device)
        else { throw .groupNotFound }
        self.center = center
        switch (parts[1], parts.count) {
        case ("thread", 3): kind = .thread(parts[2])
        case ("app", 2): kind = .app
        case ("single", 3):
            guard let delivery = UInt64(parts[2]), parts[2] == String(delivery) else {
                throw .groupNotFound
            }
            kind = .single(delivery)
        default: throw .groupNotFound
        }
    }

    /// The group's name on the wire, which says nothing of the device.
    public var text: String {
        switch kind {
        case .thread(let thread): "\(center.app)/thread/\(thread)"
        case .app: "\(center.app)/app"
        case .single(let delivery): "\(center.app)/single/\(delivery)"
        }
    }

    /// Whether a notification of the same center belongs to it.
    func contains(_ listed: ListedWork) -> Bool {
        switch kind {
        case .thread(let thread):
            // Threads are the same where their bytes are, not where they look alike.
            listed.record.request.content.groupingThread.utf8.elementsEqual(thread.utf8)
        case .app: true
        case .single(let delivery): listed.delivery == delivery
        }
    }
}
