internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The rule when a store counts as full: adds are refused while some space is left, so that
/// removals and deliveries, which also write, still work (ST-2).
struct StoreSpace {
    /// Bytes in use from which adds are refused.
    let limitBytes: Int
    /// Bytes in use from which due work rests, too, since it makes the store grow as well.
    let dueLimitBytes: Int
    /// Bytes that adds leave free on the disk.
    let reservedDiskBytes: Int

    /// Finds the limits of a store on a disk and in a map.
    ///
    /// `diskBytes` is the size of the disk; nil, where it is unknown, sets no bound. `mapBytes` is
    /// the size of the map.
    init(diskBytes: Int?, mapBytes: Int, limits: StoreLimits) {
        func reserve(_ bytes: Int) -> Int { min(limits.reservedBytes, bytes / 8) }
        reservedDiskBytes = diskBytes.map(reserve) ?? 0
        let limit = min(mapBytes, limits.storeBytes ?? diskBytes.map { $0 / 5 * 4 } ?? mapBytes)
        limitBytes = min(mapBytes - reserve(mapBytes), limit)
        dueLimitBytes = min(mapBytes - reserve(mapBytes) / 2, limit + reserve(limit) / 2)
    }

    /// The kinds of changes for which space is left.
    enum Room: Comparable {
        /// Removals alone, which write a little before they make room.
        case removals
        /// Removals and due work.
        case dueWork
        /// Everything, while what can be deleted is deleted at once: the next adds may find no
        /// space.
        case lastAdds
        /// Everything.
        case adds

        var takesAdds: Bool { self >= .lastAdds }
    }

    /// With less than such a part of a limit left, or so many bytes, adds are the last ones.
    private static let lastPart = 16
    private static let lastBytes = 4 << 20

    /// Decides for which changes there is space.
    ///
    /// The reserve has two halves. Due work takes the first half: it may make the store grow
    /// without an end, since a repeating request fires again and again. The second half is for
    /// removals.
    ///
    /// `usedBytes` are bytes of the file, its free pages included. `freePageBytes` are bytes of the
    /// free pages in the file, which never shrinks but uses free pages again. It is evaluated only
    /// near the limits.
    ///
    /// - Returns: What there is space for.
    /// - Throws: What `freePageBytes` throws.
    func room(
        usedBytes: Int,
        freeDiskBytes: Int,
        freePageBytes: () throws(StoreFailure) -> Int
    ) throws(StoreFailure) -> Room {
        let least = min(limitBytes / Self.lastPart, Self.lastBytes)
        let leastOnDisk = min(reservedDiskBytes / Self.lastPart, Self.lastBytes)
        guard
            usedBytes > limitBytes - least || freeDiskBytes < reservedDiskBytes + leastOnDisk
        else { return .adds }
        let free = try freePageBytes()
        if usedBytes - free <= limitBytes, freeDiskBytes >= reservedDiskBytes - free {
            let isPlenty =
                usedBytes - free <= limitBytes - least
                && freeDiskBytes >= reservedDiskBytes + leastOnDisk - free
            return isPlenty || Fault.nothingGoesNearTheLimit.isPlanted ? .adds : .lastAdds
        }
        let hasRoom =
            usedBytes - free <= dueLimitBytes && freeDiskBytes >= reservedDiskBytes / 2 - free
        return hasRoom ? .dueWork : .removals
    }
}

/// The free space of the store's disk.
struct FreeDiskSpace {
    private var byteCount = 0
    private var readAt: Int64 = 0

    /// The free bytes, which are asked once a second where they are many times what has to stay
    /// free: the batches of a second do not take as much.
    ///
    /// - Parameters:
    ///   - reserve: The bytes that have to stay free.
    ///   - now: The boot-time clock, in nanoseconds.
    ///   - read: Asks the system.
    /// - Returns: The free bytes, as they were at most a second ago.
    mutating func byteCount(beside reserve: Int, at now: Int64, _ read: () -> Int) -> Int {
        let isPlenty = byteCount / 8 > reserve
        if !isPlenty || now - readAt >= .nanosecondsPerSecond {
            (byteCount, readAt) = (read(), now)
        }
        return byteCount
    }
}
