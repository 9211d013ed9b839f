internal import Glibc

/// A directory of the operating system, as a ``Disk``.
package struct SystemDisk: Disk {
    private let directory: String
    private let isReadOnly: Bool

    /// Takes a directory, which is made with its first file.
    package init(directory: String, isReadOnly: Bool = false) {
        self.directory = directory
        self.isReadOnly = isReadOnly
    }

    package func open(_ name: String) throws(LMDBError) -> (any DiskFile)? {
        do throws(LMDBError) {
            return try SystemFile(path(of: name), flags: isReadOnly ? O_RDONLY : O_RDWR)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    package func make(_ name: String) throws(LMDBError) -> any DiskFile {
        if unsafe mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw LMDBError(code: errno, operation: "mkdir")
        }
        return try SystemFile(path(of: name), flags: O_RDWR | O_CREAT | O_TRUNC)
    }

    package func rename(_ name: String, to other: String) throws(LMDBError) {
        try checkSystem(unsafe Glibc.rename(path(of: name), path(of: other)), "rename")
    }

    package func syncNames() throws(LMDBError) {
        try syncDirectory(directory)
        try syncDirectory(directory + "/..", unreadableIsAllowed: true)
    }

    private func path(of name: String) -> String { "\(directory)/\(name)" }
}

private final class SystemFile: DiskFile {
    private let descriptor: Int32

    /// Opens a file, but follows no link: it could lead to any file of this user.
    init(_ path: String, flags: Int32) throws(LMDBError) {
        descriptor = try checkSystem(
            unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600),
            "open"
        )
    }

    deinit { close(descriptor) }

    func byteCount() throws(LMDBError) -> Int {
        var status = stat()
        try checkSystem(unsafe fstat(descriptor, &status), "fstat")
        return Int(status.st_size)
    }

    func setByteCount(_ count: Int) throws(LMDBError) {
        try checkSystem(ftruncate(descriptor, count), "ftruncate")
    }

    func written(from offset: Int) throws(LMDBError) -> Range<Int>? {
        let start = lseek(descriptor, offset, Self.seekData)
        if start < 0, errno == ENXIO { return nil }
        // A file system that knows no holes has all bytes.
        if start < 0, errno == EINVAL { return offset..<max(offset, try byteCount()) }
        guard start >= 0 else { throw LMDBError(code: errno, operation: "lseek") }
        let end = lseek(descriptor, start, Self.seekHole)
        guard end >= 0 else { throw LMDBError(code: errno, operation: "lseek") }
        return start..<end
    }

    private static let seekData: Int32 = 3
    private static let seekHole: Int32 = 4

    func read(_ count: Int, at offset: Int) throws(LMDBError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = unsafe bytes.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, offset + filled)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw LMDBError(code: errno, operation: "pread") }
            if result == 0 { break }
            filled += result
        }
        bytes.removeSubrange(filled...)
        return bytes
    }

    func view(_ byteCount: Int) throws(LMDBError) -> any DiskView {
        try MappedView(descriptor, byteCount)
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(LMDBError) -> Int {
        while true {
            let result = unsafe bytes.withUnsafeBytes { bytes in
                unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
            }
            if result > 0 { return result }
            // Without an error nothing was written: a disk that is full says so at the next try.
            let code = result < 0 ? errno : EIO
            guard code == EINTR else { throw LMDBError(code: code, operation: "pwrite") }
        }
    }

    func sync() throws(LMDBError) { try checkSystem(fdatasync(descriptor), "fdatasync") }
}

/// A file that is mapped into memory, as long as the object exists.
///
/// Other threads may write the file meanwhile: who reads a place knows that nobody writes there.
private final class MappedView: DiskView {
    private let address: UInt
    private let byteCount: Int

    init(_ descriptor: Int32, _ byteCount: Int) throws(LMDBError) {
        let start = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
        guard unsafe start != MAP_FAILED else { throw LMDBError(code: errno, operation: "mmap") }
        address = UInt(bitPattern: start)
        self.byteCount = byteCount
    }

    deinit { _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount) }

    func lend(
        _ count: Int,
        at offset: Int,
        to body: (Span<UInt8>) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        try body(unsafe mapped(count, at: offset).span)
    }

    func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        unsafe Array(mapped(count, at: offset))
    }

    private func mapped(_ count: Int, at offset: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(offset >= 0 && count >= 0 && offset + count <= byteCount)
        let start = unsafe UnsafePointer<UInt8>(bitPattern: address + UInt(offset))
        return unsafe UnsafeBufferPointer(start: start, count: count)
    }
}
