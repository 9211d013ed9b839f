internal import Foundation
internal import Histogram

/// The facts of the machine on which a measurement depends beside the program.
struct MachineFacts {
    /// The facts, by name, in the order to print them.
    let facts: [(name: String, value: String)]

    /// Reads the facts, and measures the disk of a directory.
    ///
    /// - Throws: Why no file can be written in the directory.
    init(directory: String) throws {
        let kernel = Self.text("/proc/sys/kernel/osrelease")
        let memory = ProcessInfo.processInfo.physicalMemory
        let sync = try Self.syncTimes(in: directory)
        facts = [
            ("processors", "\(ProcessInfo.processInfo.activeProcessorCount) x \(Self.processor)"),
            ("memory", "\(memory >> 30) GiB"),
            ("kernel", kernel.trimmingCharacters(in: .whitespacesAndNewlines)),
            ("file system", "\(Self.fileSystem(of: directory)) at \(directory)"),
            (
                "synced write of 4 KiB",
                "\(LoadText.duration(sync.median)) median, \(LoadText.duration(sync.highest)) p99"
            ),
            ("load", Self.load),
        ]
    }

    /// The load averages of 1, 5 and 15 minutes.
    private static var load: String {
        let words = text("/proc/loadavg").split(separator: " ").prefix(3)
        return words.joined(separator: " ")
    }

    private static var processor: String {
        let line = text("/proc/cpuinfo").split(separator: "\n").first {
            $0.hasPrefix("model name")
        }
        let name = line?.split(separator: ":", maxSplits: 1).last ?? "processor"
        return name.trimmingCharacters(in: .whitespaces)
    }

    private static func fileSystem(of directory: String) -> String {
        let path = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        // Each line: identifiers, root, mount point, options, a dash, and then the type.
        let mounts = text("/proc/self/mountinfo").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let dash = words.firstIndex(of: "-"), dash > 4, dash + 1 < words.count else {
                return nil as (point: Substring, type: Substring)?
            }
            return (words[4], words[dash + 1])
        }
        let found = mounts.filter { mount in
            mount.point == "/" || path == mount.point || path.hasPrefix(mount.point + "/")
        }
        return found.max { $0.point.count <= $1.point.count }.map { String($0.type) } ?? "unknown"
    }

    /// Times how long writes of 4 KiB take until they are on the disk, in nanoseconds.
    private static func syncTimes(
        in directory: String
    ) throws -> (median: UInt64, highest: UInt64) {
        let url = URL(fileURLWithPath: directory)
            .appending(path: "belfry-load-\(ProcessInfo.processInfo.processIdentifier).tmp")
        let page = Data(repeating: 0x42, count: 4_096)
        // Give the file its size before, as that of a store in use.
        try Data(repeating: 0, count: 100 * page.count).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.synchronize()
        var times = LatencyHistogram()
        for _ in 0..<100 {
            let begun = ContinuousClock.now
            try file.write(contentsOf: page)
            guard fdatasync(file.fileDescriptor) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
            times.note(ContinuousClock.now - begun)
        }
        return (times.valueAtPercentile(50), times.valueAtPercentile(99))
    }

    /// The text of a file of /proc; empty where it cannot be read.
    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
