/// The identifier of a stored file: it is computed from the file's app, form and bytes, so that the
/// same bytes of one app always have the same identifier.
package struct AttachmentIdentifier: Hashable, Sendable {
    /// The sixteen bytes of a version 8 UUID.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
