internal import BelfryGRPC
internal import BelfryLocking
internal import CBelfryLinux
internal import Foundation
internal import Glibc

/// A copy in memory of a checked file of keys or certificates, which gRPC reads in its place.
///
/// The copies follow each other behind one number of a descriptor, so that the path stays the same.
final class KeyCopy: Sendable {
    private let descriptor: Int32
    /// The modification time of the copy, in seconds: gRPC tells changes by it.
    private let stamp: Guarded<Int>

    /// The path, for this process alone.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Copies a text.
    ///
    /// - Throws: Where the system has no memory or no descriptor left.
    init(_ text: [UInt8]) throws {
        let stamp = Self.now
        descriptor = try Self.file(text, stamp: stamp)
        self.stamp = Guarded(stamp)
    }

    deinit { close(descriptor) }

    /// Takes another text; a process that opens the path gets the old text or the new one.
    ///
    /// - Throws: Where the system has no memory or no descriptor left; the text of before stays.
    func replace(by text: [UInt8]) throws {
        let next = stamp.withLock { stamp in
            stamp = max(stamp + 1, Self.now)
            return stamp
        }
        let file = try Self.file(text, stamp: next)
        defer { close(file) }
        guard dup3(file, descriptor, O_CLOEXEC) >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private static var now: Int { Int(Date().timeIntervalSince1970) }

    private static func file(_ text: [UInt8], stamp: Int) throws -> Int32 {
        let descriptor = try MemoryFile.holding(Data(text))
        // Set the seconds and nanoseconds of both times as numbers: it depends on the other modules
        // of this file which of them has the fields of a timespec.
        let times = [stamp, 0, stamp, 0]
        unsafe times.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: timespec.self)
            _ = unsafe futimens(descriptor, start)
        }
        return descriptor
    }
}
