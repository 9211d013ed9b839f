internal import Foundation

/// A directory of its own for a test, gone with it.
public final class ScratchDirectory: Sendable {
    /// Its name in the directory for temporary files.
    public let name = "belfry-" + UUID().uuidString
    /// Where it is.
    public let path: String

    /// Makes the directory.
    public init() throws {
        path = NSTemporaryDirectory() + name
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
