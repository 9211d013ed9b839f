internal import Foundation

/// A new directory for a test's files, removed with its owner.
package final class ScratchDirectory: Sendable {
    /// Its name in the directory that it lies in.
    package let name = "belfry-" + UUID().uuidString
    package let path: String

    /// Makes the directory, in memory where that has room.
    ///
    /// On a disk most of a test's time is syncs; a killed process loses nothing of memory's. Power
    /// cuts are tried on disks, from outside.
    ///
    /// - Throws: Why it cannot be made.
    package init() throws {
        let memory = "/dev/shm/"
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let free = attributes?[.systemFreeSize] as? Int ?? 0
        let isUsable = free > 2 << 30 && FileManager.default.isWritableFile(atPath: memory)
        path = (isUsable ? memory : NSTemporaryDirectory()) + name
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
