internal import Foundation
internal import NotificationStore

/// A copy of a store's file, as a crash would leave it.
package final class StoreCopy {
    private let directory: URL
    private var store: Store?

    /// Copies the files of a store, which does nothing meanwhile.
    package init(of original: PendingStore) throws {
        directory = URL.temporaryDirectory.appending(path: "belfry-benchmark-\(UUID())")
        let files = FileManager.default
        try files.createDirectory(at: directory, withIntermediateDirectories: false)
        for name in ["data.mdb", "log"] {
            try files.copyItem(
                at: original.directory.appending(path: name),
                to: directory.appending(path: name)
            )
        }
    }

    /// Opens the store of the copy.
    package func open() throws {
        store = try Store(PendingStore.options(directory)) { error in
            preconditionFailure("\(error)")
        }
    }

    package func close() throws {
        store?.stop()
        try FileManager.default.removeItem(at: directory)
    }
}
