internal import CBelfryLinux
internal import Glibc

/// Gives memory back to the system that was freed and that the C library keeps.
///
/// The library gives back only the free end of a heap: one small block above the memory of ten
/// thousand streams keeps all of it.
package struct FreedMemory {
    /// The bytes that may be kept: to give back, all heaps are searched under their locks.
    private static let keptByteCount = 16 << 20
    /// The resident bytes after the last search, which could not be given back.
    private var residentAtLast = 0

    /// Begins before the first search.
    package init() {}

    /// Gives the memory back, if it is much.
    ///
    /// - Returns: Whether anything was searched.
    @discardableResult
    package mutating func giveBack() -> Bool {
        let resident = Self.residentByteCount
        residentAtLast = min(residentAtLast, resident)
        guard resident > residentAtLast + Self.keptByteCount else { return false }
        let heaps = mallinfo2()
        guard resident > Int(heaps.uordblks + heaps.hblkhd) + Self.keptByteCount else {
            return false
        }
        malloc_trim(0)
        residentAtLast = Self.residentByteCount
        return true
    }

    /// The resident bytes of the process that are no file's; 0 where the system does not tell.
    package static var residentByteCount: Int {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        let pages = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .utf8.split(separator: UInt8(ascii: " ")).compactMap { Int(Substring($0)) }
        return pages.count > 2 ? (pages[1] - pages[2]) * Int(getpagesize()) : 0
    }
}
