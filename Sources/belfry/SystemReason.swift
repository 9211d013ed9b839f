internal import Foundation
internal import Glibc

extension POSIXError {
    /// The error that the last system call of this thread reported.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension Error {
    /// Why something failed, in the words of the system where it was the system that refused:
    /// Foundation's own words do not tell a directory from a full disk.
    var reason: String {
        if let problem = self as? TextProblem { return problem.description }
        return systemReason ?? localizedDescription
    }

    /// The words of the system; nil where it was not the system that refused.
    var systemReason: String? {
        let error = self as NSError
        guard error.domain == NSPOSIXErrorDomain else {
            return (error.userInfo[NSUnderlyingErrorKey] as? any Error)?.systemReason
        }
        return unsafe String(cString: strerror(Int32(truncatingIfNeeded: error.code)))
    }
}
