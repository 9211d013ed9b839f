internal import Glibc

/// A failed operation on a file beside the store.
///
/// The error's text never contains a path, so that it may be logged.
@usableFromInline
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The `errno` value; 0 where the file itself is not as expected.
    package let code: Int32
    /// The C function or the step that failed, such as `rename`.
    package let operation: String

    package init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// Whether there is no room on the disk or in the quota, or the file is too large.
    package var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// The failed operation with the text of its code, and the code.
    @usableFromInline
    package var description: String {
        code == 0 ? operation : "\(operation): \(text) (\(code))"
    }

    /// The system's words for the code.
    package var text: String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
    }
}
