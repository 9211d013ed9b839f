internal import NotificationRecords

/// The rule when a store counts as full: adds are refused while some space is left, so that
/// removals and deliveries, which also write, still work (ST-2).
struct StoreSpace {
    /// Bytes that may be in use before adds are refused.
    let limitBytes: Int
    /// Bytes that adds leave free on the disk.
    let reservedDiskBytes: Int

    /// - Parameters:
    ///   - diskBytes: The size of the disk; nil, where it is unknown, sets no bound.
    ///   - mapBytes: The size of the map.
    ///   - limits: The store's limits.
    init(diskBytes: Int?, mapBytes: Int, limits: StoreLimits) {
        func reserve(_ bytes: Int) -> Int { min(limits.reservedBytes, bytes / 8) }
        reservedDiskBytes = diskBytes.map(reserve) ?? 0
        limitBytes = min(
            mapBytes - reserve(mapBytes),
            limits.storeBytes ?? diskBytes.map { $0 / 5 * 4 } ?? mapBytes
        )
    }

    /// Whether requests may be added.
    ///
    /// - Parameters:
    ///   - usedBytes: Bytes of the file, its free pages included.
    ///   - freeDiskBytes: Bytes that are free on the disk.
    ///   - freePageBytes: Bytes of the free pages in the file, which never shrinks but uses free
    ///     pages again. Evaluated only near the limits.
    /// - Returns: Whether neither limit is reached.
    /// - Throws: What `freePageBytes` throws.
    func hasRoomForAdds(
        usedBytes: Int,
        freeDiskBytes: Int,
        freePageBytes: () throws(StoreFailure) -> Int
    ) throws(StoreFailure) -> Bool {
        guard usedBytes > limitBytes || freeDiskBytes < reservedDiskBytes else { return true }
        let free = try freePageBytes()
        return usedBytes - free <= limitBytes && freeDiskBytes >= reservedDiskBytes - free
    }
}
