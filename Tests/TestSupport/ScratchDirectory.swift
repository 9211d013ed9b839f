internal import Foundation

/// A directory of its own for a test, gone with it.
package final class ScratchDirectory: Sendable {
    /// Its name in the directory for temporary files.
    package let name = "belfry-" + UUID().uuidString
    package let path: String

    /// Makes the directory.
    ///
    /// - Parameter isInMemory: Whether it need not be on a disk: there a sync costs nothing.
    /// - Throws: Why it cannot be made.
    package init(isInMemory: Bool = false) throws {
        let memory = "/dev/shm/"
        let hasMemory = isInMemory && FileManager.default.isWritableFile(atPath: memory)
        path = (hasMemory ? memory : NSTemporaryDirectory()) + name
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
