internal import NotificationCore
internal import NotificationRecords

/// The rows that batches have read and written, which the next batch does not read again.
///
/// A batch takes it from the writer, and gives it back once its own changes are durable: a batch
/// that fails leaves nothing behind.
struct BatchCache {
    /// The devices beyond which all are forgotten.
    private static let mostDevices = 64

    private var centers: [CenterNumber: CachedCenter] = [:]
    /// The entries of all ``centers``.
    private var entryCount = 0
    /// The numbers of centers.
    var numbers: [CenterName: CenterNumber] = [:]
    /// The states of devices, by name.
    ///
    /// Bounded: names of devices, which were validated.
    private var devices: [String: Boxed<DeviceState>] = [:]
    /// The device that was asked for last: each firing asks for one again and again.
    private var lastDevice: (name: String, state: Boxed<DeviceState>)?

    /// The state of a device; nil where it is not known.
    mutating func device(_ name: String) -> Boxed<DeviceState>? {
        if let lastDevice, lastDevice.name == name { return lastDevice.state }
        lastDevice = devices[name].map { (name, $0) }
        return lastDevice?.state
    }

    /// Notes the state of a device, as the batch read or wrote it.
    mutating func note(_ device: Boxed<DeviceState>, named name: String) {
        devices[name] = device
        lastDevice = (name, device)
    }

    /// Takes a center out of the cache.
    mutating func take(_ number: CenterNumber) -> CachedCenter? {
        guard let center = centers.removeValue(forKey: number) else { return nil }
        entryCount -= center.entryCount
        return center
    }

    /// Puts a center into the cache as a durable batch left it.
    mutating func insert(_ center: CachedCenter, as number: CenterNumber) {
        entryCount += center.entryCount
        centers[number] = center
    }

    /// Forgets what is beyond the limits: the centers in `newest` after all others.
    mutating func fit(_ limits: StoreLimits, newest: some Sequence<CenterNumber>) {
        if isTooLarge(limits) {
            let kept = newest.compactMap { number in take(number).map { (number, $0) } }
            (centers, entryCount) = ([:], 0)
            for (number, center) in kept {
                insert(center, as: number)
                if isTooLarge(limits) { _ = take(number) }
            }
        }
        if numbers.count > limits.cachedCenters { numbers = [:] }
        if devices.count > Self.mostDevices { (devices, lastDevice) = ([:], nil) }
    }

    private func isTooLarge(_ limits: StoreLimits) -> Bool {
        centers.count > limits.cachedCenters || entryCount > limits.cachedEntries
    }
}

/// A center as the last batch left it, in memory.
struct CachedCenter {
    var state: CenterState
    /// As ``CenterWork/registrant()`` found it; nil until it is read.
    var registrant: String?
    var identifiers = IdentifierTable()
    var oldestDeliveries = OldestDeliveries()

    init(_ state: CenterState) { self.state = state }

    var entryCount: Int { identifiers.count + oldestDeliveries.count }
}
