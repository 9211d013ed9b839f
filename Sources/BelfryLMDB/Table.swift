/// An open table: a named, ordered map from keys to values inside an environment.
///
/// Keys have 1 to 511 bytes and are ordered byte by byte, a prefix before the longer key; values
/// have from 0 to 2³² - 1 bytes. A table belongs to the environment that gave it; using it with
/// another one is a programmer error. It stays valid as long as the environment.
@usableFromInline
package struct Table: Sendable, Hashable {
    /// LMDB's number for the open table.
    let identifier: UInt32

    /// LMDB's own table of pages that can be used again, which can only be read.
    static let freePages = Table(identifier: 0)
}
