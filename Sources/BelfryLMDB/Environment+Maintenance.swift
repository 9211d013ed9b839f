internal import CBelfryLMDB
internal import Glibc

extension Environment {
    /// Frees the reader slots of processes that died, whose views keep pages from being used again.
    ///
    /// - Returns: How many slots were freed.
    /// - Throws: An ``LMDBError`` if a process could not be looked up.
    package func clearStaleReaders() throws(LMDBError) -> Int {
        var count: Int32 = 0
        try unsafe check(mdb_reader_check(handle.pointer, &count), "mdb_reader_check")
        return Int(count)
    }

    /// The size of the environment now.
    package var statistics: EnvironmentStatistics {
        var information = unsafe MDB_envinfo()
        var figures = MDB_stat()
        // Ignore the results: both functions fail only without an environment.
        unsafe mdb_env_info(handle.pointer, &information)
        unsafe mdb_env_stat(handle.pointer, &figures)
        return unsafe EnvironmentStatistics(
            mapByteCount: information.me_mapsize,
            usedPageCount: information.me_last_pgno &+ 1,
            pageByteCount: Int(figures.ms_psize)
        )
    }

    /// Writes a copy of the last committed state to a new file, while others read and write.
    ///
    /// The copy is an LMDB data file: it can be opened as `data.mdb` in a directory of its own. It
    /// is on disk when the call returns. Copying is one long read transaction: writes during it
    /// make the environment's file grow.
    ///
    /// - Parameters:
    ///   - path: A file that must not exist.
    ///   - compacting: Leaves out free pages and puts tables in order; slower.
    /// - Throws: An ``LMDBError``, `EEXIST` if there is a file; no file is left behind.
    package func copy(toFile path: String, compacting: Bool) throws(LMDBError) {
        writer.requireNoWriteOnThisThread()
        let file = unsafe try checkSystem(
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode),
            "open"
        )
        do throws(LMDBError) {
            defer { close(file) }
            try copy(toDescriptor: file, compacting: compacting)
            try checkSystem(fsync(file), "fsync")
            try syncDirectory(parentDirectory(of: path))
        } catch {
            unsafe unlink(path)
            throw error
        }
    }

    /// Writes a copy of the last committed state to a file or a pipe, while others read and write.
    ///
    /// As ``copy(toFile:compacting:)``, but without a sync. A pipe whose reader closes it ends the
    /// copy with `EPIPE`; only a compacting copy blocks the signal `SIGPIPE` itself.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor that blocks; it is not closed.
    ///   - compacting: Leaves out free pages and puts tables in order; slower.
    /// - Throws: An ``LMDBError``; a part of the copy may have been written.
    package func copy(toDescriptor descriptor: Int32, compacting: Bool) throws(LMDBError) {
        writer.requireNoWriteOnThisThread()
        let flags = compacting ? UInt32(MDB_CP_COMPACT) : 0
        try unsafe check(mdb_env_copyfd2(handle.pointer, descriptor, flags), "mdb_env_copyfd2")
    }
}
