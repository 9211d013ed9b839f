internal import CBelfryLMDB
internal import Faults
internal import Glibc

extension Environment {
    /// The only page size whose code in LMDB 0.9.24 is free of known faults.
    private static let pageByteCount: UInt32 = 4096

    /// Opens with the largest map from `options.mapSize` downwards that the system gives.
    static func openHandle(_ directory: String, _ options: Options) throws(LMDBError) -> Handle {
        precondition(
            options.mapSize > 0 && options.mapSize % Int(pageByteCount) == 0,
            "the map size is a multiple of 4096"
        )
        try allocateLockFile(in: directory, options)
        var mapSize = options.mapSize
        while true {
            do throws(LMDBError) {
                return try openHandle(directory, options, mapSize: mapSize, flags: 0)
            } catch {
                if error.code == LMDBError.invalid, isUnwritten(lockFileIn: directory) {
                    throw LMDBError(code: ENOLCK, operation: "lock the environment")
                }
                if error.code != ENOMEM || mapSize / 2 < Options.mapSizeFloor { throw error }
                mapSize /= 2
            }
        }
    }

    /// Makes the lock file where it is missing, and allocates its blocks.
    ///
    /// LMDB writes the lock file through a shared map, and writing a page without a block on a full
    /// disk ends the process with SIGBUS.
    private static func allocateLockFile(
        in directory: String,
        _ options: Options
    ) throws(LMDBError) {
        let path = directory + "/lock.mdb"
        let flags = O_RDWR | O_CREAT | O_CLOEXEC
        let file = try checkSystem(unsafe open(path, flags, options.fileMode), "open the lock file")
        defer { close(file) }
        // One cache line for each reader, and two for the header; a larger file would have more
        // readers.
        let byteCount = (options.maximumReaders + 2) * 64
        let error = posix_fallocate(file, 0, byteCount)
        if error != 0 { throw LMDBError(code: error, operation: "allocate the lock file") }
    }

    /// Whether nobody has written the header of the lock file.
    ///
    /// LMDB takes any error of its lock for another process that has it. It then misses the header
    /// of that process, and calls the environment invalid, though the data file is sound.
    private static func isUnwritten(lockFileIn directory: String) -> Bool {
        let file = unsafe open(directory + "/lock.mdb", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var magic: UInt32 = .max
        return unsafe pread(file, &magic, MemoryLayout<UInt32>.size, 0)
            == MemoryLayout<UInt32>.size && magic == 0
    }

    /// Opens a file without locks, with a map of its own size and `growth` more.
    static func openHandle(
        file path: String,
        growingBy growth: Int,
        flags: UInt32
    ) throws(LMDBError) -> Handle {
        var status = stat()
        try unsafe checkSystem(stat(path, &status), "stat")
        // Refuse an empty file, which LMDB would turn into a new environment.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            throw LMDBError(code: LMDBError.invalid, operation: "open")
        }
        let pageBytes = Int(pageByteCount)
        return try openHandle(
            path,
            Options(),
            mapSize: (status.st_size + pageBytes - 1) / pageBytes * pageBytes + growth,
            flags: flags | UInt32(MDB_NOLOCK | MDB_NOSUBDIR)
        )
    }

    private static func openHandle(
        _ path: String,
        _ options: Options,
        mapSize: Int,
        flags: UInt32
    ) throws(LMDBError) -> Handle {
        var pointer: OpaquePointer?
        try unsafe check(mdb_env_create(&pointer), "mdb_env_create")
        guard let pointer = unsafe pointer else { preconditionFailure("mdb_env_create gave none") }
        do throws(LMDBError) {
            // End with SIGBUS where LMDB fails an assertion about its pages, as at a missing page.
            try unsafe check(
                mdb_env_set_assert(pointer) { _, _ in raise(SIGBUS) },
                "mdb_env_set_assert"
            )
            try unsafe check(mdb_env_set_mapsize(pointer, mapSize), "mdb_env_set_mapsize")
            try unsafe check(
                mdb_env_set_maxreaders(pointer, UInt32(options.maximumReaders)),
                "mdb_env_set_maxreaders"
            )
            try unsafe check(
                mdb_env_set_maxdbs(pointer, UInt32(options.maximumTables)),
                "mdb_env_set_maxdbs"
            )
            // Readers belong to their transactions, not to threads. No flag weakens the sync.
            let behavior = Fault.noSync.isPlanted ? MDB_NOTLS | MDB_NOSYNC : MDB_NOTLS
            try unsafe check(
                mdb_env_open(pointer, path, UInt32(behavior) | flags, options.fileMode),
                "mdb_env_open"
            )
        } catch {
            unsafe mdb_env_close(pointer)
            throw error
        }
        return unsafe Handle(pointer)
    }

    /// Refuses a file that lacks pages which are in use.
    ///
    /// A page that was freed in the transaction that took it from the end of the file was never
    /// written: a sound file may lack pages that are free. A file that lacks so much that its list
    /// of free pages cannot be read ends the process with `SIGBUS`.
    func requireWhole(_ path: String) throws(LMDBError) {
        let used = statistics.usedPageCount
        var status = stat()
        try unsafe checkSystem(stat(path, &status), "stat")
        let present = Int(status.st_size) / Int(Self.pageByteCount)
        // Accept a new file, which has no pages until its first commit.
        guard present > 0, present < used else { return }
        let free = try read { transaction throws(LMDBError) in
            try transaction.freePageCount(from: present)
        }
        guard free < used - present else { return }
        throw LMDBError(
            code: LMDBError.truncated,
            operation: "the file was cut short: it has \(present) pages of \(used)"
        )
    }

    /// Refuses a file whose pages have another size.
    func requirePageSize() throws(LMDBError) {
        var figures = MDB_stat()
        try unsafe check(mdb_env_stat(handle.pointer, &figures), "mdb_env_stat")
        if figures.ms_psize != Self.pageByteCount {
            throw LMDBError(code: LMDBError.incompatible, operation: "page size")
        }
    }
}
