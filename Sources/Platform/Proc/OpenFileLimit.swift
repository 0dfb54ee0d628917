// The limit of open files and sockets of this process.
internal import Glibc

/// Reads and raises the limit of open files of this process; see getrlimit(2), RLIMIT_NOFILE.
package enum OpenFileLimit {
    /// The limit in force, which is one above the greatest descriptor; nil without a limit.
    package static var current: Int? {
        read().flatMap { Int(exactly: $0.rlim_cur) }
    }

    /// Raises the limit if it is lower than needed, as far as the system allows.
    ///
    /// - Parameter count: how many are needed.
    /// - Returns: the limit in force after that; `Int.max` without a bound.
    package static func raise(to count: Int) -> Int {
        guard var limit = read() else { return .max }
        let wanted = min(rlim_t(count), limit.rlim_max)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            // If the system refuses, the limit stays as it was.
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return current ?? .max
    }

    private static func read() -> rlimit? {
        var limit = rlimit()
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return result == 0 ? limit : nil
    }
}
