internal import CBelfryLinux
internal import Foundation

/// A file in memory, which has no path.
enum MemoryFile {
    /// Makes a file, to be read from its beginning.
    ///
    /// - Returns: Its descriptor, which the caller closes, or gives to a process that it starts.
    /// - Throws: Where the system has no memory or no descriptor left.
    static func holding(_ data: Data) throws -> Int32 {
        let descriptor = unsafe memfd_create("belfry", UInt32(MFD_CLOEXEC))
        guard descriptor >= 0 else { throw CocoaError(.fileWriteOutOfSpace) }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try file.write(contentsOf: data)
            try file.seek(toOffset: 0)
        } catch {
            try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).close()
            throw error
        }
        return descriptor
    }
}
