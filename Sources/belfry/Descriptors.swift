internal import Glibc

enum Descriptors {
    /// Enough for all connections of a few listeners.
    private static let wanted: rlim_t = 16_384

    /// Raises the limit of descriptors as far as the system allows; many systems start programs
    /// with 1,024.
    static func raiseLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, wanted))
        _ = unsafe setrlimit(resource, &limit)
    }
}
