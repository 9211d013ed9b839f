internal import BelfryLocking
package import NotificationCore

/// The notifications that are open, on all devices (§19).
///
/// They are not stored: a start of the server closes them all, as a device closes what it shows
/// when it starts.
struct OpenPresentations: Sendable {
    /// The presentations of each center, in the order of their opening.
    private var centers: [CenterNumber: [OpenPresentation]] = [:]
    private var places: [PresentationIdentifier: CenterNumber] = [:]
    /// How many are open on each device, and how many of each app.
    ///
    /// Bounded: names of devices and apps, which were validated.
    private var deviceCounts: [String: Int] = [:]
    // Bounded: as above.
    private var apps: [String: Share] = [:]
    private var byteCount = 0

    /// The open notifications of one app, on all devices.
    private struct Share {
        var count = 0
        var byteCount = 0
    }

    var isEmpty: Bool { places.isEmpty }

    subscript(identifier: PresentationIdentifier) -> OpenPresentation? {
        guard let center = places[identifier] else { return nil }
        return centers[center]?.first { $0.identifier == identifier }
    }

    func of(_ center: CenterNumber) -> [OpenPresentation] { centers[center] ?? [] }

    func of(_ center: CenterNumber, _ delivery: DeliveryNumber) -> OpenPresentation? {
        centers[center]?.first { $0.notification.delivery == delivery }
    }

    /// All presentations on a device.
    ///
    /// - Complexity: O(*n*) in the centers with open notifications.
    func on(device: String) -> [OpenPresentation] {
        guard deviceCounts[device] != nil else { return [] }
        return centers.sorted { $0.key < $1.key }.flatMap(\.value)
            .filter { $0.notification.center.device == device }
    }

    /// All presentations that an extension of an app shows.
    ///
    /// - Complexity: O(*n*) in the centers with open notifications.
    func shown(by contentExtension: String, of app: String) -> [OpenPresentation] {
        guard apps[app] != nil else { return [] }
        return centers.sorted { $0.key < $1.key }.flatMap(\.value).filter { presentation in
            presentation.notification.center.app == app
                && presentation.contentExtension?.identifier == contentExtension
        }
    }

    /// Adds a presentation; gives the refusal where it may not be added.
    mutating func insert(_ presentation: OpenPresentation, within limits: StoreLimits) -> Refusal? {
        let name = presentation.notification.center
        guard deviceCounts[name.device, default: 0] < limits.presentationsPerDevice else {
            return .presentationLimit(limits.presentationsPerDevice, "the device")
        }
        guard apps[name.app]?.count ?? 0 < limits.presentationsPerApp else {
            return .presentationLimit(limits.presentationsPerApp, "the app")
        }
        guard places.count < limits.presentations else {
            return .presentationLimit(limits.presentations, "the server")
        }
        if let refusal = room(for: presentation.byteCount, of: name.app, within: limits) {
            return refusal
        }
        deviceCounts[name.device, default: 0] += 1
        apps[name.app, default: Share()].count += 1
        account(for: presentation.byteCount, of: name.app)
        places[presentation.identifier] = presentation.source.center
        centers[presentation.source.center, default: []].append(presentation)
        return nil
    }

    /// Puts a changed presentation in the place of the one with its identifier; gives the refusal
    /// where it takes too many bytes.
    mutating func update(_ presentation: OpenPresentation, within limits: StoreLimits) -> Refusal? {
        let center = presentation.source.center
        guard
            let index = centers[center]?.firstIndex(where: {
                $0.identifier == presentation.identifier
            }), let before = centers[center]?[index]
        else { return .presentationNotFound }
        let (app, growth) = (
            presentation.notification.center.app, presentation.byteCount - before.byteCount
        )
        if let refusal = room(for: growth, of: app, within: limits) { return refusal }
        account(for: growth, of: app)
        centers[center]?[index] = presentation
        return nil
    }

    /// Removes a presentation, and gives it; nil where it is not open.
    mutating func remove(_ identifier: PresentationIdentifier) -> OpenPresentation? {
        guard let center = places.removeValue(forKey: identifier),
            let index = centers[center]?.firstIndex(where: { $0.identifier == identifier }),
            let presentation = centers[center]?.remove(at: index)
        else { return nil }
        if centers[center]?.isEmpty == true { centers[center] = nil }
        let name = presentation.notification.center
        account(for: -presentation.byteCount, of: name.app)
        apps[name.app]?.count -= 1
        if apps[name.app]?.count == 0 { apps[name.app] = nil }
        deviceCounts[name.device]? -= 1
        if deviceCounts[name.device] == 0 { deviceCounts[name.device] = nil }
        return presentation
    }

    private func room(for bytes: Int, of app: String, within limits: StoreLimits) -> Refusal? {
        guard bytes > 0 else { return nil }
        let share = limits.presentationBytes / 4
        guard (apps[app]?.byteCount ?? 0) + bytes <= share else { return .contentViewSpace(share) }
        guard byteCount + bytes <= limits.presentationBytes else {
            return .contentViewSpace(limits.presentationBytes)
        }
        return nil
    }

    private mutating func account(for bytes: Int, of app: String) {
        byteCount += bytes
        apps[app]?.byteCount += bytes
    }
}

/// The open notifications as of the last commit, for readers on any thread.
final class PresentationBoard: Sendable {
    private let state = Guarded(OpenPresentations())

    /// The open notifications now.
    var current: OpenPresentations { state.withLock { $0 } }

    /// Shows the open notifications of a batch, which is durable.
    func show(_ presentations: OpenPresentations) { state.withLock { $0 = presentations } }
}

extension PresentationIdentifier {
    /// Reads the identifier from a UUID's text; nil for any other text.
    package init?(_ text: String) {
        guard let bytes = UUIDForm.bytes(of: text) else { return nil }
        self.init(high: UInt64(bytes: bytes.prefix(8)), low: UInt64(bytes: bytes.suffix(8)))
    }

    package var text: String { UUIDForm.text(high.bytes + low.bytes) }
}
