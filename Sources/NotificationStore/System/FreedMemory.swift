internal import CBelfryLinux
internal import Glibc

/// Gives memory back to the system that was freed and that the C library keeps.
///
/// The library gives back only the free end of a heap: one small block above the memory of ten
/// thousand streams keeps all of it.
package struct FreedMemory {
    /// The bytes that may be kept: to give back, all heaps are searched under their locks.
    private static let keptByteCount = 16 << 20
    /// The resident bytes that the last search left and that nothing used: pages of which a part
    /// is used, and what is no heap.
    private var leftAtLast = 0

    /// Begins before the first search.
    package init() {}

    /// Gives the memory back, if it is much.
    ///
    /// Memory that is freed after a search counts again, though the process does not grow by it.
    ///
    /// - Returns: Whether anything was searched.
    @discardableResult
    package mutating func giveBack() -> Bool {
        let resident = Self.residentByteCount
        leftAtLast = min(leftAtLast, resident)
        guard resident > leftAtLast + Self.keptByteCount else { return false }
        let unused = resident - Self.usedByteCount
        leftAtLast = min(leftAtLast, max(0, unused))
        guard unused > leftAtLast + Self.keptByteCount else { return false }
        malloc_trim(0)
        let left = Self.residentByteCount
        // Search again soon where that gave much back: who frees much has perhaps not finished.
        let isDone = resident - left < Self.keptByteCount / 4
        leftAtLast = isDone ? max(0, left - Self.usedByteCount) : 0
        return true
    }

    /// The bytes of the heaps that are not free.
    private static var usedByteCount: Int {
        let heaps = mallinfo2()
        return Int(heaps.uordblks + heaps.hblkhd)
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
