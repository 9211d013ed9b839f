internal import Foundation

/// The files of a store as they are at one instant: what a kill would leave.
package struct CrashImage: Sendable {
    /// The names below the directory, with the bytes.
    private let files: [String: Data]

    /// Reads the files of a store that may be served meanwhile.
    package init(of directory: String) throws {
        while true {
            // The log goes on from the trees: read it behind them, and once more if they changed.
            let data = try Self.read("data.mdb", in: directory)
            var files = ["data.mdb": data]
            let names =
                (try? FileManager.default.contentsOfDirectory(
                    atPath: directory + "/log"
                )) ?? []
            for name in names { files["log/" + name] = try Self.read("log/" + name, in: directory) }
            guard try Self.read("data.mdb", in: directory) == data else { continue }
            self.files = files
            return
        }
    }

    private static func read(_ name: String, in directory: String) throws -> Data {
        try Data(contentsOf: URL(filePath: directory + "/" + name))
    }

    /// Puts the files into a directory, in place of those that it has.
    package func write(to directory: String) throws {
        let log = directory + "/log"
        try FileManager.default.createDirectory(
            atPath: log,
            withIntermediateDirectories: true
        )
        for (name, bytes) in files {
            try bytes.write(to: URL(filePath: directory + "/" + name))
        }
    }
}
