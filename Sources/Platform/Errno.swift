// The error numbers of system calls.
internal import Glibc

/// An error number of the operating system; see errno(3).
package struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number, as in `<errno.h>`.
    package let rawValue: Int32

    /// Creates an error from its number.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The calling thread's `errno`.
    package static var current: Errno { Errno(rawValue: errno) }

    /// The message of the system; see strerror_r(3).
    package var description: String {
        var buffer = [CChar](repeating: 0, count: 128)
        let text = unsafe buffer.withUnsafeMutableBufferPointer { room -> String in
            guard let base = room.baseAddress else { return "error" }
            guard unsafe strerror_r(rawValue, base, room.count) == 0 else { return "error" }
            return unsafe String(cString: base)
        }
        return "\(text) (errno \(rawValue))"
    }

    /// Interrupted system call.
    package static let interrupted = Errno(rawValue: EINTR)
    /// Resource temporarily unavailable.
    package static let wouldBlock = Errno(rawValue: EAGAIN)
    /// No space left on device.
    package static let noSpace = Errno(rawValue: ENOSPC)
    /// Disk quota exceeded.
    package static let quotaExceeded = Errno(rawValue: EDQUOT)
    /// File exists.
    package static let exists = Errno(rawValue: EEXIST)
    /// No such file or directory.
    package static let noEntry = Errno(rawValue: ENOENT)
    /// Invalid argument.
    package static let invalidArgument = Errno(rawValue: EINVAL)
    /// Bad file descriptor.
    package static let badDescriptor = Errno(rawValue: EBADF)
    /// Operation not supported.
    package static let notSupported = Errno(rawValue: EOPNOTSUPP)
    /// Too many open files in the process.
    package static let tooManyFiles = Errno(rawValue: EMFILE)
    /// Too many open files in the system.
    package static let tooManyFilesInSystem = Errno(rawValue: ENFILE)
}

/// Repeats a call while it is interrupted, and throws any other error.
///
/// - Parameter call: a system call that answers -1 on failure.
/// - Returns: the call's result, never negative.
/// - Throws: `Errno` when the call failed with anything but `EINTR`.
@discardableResult
package func retryingInterrupts<Number: FixedWidthInteger & SignedInteger>(
    _ call: () -> Number
) throws(Errno) -> Number {
    while true {
        let result = call()
        if result >= 0 { return result }
        let failure = Errno.current
        if failure != .interrupted { throw failure }
    }
}
