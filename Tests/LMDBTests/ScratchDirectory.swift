internal import Foundation

/// A directory of its own for a test, gone with it.
final class ScratchDirectory: Sendable {
    let name = "belfry-lmdb-" + UUID().uuidString
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/" + name
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
