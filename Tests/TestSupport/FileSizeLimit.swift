internal import Foundation

/// Limits how large a file this process may write, or, with nil, lifts that limit.
///
/// It stands in for a full disk where `SIGXFSZ` is ignored: EFBIG in place of ENOSPC.
package func limitFileSize(to byteCount: Int?) throws {
    let resource = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
    var limit = rlimit()
    var result = unsafe getrlimit(resource, &limit)
    limit.rlim_cur = byteCount.map { rlim_t($0) } ?? limit.rlim_max
    if result == 0 { result = unsafe setrlimit(resource, &limit) }
    if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
