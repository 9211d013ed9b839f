/// The files of one directory, for a log beside LMDB: what is written survives a power cut only
/// once it is synced.
///
/// Errors have the `errno` and the name of the failed operation.
package protocol Disk: Sendable {
    /// Opens a file to read and write it; nil where there is none.
    func open(_ name: String) throws(LMDBError) -> (any DiskFile)?

    /// Makes an empty file, in place of a file of that name.
    ///
    /// The name is on disk after ``syncNames()``.
    func make(_ name: String) throws(LMDBError) -> any DiskFile

    /// Gives a file another name, in place of a file that has it: after a power cut the name leads
    /// to one of them.
    func rename(_ name: String, to other: String) throws(LMDBError)

    /// Syncs the names that were given and taken.
    func syncNames() throws(LMDBError)
}

/// An open file of a ``Disk``, closed when it is released.
package protocol DiskFile: AnyObject, Sendable {
    func byteCount() throws(LMDBError) -> Int

    /// Gives the file a length: what is added is zeros, which take no room yet.
    func setByteCount(_ count: Int) throws(LMDBError)

    /// The next bytes at an offset or behind it that the disk has; nil where it has none, so that
    /// all of the rest are zeros.
    func written(from offset: Int) throws(LMDBError) -> Range<Int>?

    /// Reads bytes; fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(LMDBError) -> [UInt8]

    /// The first bytes of the file, to be read without a call of the system.
    ///
    /// - Precondition: The file has so many bytes, and keeps them.
    func view(_ byteCount: Int) throws(LMDBError) -> any DiskView

    /// Writes bytes, or the first of them.
    ///
    /// - Returns: How many were written, at least one.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(LMDBError) -> Int

    /// Returns when all that was written is on disk.
    ///
    /// - Throws: Why it is not; nothing says then which part of it is, and a later sync that
    ///   succeeds does not put it there.
    func sync() throws(LMDBError)
}

/// The bytes of a file as they are at each moment, written or not yet synced.
///
/// Any thread may read.
package protocol DiskView: AnyObject, Sendable {
    /// Lends bytes, none of which may be behind the end of the view.
    func lend(
        _ count: Int,
        at offset: Int,
        to body: (Span<UInt8>) throws(LMDBError) -> Void
    ) throws(LMDBError)

    /// Copies bytes, as ``lend(_:at:to:)`` lends them.
    func bytes(_ count: Int, at offset: Int) -> [UInt8]
}

extension DiskFile {
    /// Writes all of the bytes, or throws; some may be written then.
    package func writeAll(_ bytes: [UInt8], at offset: Int) throws(LMDBError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try write(rest, at: offset + (bytes.count - rest.count))
            rest = rest.dropFirst(count)
        }
    }
}
