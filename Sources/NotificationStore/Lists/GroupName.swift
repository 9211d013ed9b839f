package import NotificationCore
internal import NotificationRecords

/// Names a group of notifications, as a device lists them (§15.1).
///
/// A group has no row in the store: its name is what its notifications have in common.
package struct GroupName: Hashable, Sendable {
    /// The facts that the notifications of a group share.
    package enum Kind: Hashable, Sendable {
        /// Their app and thread; an empty thread is the app's own group.
        case thread(String)
        case app
        /// The group is one notification, with this delivery number.
        case single(DeliveryNumber)
    }

    package var center: CenterName
    package var kind: Kind

    package init(center: CenterName, kind: Kind) {
        self.center = center
        self.kind = kind
    }

    /// The most UTF-8 bytes of a group's name: an app's name, separators and a thread.
    private static let textBytes = 2_048

    /// Reads a name that ``text`` wrote.
    ///
    /// `device` is the device that shows the group.
    ///
    /// - Throws: That there is no such group.
    package init(_ text: String, on device: String) throws(Refusal) {
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
            guard let number = UInt64(parts[2]), parts[2] == String(number) else {
                throw .groupNotFound
            }
            kind = .single(DeliveryNumber(rawValue: number))
        default: throw .groupNotFound
        }
    }

    /// The group's name on the wire, without the device.
    package var text: String {
        switch kind {
        case .thread(let thread): "\(center.app)/thread/\(thread)"
        case .app: "\(center.app)/app"
        case .single(let delivery): "\(center.app)/single/\(delivery)"
        }
    }

    /// Whether a notification of the same center belongs to the group.
    func contains(_ listed: ListedWork) -> Bool {
        switch kind {
        case .thread(let thread):
            // Bytes decide whether two threads are the same: threads that only look alike are
            // different.
            listed.record.request.content.groupingThread.utf8.elementsEqual(thread.utf8)
        case .app: true
        case .single(let delivery): listed.delivery == delivery
        }
    }
}
