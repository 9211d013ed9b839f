internal import Glibc

/// The machine's clocks, read once.
package struct SystemTime: Equatable {
    /// Nanoseconds since this boot, suspended time included.
    package var bootNanoseconds: Int64
    /// Nanoseconds since 1970-01-01T00:00:00Z by the wall clock.
    var wallNanoseconds: Int64

    package static func now() -> SystemTime {
        SystemTime(bootNanoseconds: read(CLOCK_BOOTTIME), wallNanoseconds: read(CLOCK_REALTIME))
    }

    /// Reads the boot-time clock alone, to measure how long something takes.
    static func sinceBoot() -> Int64 { read(CLOCK_BOOTTIME) }

    /// The identifier of this boot of the machine; empty where the kernel gives none.
    static func bootIdentifier() -> String {
        let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : ""
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let code = unsafe clock_gettime(clock, &time)
        precondition(code == 0, "clock_gettime failed (errno \(errno))")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
