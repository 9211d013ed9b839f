/// The first byte of a row.
///
/// Every record has the same version until one changes after a release, which then writes a version
/// of its own: Documentation/StoreFormat.md says how.
enum RowVersion {
    static let current: UInt8 = 1
}
