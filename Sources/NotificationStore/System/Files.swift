internal import BelfryLMDB
internal import BelfryLocking
internal import Glibc

/// Operations on files beside the store; a failure throws an ``LMDBError`` with its `errno`.
enum Files {
    /// Makes a directory for its owner alone, if it is missing, and syncs its name to disk.
    static func makeDirectory(_ path: String) throws(LMDBError) {
        guard unsafe mkdir(path, 0o700) != 0 else { return try sync(path + "/..") }
        if errno != EEXIST { throw LMDBError(code: errno, operation: "mkdir") }
    }

    /// Whether there is something at a path in a directory that this process may read.
    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Whether there is something at a path; throws where the system does not tell.
    static func isThere(_ path: String) throws(LMDBError) -> Bool {
        if exists(path) { return true }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw LMDBError(code: errno, operation: "access")
        }
        return false
    }

    /// Whether a path, or what a link there leads to, is a file of bytes.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    static func byteCount(of path: String) throws(LMDBError) -> Int {
        var status = stat()
        try checkSystem(unsafe stat(path, &status), "stat")
        return Int(status.st_size)
    }

    /// When a file's bytes last changed, in nanoseconds since 1970 by the machine's clock.
    static func changeDate(of path: String) throws(LMDBError) -> Int64 {
        var status = stat()
        try checkSystem(unsafe stat(path, &status), "stat")
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// A path that is free with all of the suffixes: `base`, with a number where that is needed.
    static func unused(_ base: String, suffixes: [String] = [""]) -> String {
        var path = base
        var number = 1
        while suffixes.contains(where: { exists(path + $0) }) {
            number += 1
            path = "\(base)-\(number)"
        }
        return path
    }

    /// Removes a directory of files; a missing directory is no error.
    static func removeDirectory(_ path: String) throws(LMDBError) {
        for name in try names(in: path) { try remove(path + "/" + name) }
        if unsafe rmdir(path) != 0 && errno != ENOENT {
            throw LMDBError(code: errno, operation: "rmdir")
        }
    }

    /// Removes a file; a missing file is no error.
    static func remove(_ path: String) throws(LMDBError) {
        if unsafe unlink(path) != 0 && errno != ENOENT {
            throw LMDBError(code: errno, operation: "unlink")
        }
    }

    /// Renames a file; a file that already has the name is replaced.
    static func rename(_ path: String, to name: String) throws(LMDBError) {
        try checkSystem(unsafe Glibc.rename(path, name), "rename")
    }

    /// Gives a file a second name, which must be free.
    static func link(_ path: String, to name: String) throws(LMDBError) {
        try checkSystem(unsafe Glibc.link(path, name), "link")
    }

    /// Syncs the names in a directory to disk.
    static func sync(_ directory: String) throws(LMDBError) {
        try syncDirectory(directory)
    }

    /// The first bytes of a file, at most `count`.
    static func beginning(of path: String, count: Int) throws(LMDBError) -> [UInt8] {
        let file = try FileDescriptor(reading: path)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(count, 256 * 1024))
        while bytes.count < count {
            let read = try file.read(into: &part)
            if read == 0 { break }
            bytes += part[..<min(read, count - bytes.count)]
        }
        return bytes
    }

    /// Gives a name or a path without `ending`; nil where it does not end with it.
    static func name(_ name: String, without ending: String) -> String? {
        guard name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return nil }
        return String(Substring(name.utf8.dropLast(ending.utf8.count)))
    }

    /// The names in a directory, in no order; none where the directory does not exist.
    static func names(in directory: String) throws(LMDBError) -> [String] {
        guard let stream = unsafe opendir(directory) else {
            if errno == ENOENT { return [] }
            throw LMDBError(code: errno, operation: "opendir")
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw LMDBError(code: errno, operation: "readdir") }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    /// Gives a file a second name, or copies the file where the file system has no links; a file
    /// that already has the name stays.
    static func share(_ path: String, as name: String) throws(LMDBError) {
        if unsafe Glibc.link(path, name) == 0 || errno == EEXIST { return }
        let isOther = [EXDEV, EMLINK, EPERM, EOPNOTSUPP].contains(errno)
        guard isOther else { throw LMDBError(code: errno, operation: "link") }
        let part = name + ".unfinished"
        do throws(LMDBError) {
            try copy(path, to: part)
            try rename(part, to: name)
        } catch {
            try? remove(part)
            throw error
        }
    }

    /// Copies a file, syncs the copy, and returns its size.
    @discardableResult
    static func copy(_ path: String, to other: String) throws(LMDBError) -> Int {
        let source = try FileDescriptor(reading: path)
        let copy = try FileDescriptor(making: other)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var byteCount = 0
        while true {
            let count = try source.read(into: &buffer)
            if count == 0 { break }
            try copy.write(buffer[..<count])
            byteCount += count
        }
        try copy.sync()
        return byteCount
    }

    /// The path from the root, without links; `path` itself where the system's call fails.
    static func absolute(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

/// A file or an end of a pipe; used by one thread at a time, and closed when it is released.
final class FileDescriptor: Sendable {
    let number: Int32
    private let isOpen = Guarded(true)

    private init(_ number: Int32) {
        self.number = number
    }

    convenience init(reading path: String) throws(LMDBError) {
        self.init(try checkSystem(unsafe open(path, O_RDONLY | O_CLOEXEC), "open"))
    }

    /// Moves to `offset`, counted from the beginning; the next read begins there.
    func seek(to offset: Int) throws(LMDBError) {
        if lseek(number, offset, SEEK_SET) < 0 {
            throw LMDBError(code: errno, operation: "lseek")
        }
    }

    /// Opens a file to write behind its end.
    convenience init(appendingTo path: String) throws(LMDBError) {
        self.init(try checkSystem(unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC), "open"))
    }

    /// Makes a file for its owner alone, replacing a file with the same name.
    convenience init(making path: String) throws(LMDBError) {
        try Files.remove(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        self.init(try checkSystem(unsafe open(path, flags, 0o600), "open"))
    }

    /// Makes a pipe: the bytes written into `inlet` are read from `outlet`.
    static func pipe() throws(LMDBError) -> (outlet: FileDescriptor, inlet: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        try checkSystem(unsafe Glibc.pipe(&ends), "pipe")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
    }

    deinit { close() }

    /// Closes the descriptor, which the other end of a pipe notices.
    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { Glibc.close(number) }
    }

    /// Reads into the front of `buffer` and returns the number of bytes; 0 at the end.
    func read(into buffer: inout [UInt8]) throws(LMDBError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(number, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw LMDBError(code: errno, operation: "read") }
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(LMDBError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
            }
            if count < 0 && errno != EINTR {
                throw LMDBError(code: errno, operation: "write")
            }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Gives the file so many bytes of the disk.
    func reserve(_ byteCount: Int) throws(LMDBError) {
        let code = posix_fallocate(number, 0, byteCount)
        if code != 0 { throw LMDBError(code: code, operation: "fallocate") }
    }

    /// Syncs the written bytes to disk.
    func sync() throws(LMDBError) {
        try checkSystem(fsync(number), "fsync")
    }
}
